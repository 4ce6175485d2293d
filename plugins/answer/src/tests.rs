//! What is found in an output, and what it is compared with. Inspect's own answers are in
//! testdata/vectors/answers.jsonl.gz.

use crate::{choice::choice, date::date, inspect, list::list_f1, number::numeric};
use rubric_host_sdk::{parse, respond, Answer, Request, Result, Value};
use rubric_host_text::vectors::json;

type Scorer = fn(&Request) -> Result<Answer>;

fn ask(scorer: Scorer, output: &str, references: &[&str], config: &str) -> String {
    let text = |t: &str| json(&Value::String(t.to_string().into()));
    let list: Vec<String> = references.iter().map(|r| text(r)).collect();
    let request = format!(
        r#"{{"contract":1,"case":{{"output":{},"references":[{}]}},"config":{config}}}"#,
        text(output),
        list.join(",")
    );
    let answer = respond(request.as_bytes(), scorer);
    let answer = parse(std::str::from_utf8(&answer).unwrap()).unwrap();
    match (answer.get("score"), answer.get("unscored"), answer.get("error")) {
        (Some(n), None, None) => json(n),
        (None, Some(_), None) => "unscored".into(),
        (None, None, Some(e)) => format!("error: {}", e.as_str().unwrap()),
        _ => panic!("{answer:?}"),
    }
}

fn all(scorer: Scorer, cases: &[(&str, &str, &str, &str)]) {
    for (output, reference, config, want) in cases {
        assert_eq!(ask(scorer, output, &[reference], config), *want, "{output} {reference} {config}");
    }
}

#[test]
fn numeric_reads_numbers_as_they_are_written() {
    all(numeric, &[
        ("It costs $1,234.50.", "1234.5", "{}", "1"),
        ("1\u{202f}234\u{202f}567", "1234567", "{}", "1"),
        ("12,34,567", "1234567", "{}", "1"),
        ("1.234,5", "1234,5", r#"{"decimal":"comma"}"#, "1"),
        ("50%", "0.5", "{}", "1"),
        ("50 percent", "50", r#"{"percent":"number"}"#, "1"),
        ("50%", "50", "{}", "unscored"),
        ("50%", "50", r#"{"percent":"fraction"}"#, "0"),
        ("3/4 of it", "0.75", "{}", "1"),
        ("2½", "2.5", "{}", "1"),
        ("−7", "-7", "{}", "1"),
        ("from 3-5", "5", "{}", "unscored"),
        ("1.5e3", "1500", "{}", "1"),
        ("3 × 10^8 m/s", "3e8", "{}", "1"),
        ("１２", "12", "{}", "1"),
        ("first 3, then 4", "4", "{}", "1"),
        ("first 3, then 4", "3", r#"{"take":"first"}"#, "1"),
        ("first 3, then 4", "3", r#"{"take":"any"}"#, "1"),
        ("first 3, then 4", "4", r#"{"take":"only"}"#, "0"),
        ("version 1.2.3 of B12", "12", "{}", "0"),
        ("0.30", "0.1", r#"{"tolerance":0.2}"#, "1"),
        ("105", "100", r#"{"relative_tolerance":0.05}"#, "1"),
        ("106", "100", r#"{"relative_tolerance":0.05}"#, "0"),
        ("50", "150", r#"{"graded":true}"#, "0.5"),
        ("0", "0", r#"{"graded":true}"#, "1"),
        ("none", "3", "{}", "0"),
        ("", "3", "{}", "0"),
        ("3", "none", "{}", "unscored"),
        ("3", "", "{}", "unscored"),
        ("3", "3 or 4", "{}", "unscored"),
        ("1e999", "3", "{}", "unscored"),
        // What stands beside a number belongs to it.
        ("The answer is 1.5 million.", "1500000", "{}", "1"),
        ("The answer is 1.5 million.", "1.5", "{}", "unscored"),
        ("1.5", "1.5 million", "{}", "unscored"),
        ("24/12 = 2 dozen eggs", "2", "{}", "unscored"),
        ("2 dozen eggs", "24", "{}", "1"),
        ("1500000", "1.5 million", "{}", "1"),
        ("$5$ million", "5000000", "{}", "1"),
        ("**5** million", "5000000", "{}", "1"),
        ("$2.3 billion", "2300000000", "{}", "1"),
        ("2.3k", "2300", "{}", "1"),
        ("5M", "5000000", "{}", "1"),
        ("300K", "300", "{}", "unscored"),
        ("3万", "30000", "{}", "1"),
        ("$\\frac{1}{2}$", "2", "{}", "0"),
        ("\\boxed{\\frac{3}{4}}", "0.75", "{}", "1"),
        ("2\\frac{1}{2}", "2.5", "{}", "1"),
        ("1 2/3", "1.6666666666666667", "{}", "1"),
        ("1 1/2 million", "1500000", "{}", "1"),
        ("3 / 4", "0.75", "{}", "1"),
        ("1/0", "0", "{}", "unscored"),
        ("1 234 567", "567", "{}", "0"),
        ("30 000 km", "30000", "{}", "1"),
        ("100 200 300", "300", "{}", "unscored"),
        ("1 234,5", "1234,5", r#"{"decimal":"comma"}"#, "1"),
        ("\\boxed{1{,}234}", "1234", "{}", "1"),
        ("\\boxed{1{,}234}", "234", "{}", "0"),
        ("$3.0 \\times 10^{8}$", "300000000", "{}", "1"),
        ("$3.0 \\times 10^{8}$", "8", "{}", "0"),
        ("5*10^3", "5000", "{}", "1"),
        ("6.022×10²³", "6.022e23", "{}", "1"),
        ("5 × 10⁻³", "0.005", "{}", "1"),
        ("10⁻³", "0.001", "{}", "1"),
        ("10^-3", "-3", "{}", "0"),
        ("2^10", "1024", "{}", "1"),
        ("2^x", "2", "{}", "unscored"),
        ("1.e5", "100000", "{}", "1"),
        ("5 m^2", "5", "{}", "1"),
        ("5 m^2", "2", "{}", "0"),
        ("50 ± 2", "2", "{}", "unscored"),
        ("2\\sqrt{3}", "3", "{}", "unscored"),
        ("3 + 4", "4", "{}", "unscored"),
        ("3 + 4 = 7", "7", "{}", "1"),
        ("3 + 4 = 7", "4", r#"{"take":"any"}"#, "1"),
        ("2^x or 7", "8", r#"{"take":"any"}"#, "unscored"),
        ("€ 5,00", "0", "{}", "unscored"),
        ("1,2,3", "3", "{}", "1"),
        ("at 10:30", "30", "{}", "unscored"),
        ("2024-05-03", "3", "{}", "unscored"),
        ("– 5", "5", "{}", "unscored"),
        ("- 42 apples", "-42", "{}", "unscored"),
        ("− 5", "-5", "{}", "1"),
        ("12 per cent", "0.12", "{}", "1"),
        ("USD18", "18", "{}", "1"),
        ("<think>it is 42</think> I do not know.", "42", "{}", "0"),
        ("<think>it is 42", "42", "{}", "0"),
        ("3", "3", r#"{"take":"best"}"#, "error: unknown take \"best\": use first, last, any or only"),
        ("3", "3", r#"{"tolerance":-1}"#, "error: config tolerance is negative; use 0 or more"),
        ("The answer is 41 or 42.", "42", "{}", "unscored"),
        ("It could be 7, 8, or 9.", "9", "{}", "unscored"),
        ("41 or 42", "7", "{}", "0"),
        ("1/2 or 0.5", "0.5", "{}", "1"),
        ("The answer is 41, not 42.", "41", "{}", "1"),
        ("The answer isn't 42.", "42", "{}", "0"),
        ("It cannot be equal to **42**", "42", "{}", "0"),
        ("It is neither 41 nor 42", "42", "{}", "0"),
        ("555-1234", "1234", "{}", "unscored"),
        ("pages 10–12", "12", "{}", "unscored"),
        ("I am GPT-4", "4", "{}", "unscored"),
        ("COVID-19", "19", "{}", "unscored"),
        ("5-7 = -2", "-2", "{}", "1"),
        ("minus 12", "-12", "{}", "1"),
        ("negative 12", "12", "{}", "0"),
        ("7 minus 2", "2", "{}", "unscored"),
        ("sqrt(2)", "2", "{}", "unscored"),
        ("ln 2", "2", "{}", "unscored"),
        ("3 pi", "3", "{}", "unscored"),
        ("π/3", "3", "{}", "unscored"),
        ("1010₂", "1010", "{}", "unscored"),
        ("x_{12}", "12", "{}", "0"),
        ("_12_", "12", "{}", "1"),
        ("1 and 1/2", "1.5", "{}", "1"),
        ("90^\\circ", "90", "{}", "1"),
        ("1. Add\n2. Multiply\n3. Done", "3", "{}", "0"),
        ("1. Add\n2. Multiply: 12", "12", "{}", "1"),
        ("1. Five\n2. So it is 5", "5", "{}", "1"),
        ("42. That is it", "42", "{}", "1"),
        ("12", "12%", "{}", "unscored"),
        // Signs and letters that make another number of it.
        ("5!", "5", "{}", "unscored"),
        ("x = 5!", "5", "{}", "unscored"),
        ("The answer is 5!", "5", "{}", "1"),
        ("5!/3! = 20", "20", "{}", "1"),
        ("2x", "2", "{}", "unscored"),
        ("2 x", "2", "{}", "unscored"),
        ("3 + 2i", "2", "{}", "unscored"),
        ("-2x + 1", "-2", r#"{"take":"first"}"#, "unscored"),
        ("5x3", "5", "{}", "unscored"),
        ("5C2", "5", "{}", "unscored"),
        ("f(5)", "5", "{}", "unscored"),
        ("f(5) = 12", "12", "{}", "1"),
        ("|-5|", "-5", "{}", "unscored"),
        ("5 mod 3", "5", "{}", "unscored"),
        ("x = 2 (mod 7)", "2", "{}", "1"),
        ("$x \\equiv 2 \\pmod{7}$", "7", "{}", "0"),
        ("5 y 6", "6", "{}", "1"),
        ("5 km", "5", "{}", "1"),
        ("5m", "5", "{}", "1"),
        // A bound is no value, unless it is one in the reference.
        ("at least 5", "5", "{}", "unscored"),
        ("at least 5", "7", "{}", "0"),
        ("at least 5", "at least 5", "{}", "1"),
        ("5", "at least 5", "{}", "unscored"),
        ("x > 5", "5", "{}", "unscored"),
        ("$x \\geq 5$", "5", "{}", "unscored"),
        ("more than **5** km", "5", "{}", "unscored"),
        ("up to 5", "5", "{}", "unscored"),
        ("5+", "5", "{}", "unscored"),
        ("5 or more", "5", "{}", "unscored"),
        ("about 5", "5", "{}", "1"),
        ("<answer>5</answer>", "5", "{}", "1"),
        ("so => 5", "5", "{}", "1"),
        ("> 5", "5", "{}", "1"),
        ("<<2+3=5>>5", "5", "{}", "1"),
        // Two ends of a range.
        ("5 to 6", "6", "{}", "unscored"),
        ("between 5 and 6", "6", "{}", "unscored"),
        ("between 5 and 6", "7", "{}", "0"),
        ("5 and 6", "6", "{}", "1"),
        // In words.
        ("The answer is five.", "5", "{}", "unscored"),
        ("The answer is five.", "6", "{}", "0"),
        ("a dozen", "12", "{}", "unscored"),
        ("twenty-one", "21", "{}", "unscored"),
        ("π", "3.14", "{}", "unscored"),
        ("3 boxes hold twelve", "12", "{}", "unscored"),
        ("3 boxes, half full", "12", "{}", "0"),
        ("No one knows.", "12", "{}", "0"),
        ("12%", "12%", "{}", "1"),
    ]);
    assert_eq!(ask(numeric, "4", &["3", "4"], "{}"), "1");
    assert_eq!(ask(numeric, "4", &[], "{}"), "unscored");
}

#[test]
fn date_reads_dates_and_leaves_two_readings_open() {
    all(date, &[
        ("On 2024-05-03 at noon", "3 May 2024", "{}", "1"),
        ("May 3rd, 2024", "2024/5/3", "{}", "1"),
        ("the 3rd of Sept. 2024", "2024-09-03", "{}", "1"),
        ("3.5.2024", "2024-05-03", "{}", "1"),
        ("25/12/2024", "2024-12-25", "{}", "1"),
        ("3/5/2024", "2024-05-03", "{}", "unscored"),
        ("3/5/2024", "2024-06-03", "{}", "0"),
        ("3/5/2024", "2024-05-03", r#"{"order":"dmy"}"#, "1"),
        ("3/5/2024", "2024-05-03", r#"{"order":"mdy"}"#, "0"),
        ("2024-05-03T12:30:00Z", "2024-05-03", "{}", "1"),
        ("2024-05-05", "2024-05-03", r#"{"tolerance_days":2}"#, "1"),
        ("2023-02-29", "2023-03-01", "{}", "0"),
        ("2024-02-29", "29 February 2024", "{}", "1"),
        ("1.2.3.2024", "2024-03-02", "{}", "0"),
        ("no date", "2024-05-03", "{}", "0"),
        ("am 31. 12. 1999", "1999-12-31", "{}", "1"),
        ("2024-03-01", "1. 3. 2024", "{}", "1"),
        ("2024 May 3", "2024-05-03", "{}", "1"),
        ("3/May/2024", "2024-05-03", "{}", "1"),
        ("3 Ma\u{308}rz 2024", "2024-03-03", "{}", "1"),
        ("13/3/2024", "2024-03-13", r#"{"order":"mdy"}"#, "1"),
        ("3/13/2024", "2024-03-13", r#"{"order":"dmy"}"#, "1"),
        ("20240503", "2024-05-03", "{}", "1"),
        ("12/25/24", "2024-12-25", "{}", "unscored"),
        ("3.5.24", "2024-05-03", "{}", "unscored"),
        ("3.5.24", "2024-07-03", "{}", "0"),
        ("2024-05-03 by version 3.5.24", "2024-05-03", "{}", "1"),
        ("<think>2024-05-03</think> I do not know.", "2024-05-03", "{}", "0"),
        ("", "2024-05-03", "{}", "0"),
        ("2024-05-03", "soon", "{}", "unscored"),
        ("2024-05-03", "3/5/2024", "{}", "unscored"),
        ("2024-05-03 or 2024-05-04", "2024-05-04", "{}", "unscored"),
        ("2024-05-03 or May 3, 2024", "2024-05-03", "{}", "1"),
        ("not May 3, 2024", "2024-05-03", "{}", "0"),
        ("It isn't on 2024-05-03.", "2024-05-03", "{}", "0"),
        ("May 3, 2024, not May 4, 2024", "2024-05-03", "{}", "1"),
    ]);
}

#[test]
fn choice_finds_the_letter() {
    all(choice, &[
        ("B", "B", "{}", "1"),
        ("The answer is (B).", "B", "{}", "1"),
        ("The correct answer is **C**", "C", "{}", "1"),
        ("Answer: d", "D", "{}", "1"),
        ("ANSWER: A, C", "A,C", "{}", "1"),
        ("ANSWER: A", "A,C", "{}", "0"),
        ("I think the answer: B. No, the answer is A.", "A", "{}", "1"),
        ("The answer is a number", "A", "{}", "0"),
        ("\\boxed{\\text{E}}", "E", "{}", "1"),
        ("B) because it is warm", "B", "{}", "1"),
        ("So it must be option (D), not (A)... I choose (D)", "D", "{}", "1"),
        ("A cat sat", "A", "{}", "0"),
        ("It is C", "C", "{}", "1"),
        ("It is C", "C", r#"{"find":"marked"}"#, "0"),
        ("It is E", "E", r#"{"choices":4}"#, "unscored"),
        ("答案是 B", "B", "{}", "1"),
        ("答案是B", "B", "{}", "1"),
        ("Ｂ", "B", "{}", "1"),
        ("The answer is not B", "B", "{}", "0"),
        ("Answer: not B", "B", "{}", "0"),
        ("It is not C", "C", "{}", "0"),
        ("The answer cannot be C", "C", "{}", "0"),
        ("The answer isn't A; it's B.", "B", "{}", "1"),
        ("I choose neither A nor B but C", "C", "{}", "1"),
        ("Options: A, B, C, D", "D", "{}", "0"),
        ("The options are A, B, C and D. I go with C.", "C", "{}", "1"),
        ("The correct options are A and C.", "AC", "{}", "1"),
        ("(A) is wrong, (B) is right.", "A", "{}", "0"),
        ("(A) is wrong, (B) is right.", "B", "{}", "1"),
        ("Option A is incorrect. Option B is incorrect. Therefore, C.", "C", "{}", "1"),
        ("Answer: **B** and **D**", "B", "{}", "0"),
        ("Answer: **B** and **D**", "BD", "{}", "1"),
        ("The correct answers are A and C.", "C", "{}", "0"),
        ("The correct answers are A and C.", "AC", "{}", "1"),
        ("Both A and C are correct.", "AC", "{}", "1"),
        ("**A**, because B is wrong", "A", "{}", "1"),
        ("The answer is A or B.", "A", "{}", "unscored"),
        ("A) 3\nB) 4\nC) 5", "A", "{}", "unscored"),
        ("C\n\nA is wrong because of X.", "C", "{}", "1"),
        ("The answer is E = mc^2", "E", "{}", "0"),
        ("<think>I think it is A. Answer: A</think>\n\nI am not sure.", "A", "{}", "0"),
        ("", "A", "{}", "0"),
        ("A", "", "{}", "unscored"),
        ("A", "Paris", "{}", "unscored"),
        ("<answer>B</answer>", "B", "{}", "1"),
        ("{'answer': 'B'}", "B", "{}", "1"),
        ("The answer is 'B'.", "B", "{}", "1"),
        ("The answer is B (not A)", "B", "{}", "1"),
        ("The answer is A? No, B.", "A", "{}", "unscored"),
        ("Answer: A. Wait, actually B is correct.", "A", "{}", "unscored"),
        ("Answer: A\nThe choice (C) would violate the rule.", "A", "{}", "1"),
        ("The answer choices: (A) 3 (B) 4", "B", "{}", "0"),
        ("I don't think the answer is A.", "A", "{}", "0"),
        ("It is wrong to say the answer is A.", "A", "{}", "0"),
        ("I disagree that the answer is A.", "A", "{}", "0"),
        ("I'm not sure, but the answer is A.", "A", "{}", "1"),
        ("The answer is no longer A", "A", "{}", "0"),
        ("The answer is C++", "C", "{}", "0"),
        ("A.I. is great", "A", "{}", "0"),
        ("There is no doubt that the answer is B", "B", "{}", "1"),
        ("I doubt that the answer is B", "B", "{}", "0"),
        ("Among the choices: A, B, C, only C works", "C", "{}", "1"),
        ("The answer is B, C is close", "B", "{}", "1"),
        ("I would eliminate A and C, leaving B and D; B is better.", "B", "{}", "unscored"),
    ]);
    assert_eq!(ask(choice, "ANSWER: C and A", &["A", "C"], "{}"), "1");
}

#[test]
fn list_f1_compares_items() {
    all(list_f1, &[
        (r#"["a","B"]"#, "b, a", "{}", "1"),
        ("- Apples\n- pears.\n", "apples, pears", "{}", "1"),
        ("1. a\n2. c", "a; b", "{}", "0.5"),
        ("a, a, b", "a, b", "{}", "1"),
        ("a, a, b", "a, b", r#"{"multiset":true}"#, "0.8"),
        ("a|b", "a|b", r#"{"separators":["|"]}"#, "1"),
        ("red, green and blue", "red, green, blue", "{}", "1"),
        ("red, green, and blue", "red, green, blue", "{}", "1"),
        ("bread and butter, jam", "jam, bread and butter", "{}", "1"),
        ("jam, bread and butter", "jam, bread and butter", "{}", "1"),
        ("```json\n[\"red\", \"green\"]\n```", "red, green", "{}", "1"),
        ("a) red\nb) green\nc) blue", "red, green, blue", "{}", "1"),
        ("The colors are: red, green, blue", "red, green, blue", "{}", "1"),
        ("The colors are:\n- red\n- green and blue", "red, green, blue", "{}", "1"),
        ("a: 1, b: 2", "a: 1, b: 2", "{}", "1"),
        ("", "", "{}", "1"),
        ("", "a", "{}", "0"),
        ("['red', 'green']", "red, green", "{}", "1"),
        ("(red, green)", "red, green", "{}", "1"),
        ("The answer is red, green", "red, green", "{}", "1"),
        ("The list is [\"red\", \"green\"].", "red, green", "{}", "1"),
        ("<answer>red, green</answer>", "red, green", "{}", "1"),
        ("\\boxed{red, green}", "red, green", "{}", "1"),
        ("Here they are:\n\n- red\n- green\n\nHope this helps!", "red, green", "{}", "1"),
        ("<think>blue</think>red, green", "red, green", "{}", "1"),
        ("<think>red, green", "red, green", "{}", "0"),
        ("[red, green]", "green, red", "{}", "1"),
        ("First [blue], then [red, green]", "red, green", "{}", "1"),
    ]);
    assert_eq!(ask(list_f1, "x, y", &["y", "x"], "{}"), "1");
    assert_eq!(ask(list_f1, "x", &[], "{}"), "unscored");
}

#[test]
fn inspects_scorers_take_its_rules() {
    all(inspect::text_match, &[
        ("So it is Paris.", "paris", "{}", "1"),
        ("Paris it is", "paris", r#"{"location":"begin"}"#, "1"),
        ("so $1,000", "1000", r#"{"numeric":true}"#, "1"),
        ("25", "5", r#"{"numeric":true}"#, "0"),
        ("25", "5", "{}", "1"),
        ("60%", "60", r#"{"numeric":true}"#, "0"),
        ("2½ or so", "2.5", r#"{"numeric":true,"location":"any"}"#, "1"),
        ("x", ".", "{}", "unscored"),
    ]);
    all(inspect::marked, &[
        ("ANSWER: b", "B", r#"{"pattern":"letter"}"#, "1"),
        ("ANSWER: yes.", "Yes", r#"{"pattern":"word"}"#, "1"),
        ("Answer: 42 km\n", "42 km", "{}", "1"),
        ("Answer: 42 km\nmore", "42 km", "{}", "0"),
    ]);
    all(inspect::word_f1, &[
        ("the cat", "a cat", "{}", "1"),
        ("3.0", "(3)", r#"{"field":"exact"}"#, "1"),
        ("cat dog", "cat", "{}", "0.6666666666666666"),
        ("x", "the", "{}", "unscored"),
    ]);
}

#[test]
fn long_outputs_are_bounded() {
    for (scorer, part) in [
        (numeric as Scorer, "1,234 "), (numeric, "1"), (numeric, "1,"), (numeric, "1 "), (numeric, "\\frac{"), (numeric, "1 × "), (choice, "A, "), (choice, "not A "), (date, "1/1/"), (date, "May "), (choice, "answer is "), (choice, "A. "),
        (list_f1, "a,"), (inspect::marked, "ANSWER:"), (inspect::text_match, "9 "), (inspect::word_f1, "9-"),
    ] {
        let output = part.repeat(1_000_000 / part.len());
        let score = ask(scorer, &output, &["2024-05-03"], r#"{"take":"any"}"#);
        assert!(matches!(score.as_str(), "0" | "unscored"), "{part}: {score}");
    }
}
