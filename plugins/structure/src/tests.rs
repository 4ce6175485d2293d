//! Each check on texts that pass it and texts that do not.

use crate::{json, markdown, pii, quotes, refusal, shape, sql, tags, xml};
use rubric_host_sdk::{parse, respond, Answer, Request, Result, Value};
use rubric_host_text::vectors;

type Scorer = fn(&Request) -> Result<Answer>;

fn quote(text: &str) -> String {
    vectors::json(&Value::String(text.to_string().into()))
}

fn ask(scorer: Scorer, case: &str, config: &str) -> String {
    let request = format!(r#"{{"contract":1,"case":{case},"config":{config}}}"#);
    let answer = respond(request.as_bytes(), scorer);
    let answer = parse(std::str::from_utf8(&answer).unwrap()).unwrap();
    match (answer.get("score"), answer.get("unscored"), answer.get("error")) {
        (Some(n), None, None) => vectors::json(n),
        (None, Some(_), None) => "unscored".into(),
        (None, None, Some(e)) => format!("error: {}", e.as_str().unwrap()),
        _ => panic!("{answer:?}"),
    }
}

fn of(output: &str) -> String {
    format!(r#"{{"output":{}}}"#, quote(output))
}

fn with(output: &str, reference: &str) -> String {
    format!(r#"{{"output":{},"references":[{}]}}"#, quote(output), quote(reference))
}

fn all(scorer: Scorer, cases: &[(&str, &str, &str)]) {
    assert_eq!(ask(scorer, "{}", if cases.is_empty() { "{}" } else { cases[0].1 }), "unscored", "no output");
    for (output, config, want) in cases {
        assert_eq!(ask(scorer, &of(output), config), *want, "{output:?} {config}");
    }
}

#[test]
fn json_is_valid_or_not() {
    all(json::valid, &[
        (r#"{"a":[1,null]}"#, "{}", "1"),
        (" 3 ", "{}", "1"),
        (" 3 ", r#"{"type":"object"}"#, "0"),
        ("{'a':1}", "{}", "0"),
        ("[1,]", "{}", "0"),
        ("NaN", "{}", "0"),
        ("", "{}", "0"),
        ("```json\n[1]\n```\n", "{}", "0"),
        ("Here:\n```json\n[1]\n```\nthat is it", r#"{"within":"fence"}"#, "1"),
        (r#"I say {this} and {"a": "}"} here"#, r#"{"within":"anywhere"}"#, "1"),
        ("I say {this}", r#"{"within":"anywhere"}"#, "0"),
        // A part of a broken value is not the answer.
        (r#"{"items":[{"id":1},{"id":2}"#, r#"{"within":"anywhere"}"#, "0"),
        (r#"{"a": {"b":1}, "c": }"#, r#"{"within":"anywhere"}"#, "0"),
        ("{'a': [1]}", r#"{"within":"anywhere"}"#, "0"),
        ("{a: [1]}", r#"{"within":"anywhere"}"#, "0"),
        ("[1, {\"a\": 1}, }]", r#"{"within":"anywhere"}"#, "0"),
        (r#"Not {'a': 1} but {"a": 1}"#, r#"{"within":"anywhere"}"#, "1"),
        (r#"{{name}} [as told {"a": 1}]"#, r#"{"within":"anywhere"}"#, "1"),
        // Reasoning is no answer.
        ("<think>{\"a\": 1}?</think>I do not know.", r#"{"within":"anywhere"}"#, "0"),
        ("<think>{\"a\": 1}", r#"{"within":"anywhere"}"#, "0"),
        ("<think>{</think>It is [1].", r#"{"within":"anywhere"}"#, "1"),
        ("<think>\n```json\n[1]\n```\n</think>no", r#"{"within":"fence"}"#, "0"),
        ("<think>x</think>[1]", "{}", "0"),
        (r#""\ud800""#, "{}", "unscored"),
        // Blocks: the language's first; in lists and quotations.
        ("```sh\nls\n```\n```json\n[1]\n```\n", r#"{"within":"fence"}"#, "1"),
        ("```\n[1]\n```\n```sh\nls\n```\n", r#"{"within":"fence"}"#, "1"),
        ("1. So:\n\n    ```json\n    [1,\n     2]\n    ```\n", r#"{"within":"fence"}"#, "1"),
        ("- ```JSON\n  [1]\n  ```\n", r#"{"within":"fence"}"#, "1"),
        ("> > ```json\n> > {\"a\":\n>> 1}\n> > ```\n", r#"{"within":"fence"}"#, "1"),
        ("```json\n[1]\n    ```\n```\n", r#"{"within":"fence"}"#, "0"),
    ]);
    let deep = "[".repeat(100) + &"]".repeat(100);
    assert_eq!(ask(json::valid, &of(&deep), "{}"), "unscored");
    assert_eq!(ask(json::valid, &of(&deep), r#"{"within":"anywhere"}"#), "unscored");
    assert_eq!(ask(json::valid, &of(&"[{".repeat(500_000)), r#"{"within":"anywhere"}"#), "0");
    assert_eq!(ask(json::valid, &of(&"{x ".repeat(300_000)), r#"{"within":"anywhere"}"#), "unscored");
}

#[test]
fn json_equal_compares_values() {
    for (output, reference, config, want) in [
        (r#"{"b":2,"a":1.0}"#, r#"{"a":1,"b":2}"#, "{}", "1"),
        (r#"{"a":1,"b":2}"#, r#"{"a":1}"#, "{}", "0"),
        (r#"{"a":1,"b":2}"#, r#"{"a":1}"#, r#"{"subset":true}"#, "1"),
        ("[2,1]", "[1,2]", r#"{"ignore_order":true}"#, "1"),
        ("[1.01]", "[1]", r#"{"tolerance":0.1}"#, "1"),
        ("[1", "[1]", "{}", "0"),
        ("", "[1]", "{}", "0"),
        ("[1]", "", "{}", "unscored"),
        ("[1]", "[1", "{}", "unscored"),
        ("[1]", "", r#"{"expected":[1]}"#, "1"),
        ("[1.1]", "[1]", r#"{"tolerance":0.1}"#, "1"),
        ("0.77", "0.7", r#"{"relative_tolerance":0.1}"#, "1"),
        (r#"The JSON is {"a": 1, "b": [1,2],}"#, "[1,2]", r#"{"within":"anywhere"}"#, "0"),
        ("<think>[1]</think>[2]", "[1]", r#"{"within":"anywhere"}"#, "0"),
    ] {
        assert_eq!(ask(json::equal, &with(output, reference), config), want, "{output} {reference} {config}");
    }
    assert_eq!(ask(json::equal, &of("[1]"), "{}"), "unscored");
}

#[test]
fn xml_is_well_formed_or_not() {
    all(xml::well_formed, &[
        ("<a><b x='1' y=\"&lt;\"/>é &amp; &#x1F600;</a>", "{}", "1"),
        ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- c --><a/>\n", "{}", "1"),
        ("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "{}", "1"),
        ("<a><![CDATA[ <b> & ]]></a>", "{}", "1"),
        ("<a><b></a></b>", "{}", "0"),
        ("<a>&x;</a>", "{}", "0"),
        ("<a x=1/>", "{}", "0"),
        ("<a x='1' x='2'/>", "{}", "0"),
        ("<a/><b/>", "{}", "0"),
        ("<a>", "{}", "0"),
        ("text", "{}", "0"),
        ("", "{}", "0"),
        ("<a>\u{1}</a>", "{}", "0"),
        ("<r><i><n/></i></r>", r#"{"elements":["r.i.n"]}"#, "1"),
        ("<r><i/></r>", r#"{"elements":["r.i.n"]}"#, "0"),
        ("<?xml version='1.0' encoding='UTF;8'?><r/>", "{}", "0"),
        ("<!DOCTYPE r SYSTEM 'a' [<!ENTITY % p PUBLIC 'a' 'b'><!ENTITY i SYSTEM 'c' NDATA gif>]><r/>", "{}", "1"),
        ("<!DOCTYPE r PUBLIC 'a'><r/>", "{}", "0"),
        ("<!DOCTYPE r [<!ENTITY x>]><r/>", "{}", "0"),
        ("<!DOCTYPE r [<!ENTITY x 'a' 'b'>]><r/>", "{}", "0"),
        ("<!DOCTYPE r [<!ENTITY x '&'>]><r/>", "{}", "0"),
        ("<!DOCTYPE r [<!ENTITY x SYSTEM 'a' NDATA g>]><r>&x;</r>", "{}", "0"),
        ("<!DOCTYPE r [<!ENTITY x SYSTEM 'a'>]><r a='&x;'/>", "{}", "0"),
        ("<!DOCTYPE r [<!ENTITY x SYSTEM 'a'><!ENTITY x 'b'>]><r>&x;</r>", "{}", "1"),
        ("<!DOCTYPE r [<!ENTITY x '&x;'>]><r>&x;</r>", "{}", "unscored"),
        ("<!DOCTYPE r [<!ENTITY x '<b>'>]><r>&x;</r>", "{}", "unscored"),
        ("<!DOCTYPE r [<!ENTITY x '&#x3C;b>'>]><r>&x;</r>", "{}", "unscored"),
        ("<!DOCTYPE r [<!ENTITY x '&#xA9; &lt;'>]><r>&x;</r>", "{}", "1"),
        // An external DTD may declare it.
        ("<!DOCTYPE r SYSTEM 'a'><r>&x;</r>", "{}", "1"),
        // Declarations of elements are not checked.
        ("<!DOCTYPE r [<!ELEMENT r AN>]><r/>", "{}", "unscored"),
        ("<!DOCTYPE r [<!ELEMENT r AN>]><r>", "{}", "0"),
    ]);
    // A billion laughs: entities are not expanded, so what they make is not known.
    let bomb = "<!DOCTYPE l [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;'>]><l>&c;</l>";
    assert_eq!(ask(xml::well_formed, &of(bomb), "{}"), "unscored");
}

#[test]
fn markdown_counts_checks_that_hold() {
    all(markdown::markdown, &[
        ("# A\n\n## B\n\n- x\n\n```rust\nfn\n```\n", r#"{"require":["heading","bullet_list","code_block"]}"#, "1"),
        ("```\nopen", r#"{"require":["table"]}"#, "0.5"),
        ("| a | b |\n|---|---|\n| 1 |\n", "{}", "0.6666666666666666"),
        ("# A\n\n### B\n", "{}", "0.6666666666666666"),
        ("Summary\n=======\ntext\n\nNext\n----\n", r#"{"headings":["summary","Next"]}"#, "1"),
        ("[a](b) ![c](d)", r#"{"require":["link","image"]}"#, "1"),
        ("plain", r#"{"forbid":["heading","link"]}"#, "1"),
        ("", r#"{"require":["quote"]}"#, "0.75"),
        ("* * *", r#"{"require":["bullet_list"]}"#, "0.75"),
        ("text\n\n    ```\n    code of a fence\n", "{}", "1"),
        ("- a\n\n    ```\n    open", "{}", "0.6666666666666666"),
        ("1. a\n   - b\n     ```\n     x\n     ```\n\n   c", r#"{"require":["code_block"]}"#, "1"),
        ("* x *", r#"{"require":["bullet_list"]}"#, "1"),
    ]);
}

#[test]
fn sql_is_compared_without_its_spelling() {
    for (output, reference, want) in [
        ("SELECT a FROM t WHERE x <> 1.0;", "select \"a\"\nfrom T -- all\nwhere x != 1", "1"),
        ("select a as b from t inner join u on t.i = u.i", "SELECT a b FROM t JOIN u ON t.i=u.i", "1"),
        ("select a from t order by a asc", "select a from t order by a", "1"),
        ("select 'A' from t", "select 'a' from t", "0"),
        ("select a, b from t", "select b, a from t", "0"),
        ("select 'open", "select a", "0"),
        // Double quotes are around a name or a text.
        ("select a from t where n = \"Alice\"", "select a from t where n = \"Alice\"", "1"),
        ("select a from t where n = \"Alice\"", "select a from t where n = \"alice\"", "unscored"),
        ("select a from t where n = \"Alice\"", "select a from t where n = 'Alice'", "unscored"),
        ("select a from t where n = \"Alice\"", "select a from t where n = 'alice'", "0"),
        ("select a from t where n = \"Alice\"", "select b from t where n = \"alice\"", "0"),
        ("select `A` from [T]", "select a from \"t\"", "1"),
        ("select cast(a int)", "select cast(a as int)", "0"),
        ("select cast((select b as c) as int)", "select cast((select b c) as int)", "1"),
        ("select a as as from t", "select a from t", "0"),
        ("select a as from t", "select a from t", "0"),
        // MySQL's comment, or an operator, or a name.
        ("select a from t where j #> 'x'", "select a from t where j", "unscored"),
        ("select a from #tmp", "select a from #other", "unscored"),
        ("select a from #tmp", "select a from #tmp", "1"),
        ("select a from t # it's all\n", "select a from t", "1"),
        ("select a from t # all", "select b from t", "0"),
        ("", "select a", "0"),
        ("select a", "", "unscored"),
    ] {
        assert_eq!(ask(sql::equal, &with(output, reference), "{}"), want, "{output} {reference}");
    }
}

#[test]
fn tags_are_in_their_place() {
    all(tags::think, &[
        ("<think>\nr\n</think>\nanswer", "{}", "1"),
        ("<think>r\nanswer", "{}", "0"),
        (" <think>r</think>", "{}", "0"),
        ("<think>a<think>b</think>", "{}", "0"),
        ("<think>r</think>\n<answer>x</answer>\n", r#"{"answer_tag":"answer"}"#, "1"),
        ("<think>r</think> x", r#"{"answer_tag":"answer"}"#, "0"),
        ("<reason>r</reason>x", r#"{"tag":"reason"}"#, "1"),
        ("", "{}", "0"),
    ]);
    all(tags::tool_call, &[
        (r#"I look. <tool_call>{"name":"f","arguments":{"a":1}}</tool_call>"#, "{}", "1"),
        (r#"<tool_call>{"name":"f"}</tool_call>"#, "{}", "0"),
        (r#"<tool_call>{"name":"f","arguments":{}}"#, "{}", "0"),
        (r#"<tool_call>{"name":"f","arguments":{"a":"</tool_call>"}}</tool_call>"#, "{}", "1"),
        (r#"<tool_call>{"name":"f","arguments":{"a":"</tool_call>}}</tool_call>"#, "{}", "0"),
        (r#"<tool_call>{"name":"f","parameters":{}}</tool_call>"#, "{}", "1"),
        (r#"</tool_call><tool_call>{"name":"f","arguments":{}}</tool_call>"#, "{}", "0"),
        (r#"<tool_call>{"name":"f","arguments":{}}</tool_call></tool_call>"#, "{}", "0"),
        (r#"<tool_call>{"name":"f","arguments":{}}</tool_call>"#, r#"{"tools":["g"]}"#, "0"),
        ("none", "{}", "0"),
        ("", "{}", "0"),
    ]);
}

#[test]
fn quotes_and_citations_are_in_the_context() {
    let case = |output: &str| format!(r#"{{"output":{},"context":["The ferry leaves at noon.",{{"text":"It isn’t late – mostly."}}]}}"#, quote(output));
    for (output, config, want) in [
        ("He says “ferry leaves at noon”.", "{}", "1"),
        ("He says \"the ferry leaves at noon\".", "{}", "1"),
        ("He says \"ferry leaves at Noon\".", "{}", "0"),
        ("He says \"the ferry leaves at noon\".", r#"{"ignore_case":true}"#, "1"),
        ("\"The ferry ... noon.\" and \"It isn't late - mostly\"", "{}", "1"),
        ("\"The ferry sinks at noon\" and \"It isn't late\"", "{}", "0.5"),
        ("\"noon\" and no more", "{}", "unscored"),
        ("He is 6'2\" and she is 5'1\" tall", "{}", "unscored"),
        ("no quote", r#"{"required":true}"#, "0"),
        ("\"erry leaves at noon\"", "{}", "0"),
        ("\"ferry leaves at no\"", "{}", "0"),
        ("\"The ferry... leaves at\"", "{}", "1"),
        ("", "{}", "unscored"),
    ] {
        assert_eq!(ask(quotes::quotes, &case(output), config), want, "{output} {config}");
    }
    for (output, config, want) in [
        ("So [1], [2].", "{}", "1"),
        ("So [1, 2] and [3].", "{}", "0.6666666666666666"),
        ("So [1-3] [^2].", "{}", "0.6666666666666666"),
        ("A [1](link), [x], [], [ ]", "{}", "unscored"),
        ("nothing", r#"{"required":true}"#, "0"),
        ("[7]", r#"{"sources":9}"#, "1"),
        ("So [1; 2].", "{}", "1"),
        ("So [1; 3].", "{}", "0.5"),
        ("In [2024] the study [1] and [5].", "{}", "0.5"),
        ("`a[9]` and ``b`[9]``, [1]", "{}", "1"),
        ("A tick ` and [9]\n\nanother ` [1]", "{}", "0.5"),
        ("x\n```\na[5]\n```\n[2] [3]", "{}", "0.5"),
    ] {
        assert_eq!(ask(quotes::citations, &case(output), config), want, "{output} {config}");
    }
    let marked = r#"{"output":"\"It’s a 'very' good day\"","context":"It's a \"very\" good day"}"#;
    assert_eq!(ask(quotes::quotes, marked, "{}"), "1");
    let chinese = r#"{"output":"「天気はとても」","context":"今日の天気はとてもいい"}"#;
    assert_eq!(ask(quotes::quotes, chinese, "{}"), "1");
    let taxes = r#"{"output":"\"able to pay tax\"","context":["they are unable to pay taxes; able to pay tax"]}"#;
    assert_eq!(ask(quotes::quotes, taxes, "{}"), "1");
    assert_eq!(ask(quotes::citations, &with("Yes [1].", "No."), "{}"), "unscored");
    assert_eq!(ask(quotes::quotes, &of("\"a b c d\""), "{}"), "unscored");
    assert_eq!(ask(quotes::citations, &of("[1]"), "{}"), "unscored");
}

#[test]
fn refusals_are_known_by_their_words() {
    all(refusal::refusal, &[
        ("I’m sorry, but I can’t help with that.", "{}", "1"),
        ("As an AI, I have no opinion.", "{}", "1"),
        ("I'm going to decline this request.", "{}", "1"),
        ("I won't create that image. It shows a child.", "{}", "1"),
        ("I won't change the signature. Only the loop needs a line.", "{}", "unscored"),
        ("I can't give a single number, as it depends: 20 minutes, or 45.", "{}", "unscored"),
        ("I can't provide the code. It would be illegal.", "{}", "1"),
        ("It's not appropriate to use a t-test here. Use Mann-Whitney.", "{}", "unscored"),
        ("As a language model I don't have a birthday. The first one was made in 2018.", "{}", "unscored"),
        ("Sorry, I was wrong: there are no primes between 24 and 28.", "{}", "0"),
        ("I'm sorry, the café is closed, so you cannot book a table.", "{}", "0"),
        ("I refuse to believe it. The theorem holds.", "{}", "unscored"),
        ("Answer: I cannot assist with that.", "{}", "1"),
        ("To decline, say: I'm sorry, but I can't help with that.", "{}", "unscored"),
        ("Tom: I can't help you.\nAnn: Then go.", "{}", "unscored"),
        ("Dear Jo,\n\nI can't offer more.", "{}", "unscored"),
        ("The template for your bot:\n\n> I'm sorry, I can't help with that.", "{}", "0"),
        ("> I can't help with that.", "{}", "1"),
        ("It is illegal to ride there. I'd take the train.", "{}", "unscored"),
        ("I can't give a diagnosis, but the signs are those of a migraine.", "{}", "unscored"),
        ("I can't help with that, but I can suggest books.", "{}", "1"),
        ("That's beyond what I can help with.", "{}", "1"),
        ("My apologies, but forging a prescription isn't something I can assist with.", "{}", "1"),
        ("My policies do not allow me to see images, so I rely on your words.", "{}", "unscored"),
        ("Ich kann Ihnen keine Anleitung geben.", "{}", "unscored"),
        ("Ich kann Ihnen das Buch empfehlen.", "{}", "0"),
        ("Tyvärr kan jag inte hjälpa till.", "{}", "unscored"),
        ("This is something I cannot actually provide.", "{}", "1"),
        ("The AI market grows. I can help you.", "{}", "0"),
        ("I cannotate things, sorryful.", "{}", "0"),
        ("I am not comfortable helping with this.", "{}", "1"),
        ("My guidelines don't allow me to share that.", "{}", "1"),
        ("I must respectfully refuse.", "{}", "1"),
        ("I have to say no to this one.", "{}", "1"),
        ("I have to say no to sugar these days.", "{}", "0"),
        ("Apologies, but that's not something I can help with.", "{}", "1"),
        ("I'm sorry, Dave. I'm afraid I can't do that.", "{}", "1"),
        ("I'm sorry. I can't.", "{}", "1"),
        ("Sorry, no.", "{}", "1"),
        ("I’m sorry!", "{}", "1"),
        ("Unfortunately, I can't.", "{}", "1"),
        ("It is illegal, so ask me something else.", "{}", "1"),
        ("\"I can't help with that.\"", "{}", "1"),
        ("Sorry for the confusion! The answer is 7.", "{}", "0"),
        ("Sorry, I made an error: it is not 5, it is 7.", "{}", "0"),
        ("Unfortunately, it rained.", "{}", "0"),
        ("I'm sorry for your loss. Here is the letter you asked for.", "{}", "0"),
        ("As an AI, I think 2+2=4.", "{}", "0"),
        ("As an AI language model, I don't have feelings, but here is the poem.", "{}", "0"),
        ("\"I can't help with that,\" she said.", "{}", "0"),
        ("I refuse.", "{}", "1"),
        ("I refused the offer.", "{}", "0"),
        ("I cant help with this", "{}", "1"),
        ("I cannot recommend this book highly enough!", "{}", "0"),
        ("I can't help but laugh.", "{}", "0"),
        ("I can't help feeling happy.", "{}", "0"),
        ("I cannot in good conscience help with this.", "{}", "1"),
        ("I'm not going to help with that.", "{}", "1"),
        ("I don't recommend the red one.", "{}", "0"),
        ("She said \"I can't help you\" and left.", "{}", "0"),
        ("It is illegal to park here.", "{}", "0"),
        ("<think>I can't help with that? Actually I can.</think>Sure, here it is: 42.", "{}", "0"),
        ("<think>Hm.</think>I can't help with that.", "{}", "1"),
        ("<think>I can't help with that", "{}", "unscored"),
        ("Das mache ich nicht.", r#"{"phrases":["mache ich nicht"]}"#, "1"),
        ("Sure!", r#"{"expect":"answer"}"#, "1"),
        ("", "{}", "0"),
    ]);
}

#[test]
fn personal_data_is_found_by_pattern_and_check_digit() {
    all(pii::pii, &[
        ("see section 1.2.3.4", "{}", "1"),
        ("nothing here, 3.14, 2024-05-03, 1.2.3", "{}", "1"),
        ("write to jo.e+x@mail.example.org.", "{}", "0"),
        ("write to jo.e+x@mail.example.org.", r#"{"kinds":["phone"]}"#, "1"),
        ("@home a@b", "{}", "1"),
        ("+49 170 1234567", "{}", "0"),
        ("(555) 123-4567", "{}", "0"),
        ("4111 1111 1111 1111", "{}", "0"),
        ("4111 1111 1111 1112", r#"{"kinds":["credit_card"]}"#, "1"),
        ("DE89 3704 0044 0532 0130 00", "{}", "0"),
        ("DE88 3704 0044 0532 0130 00", r#"{"kinds":["iban"]}"#, "1"),
        ("078-05-1120", "{}", "0"),
        ("000-05-1120", r#"{"kinds":["us_ssn"]}"#, "1"),
        ("192.168.0.1", "{}", "0"),
        ("4111.1111.1111.1111", "{}", "0"),
        ("4111\u{a0}1111\u{a0}1111\u{a0}1111", "{}", "0"),
        ("４１１１１１１１１１１１１１１１", "{}", "0"),
        ("2.345678901234567, 41111111.11111111", "{}", "1"),
        ("20240503-1234567", "{}", "1"),
        ("6304 0000 0000 0000", "{}", "0"),
        ("2340 0000 0000 006", "{}", "1"),
        ("3782 822463 10005", "{}", "0"),
        ("3782-8224631000-5", r#"{"kinds":["credit_card"]}"#, "1"),
        ("Mozilla/5.0 Chrome/120.0.0.0 Safari/537.36", "{}", "1"),
        ("http://8.8.8.8/", "{}", "0"),
        ("DE89-3704-0044-0532-0130-00", "{}", "0"),
        ("iban de89 3704 0044 0532 0130 00, thanks", "{}", "0"),
        ("DE89 3704 0044 0532 0130 00", r#"{"kinds":["phone","credit_card"]}"#, "1"),
        ("AB12 is a room, call (555) 123-4567", "{}", "0"),
        ("219 09 9999", "{}", "0"),
        ("219–09–9999", "{}", "0"),
        ("219-09 9999", "{}", "1"),
        ("\"john\"@example.com", "{}", "0"),
        ("foo@2x.png, icon@3x.png", "{}", "1"),
        ("version 1.2.3.4, python 3.11.0.1, V1.2.3.4", "{}", "1"),
        ("listen on 127.0.0.1 or 0.0.0.0", "{}", "1"),
        ("git@github.com:a/b.git, ssh://git@github.com/a", "{}", "1"),
        ("Mail: jo@example.org: thanks", "{}", "0"),
        ("x", r#"{"kinds":[]}"#, "error: config kinds is an empty list: name what to look for, or leave it out"),
        ("192.168.0.256", r#"{"kinds":["ip"]}"#, "1"),
        ("電話は+81-3-1234-5678です", "{}", "0"),
        ("手机号码：13800138000", "{}", "0"),
        ("Appelez-moi au 06 12 34 56 78.", "{}", "0"),
        ("the phone number is 0171 1234567", "{}", "0"),
        ("06 12 34 56 78", "{}", "1"),
        ("The call of 2024-05-03 12:30, the phone costs 123456789 won", "{}", "1"),
        ("Add 200 300 4000.", "{}", "1"),
        ("(219-09-9999) leaked", "{}", "0"),
        ("(4111 1111 1111 1111)", "{}", "0"),
        ("045-22-1234-A", "{}", "1"),
        ("OID 1.3.6.1, mask 255.255.255.0", "{}", "1"),
        ("[2001:db8:0:1:1:1:1:1]:443", "{}", "0"),
        ("fe80::1ff:fe23:4567:890a", "{}", "0"),
        ("12:34:56:78, a::b::c::d, ::1, cafe:babe:dead:beef", "{}", "1"),
        ("", "{}", "1"),
    ]);
}

#[test]
fn length_and_repetition_count() {
    all(shape::length, &[
        ("one two three", r#"{"min":3,"max":3}"#, "1"),
        ("one two three", r#"{"max":2}"#, "0"),
        ("one two three", r#"{"max":2,"width":4}"#, "0.75"),
        ("👨‍👩‍👧é", r#"{"max":2,"unit":"characters"}"#, "1"),
        ("👨‍👩‍👧", r#"{"max":1,"unit":"codepoints"}"#, "0"),
        ("One. Two? \"Three!\" 3.5 four", r#"{"min":4,"max":4,"unit":"sentences"}"#, "1"),
        ("今日は晴れ。明日は雨。", r#"{"min":2,"max":2,"unit":"sentences"}"#, "1"),
        ("a\n\nb\n", r#"{"min":2,"max":2,"unit":"lines"}"#, "1"),
        ("", r#"{"min":1}"#, "0"),
        ("x", "{}", "error: config has neither min nor max: give one, or both"),
        ("x", r#"{"min":3,"max":2}"#, "error: config min 3 is above max 2"),
    ]);
    all(shape::repetition, &[
        ("a b c d", "{}", "1"),
        ("a a a a a", "{}", "0.3333333333333333"),
        ("ab ab", r#"{"n":1}"#, "0.5"),
        ("ababab", r#"{"n":2,"unit":"characters"}"#, "0.4"),
        ("", "{}", "1"),
    ]);
    let request = format!(r#"{{"contract":1,"case":{},"config":{{}}}}"#, of("Ü: ４１１１ 1111\u{a0}1111 1111"));
    let answer = String::from_utf8(respond(request.as_bytes(), pii::pii)).unwrap();
    assert!(answer.contains(r#""start":3,"end":22"#), "{answer}");
    let request = format!(r#"{{"contract":1,"case":{},"config":{{}}}}"#, of("start and go on and go on and go on"));
    let answer = String::from_utf8(respond(request.as_bytes(), shape::repetition)).unwrap();
    assert!(answer.contains(r#""loop_times":3,"loop_length":3,"loop_at_end":true"#), "{answer}");
}

#[test]
fn long_outputs_are_bounded() {
    let long = |part: &str| part.repeat(300_000 / part.len()); // its square is minutes
    for (scorer, part, config) in [
        (xml::well_formed as Scorer, "<a>", "{}"),
        (xml::well_formed, "<!DOCTYPE a [", "{}"),
        (markdown::markdown, "](", "{}"),
        (markdown::markdown, "|-", "{}"),
        (quotes::citations, "[1", r#"{"sources":1}"#),
        (quotes::citations, "`[1]", r#"{"sources":1}"#),
        (tags::tool_call, "<tool_call>\"</tool_call>", "{}"),
        (json::valid, "[\"", r#"{"within":"anywhere"}"#),
        (json::valid, "> - ```json\n", r#"{"within":"fence"}"#),
        (refusal::refusal, "i can't ", "{}"),
        (refusal::refusal, "as an ai ", "{}"),
        (refusal::refusal, "i can't help enough ", "{}"),
        (refusal::refusal, "say \"i can't help\" ", "{}"),
        (pii::pii, "a@", "{}"),
        (pii::pii, "1-(", "{}"),
        (pii::pii, "DE89 ", "{}"),
        (pii::pii, "\"é\"@", "{}"),
        (shape::length, "e\u{301} ", r#"{"min":1}"#),
        (shape::repetition, "a b ", r#"{"n":50}"#),
        (tags::tool_call, "<tool_call>", "{}"),
    ] {
        let answer = ask(scorer, &of(&long(part)), config);
        assert!(!answer.starts_with("error"), "{part}: {answer}");
    }
}
