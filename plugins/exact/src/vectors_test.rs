//! Every reference line of SQuAD, of evaluate's exact_match and of
//! OpenRubricRL's accuracy, as whole calls; and the policy of the rest.

use crate::{compare::exact, find::contains, find::regex, squad::squad};
use rubric_host_sdk::{parse, respond, Answer, Request, Result, Value};
use rubric_host_text::vectors::{agree, call, json, Lines};

fn ask(request: &str, scorer: fn(&Request) -> Result<Answer>) -> Value<'static> {
    parse(String::from_utf8(respond(request.as_bytes(), scorer)).unwrap().leak()).unwrap()
}

#[test]
fn squad_and_exact_match_are_the_references() {
    let lines = Lines::read("exact_match");
    for line in lines.iter() {
        let id = line.get("id").unwrap();
        let scorer = if line.get("metric").unwrap().as_str() == Some("squad") { squad } else { exact };
        let answer = ask(&call(line), scorer);
        let details = answer.get("details").unwrap_or_else(|| panic!("{id:?}: {answer:?}"));
        agree(line.get("expected").unwrap(), details, 1e-9).unwrap_or_else(|e| panic!("{id:?}: {e}"));
    }
    assert_eq!(lines.len(), 354);
}

#[test]
fn openrubricrl_accuracy_is_exact_after_trim_and_case() {
    let lines = Lines::read("openrubricrl");
    let mut run = 0;
    for line in lines.iter() {
        let references = line.get("references").unwrap();
        let request = format!(
            r#"{{"contract":1,"case":{{"output":{},"references":{}}},"config":{{"strip":true,"ignore_case":true}}}}"#,
            json(line.get("candidate").unwrap()),
            json(&Value::Array(references.as_array().unwrap().iter().take(1).cloned().collect()))
        );
        let answer = ask(&request, exact);
        let Some(first) = references.as_array().unwrap().first() else {
            assert!(answer.get("unscored").is_some()); // upstream answers 1
            continue;
        };
        if first.as_str().unwrap().trim().is_empty() && line.get("candidate").unwrap().as_str() != Some("") {
            continue; // upstream answers 1 here too
        }
        agree(line.get("expected").unwrap().get("accuracy").unwrap(), answer.get("score").unwrap(), 0.0)
            .unwrap_or_else(|e| panic!("{:?}: {e}", line.get("id")));
        run += 1;
    }
    assert_eq!(run, 155);
}

fn score(scorer: fn(&Request) -> Result<Answer>, case: &str, config: &str) -> String {
    let answer = ask(&format!(r#"{{"contract":1,"case":{case},"config":{config}}}"#), scorer);
    match (answer.get("score"), answer.get("unscored"), answer.get("error")) {
        (Some(n), None, None) => json(n),
        (None, Some(_), None) => "unscored".into(),
        (None, None, Some(e)) => format!("error: {}", e.as_str().unwrap()),
        _ => panic!("{answer:?}"),
    }
}

#[test]
fn equality_is_strict_unless_told_otherwise() {
    for (case, config, want) in [
        (r#"{"output":"Yes","references":["Yes"]}"#, "{}", "1"),
        (r#"{"output":"yes ","references":["Yes"]}"#, "{}", "0"),
        (r#"{"output":"yes ","references":["No","Yes"]}"#, r#"{"ignore_case":true,"strip":true}"#, "1"),
        (r#"{"output":"e\u0301","references":["\u00e9"]}"#, "{}", "0"),
        (r#"{"output":"ΟΔΟΣ","references":["οδος"]}"#, r#"{"ignore_case":true}"#, "1"),
        (r#"{"output":"Yes","references":["Yes"]}"#, r#"{"negate":true}"#, "0"),
        (r#"{"output":"","references":["Yes"]}"#, r#"{"negate":true}"#, "1"),
        (r#"{"output":"","references":[""]}"#, "{}", "1"),
        (r#"{"output":"x"}"#, "{}", "unscored"),
        (r#"{"output":"x","references":[]}"#, "{}", "unscored"),
        (r#"{"references":["x"]}"#, "{}", "unscored"),
    ] {
        assert_eq!(score(exact, case, config), want, "{case} {config}");
    }
    assert!(score(exact, r#"{"output":"x","references":["x"]}"#, r#"{"regexes_to_ignore":["(?=x)"]}"#)
        .contains("look-ahead"));
}

#[test]
fn contains_takes_its_texts_from_the_configuration_or_the_references() {
    let case = r#"{"output":"The İstanbul ferry","references":["ferry","bus"]}"#;
    for (config, want) in [
        ("{}", "1"),
        (r#"{"mode":"all"}"#, "0"),
        (r#"{"text":"The"}"#, "1"),
        (r#"{"text":"the"}"#, "0"),
        (r#"{"text":"THE İSTANBUL","ignore_case":true}"#, "1"),
        (r#"{"texts":["ferry","The"],"mode":"all"}"#, "1"),
        (r#"{"texts":["ferry","bus"],"mode":"all"}"#, "0"),
        (r#"{"texts":["ferry","bus"],"mode":"none"}"#, "0"),
        (r#"{"texts":["train","bus"],"mode":"none"}"#, "1"),
        (r#"{"text":"The","at":"start"}"#, "1"),
        (r#"{"text":"ferry","at":"start"}"#, "0"),
        (r#"{"text":"FERRY","at":"end","ignore_case":true}"#, "1"),
        (r#"{"text":"İstanbul","at":"end"}"#, "0"),
    ] {
        assert_eq!(score(contains, case, config), want, "{config}");
    }
    assert_eq!(score(contains, r#"{"output":"x"}"#, "{}"), "unscored");
    assert_eq!(score(contains, r#"{"output":"x","references":[""]}"#, "{}"), "unscored");
    assert!(score(contains, case, r#"{"text":""}"#).contains("found everywhere"));
    assert!(score(contains, case, r#"{"mode":"some"}"#).contains("use any, all or none"));
}

#[test]
fn evidence_counts_code_points() {
    let answer = ask(
        r#"{"contract":1,"case":{"output":"İé x\ud83d\ude00y"},"config":{"texts":["X😀","z"],"ignore_case":true}}"#,
        contains,
    );
    let want = parse(r#"{"score":1,"evidence":[{"field":"output","start":3,"end":5,"text":"x😀"}],"hits":["X😀"],"misses":["z"],"details":{"found":1,"of":2}}"#).unwrap();
    agree(&want, &answer, 0.0).unwrap();
    let answer = ask(r#"{"contract":1,"case":{"output":"x Straße."},"config":{"text":"STRASSE","ignore_case":true}}"#, contains);
    let want = parse(r#"{"score":1,"evidence":[{"field":"output","start":2,"end":8,"text":"Straße"}]}"#).unwrap();
    agree(&want, &answer, 0.0).unwrap();
}

#[test]
fn regex_searches_or_matches_from_the_start_or_fully() {
    let case = r#"{"output":"order 66 done","references":["\\d+"]}"#;
    for (config, want) in [
        ("{}", "1"),
        (r#"{"pattern":"^\\d+"}"#, "0"),
        (r#"{"pattern":"order","method":"fullmatch"}"#, "0"),
        (r#"{"pattern":"order \\d+ done","method":"fullmatch"}"#, "1"),
        (r#"{"pattern":"ORDER","method":"match","ignore_case":true}"#, "1"),
        (r#"{"pattern":"done","method":"match"}"#, "0"),
        (r#"{"patterns":["66","order"],"mode":"all"}"#, "1"),
    ] {
        assert_eq!(score(regex, case, config), want, "{config}");
    }
    assert!(score(regex, case, r#"{"pattern":"("}"#).contains("not closed"));
    assert!(score(regex, case, r#"{"pattern":"a","method":"find"}"#).contains("use search"));
}

/// Hits, misses and evidence have at most 64 KiB of text: the first that do not fit
/// end the lists, the score and the figures stay.
#[test]
fn contains_leaves_long_texts_out() {
    for (text, references, listed, score) in [
        ("x".repeat(59_000), 1, 1, 1.0),
        ("x".repeat(70_000), 1, 0, 1.0),
        ("é".repeat(1_000), 30, 21, 1.0),
        ("y".repeat(59_000), 1, 1, 0.0),
        ("y".repeat(30_001), 2, 1, 0.0),
    ] {
        let list = vec![format!("\"{text}\""); references].join(",");
        let output = text.replace('y', "z");
        let request = format!(r#"{{"contract":1,"case":{{"output":"{output}","references":[{list}]}}}}"#);
        let answered = String::from_utf8(respond(request.as_bytes(), contains)).unwrap();
        let answer = parse(&answered).unwrap();
        let count = |name| answer.get(name).and_then(Value::as_array).map_or(0, <[_]>::len);
        assert_eq!(count("hits") + count("misses"), listed, "{references} of {} bytes", text.len());
        assert_eq!(answer.get("reason").is_some(), listed < references);
        assert_eq!(answer.get("score").and_then(Value::as_f64), Some(score));
        assert!(answered.len() < 64 << 10);
    }
}

/// Details have at most 64 KiB: what is longer is left out as a whole, the figures stay.
#[test]
fn squad_leaves_long_texts_out_of_details() {
    let case = |output: &str, references: usize| {
        let list = vec![format!("\"{output}\""); references].join(",");
        let request = format!(r#"{{"contract":1,"case":{{"output":"{output}","references":[{list}]}}}}"#);
        String::from_utf8(respond(request.as_bytes(), squad)).unwrap()
    };
    for (output, references, kept) in [
        ("x".repeat(29_997), 1, true),
        ("x".repeat(29_998), 1, false),
        ("\\u0001".repeat(5_000), 1, false),
        ("".to_string(), 19_998, true),
        ("".to_string(), 20_001, false),
    ] {
        let text = case(&output, references);
        let answer = parse(&text).unwrap();
        let details = answer.get("details").unwrap();
        assert_eq!(details.get("normalized_candidate").is_some(), kept, "{references} of {}", output.len());
        assert_eq!(details.get("normalized_references").is_some(), kept);
        assert_eq!(answer.get("reason").is_some(), !kept);
        assert_eq!(details.get("exact_match").and_then(Value::as_f64), Some(1.0));
        assert!(text.len() < 64 << 10);
    }
}

#[test]
fn squad_2_knows_questions_without_an_answer() {
    let no_answer = r#"{"version":"2.0"}"#;
    assert_eq!(score(squad, r#"{"output":"","references":[]}"#, no_answer), "1");
    assert_eq!(score(squad, r#"{"output":"Paris","references":[]}"#, no_answer), "0");
    assert_eq!(score(squad, r#"{"output":"Paris"}"#, no_answer), "unscored");
    assert_eq!(score(squad, r#"{"output":"Paris","references":[]}"#, "{}"), "unscored");
    assert_eq!(score(squad, r#"{"output":"the Paris of","references":["Paris"]}"#, r#"{"field":"exact_match"}"#), "0");
}
