//! Every reference line of sacrebleu, as a whole call, and what is ours to decide.

use crate::*;
use rubric_host_sdk::{parse, respond, Value};
use rubric_host_text::vectors::{agree, call, json, Lines};

type Scorer = fn(&Request) -> Result<Answer>;

fn ask(request: &str, scorer: Scorer) -> Value<'static> {
    parse(String::from_utf8(respond(request.as_bytes(), scorer)).unwrap().leak()).unwrap()
}

#[test]
fn figures_are_those_of_sacrebleu() {
    let lines = Lines::read("ter");
    for line in lines.iter() {
        let (id, want) = (line.get("id").unwrap(), line.get("expected").unwrap());
        let answer = ask(&call(line), ter);
        let details = answer.get("details").unwrap_or_else(|| panic!("{id:?}: {answer:?}"));
        agree(want, details, 1e-9).unwrap_or_else(|e| panic!("{id:?}: {e}"));
        let rate = details.get("score").and_then(Value::as_f64).unwrap() / 100.0;
        let score = answer.get("score").and_then(Value::as_f64).unwrap();
        assert!((score - (1.0 - rate).max(0.0)).abs() < 1e-12, "{id:?}");
        let sums = format!(
            r#"{{"contract":1,"kind":"corpus","stats":{},"config":{}}}"#,
            json(answer.get("stats").unwrap()),
            json(line.get("config").unwrap())
        );
        assert_eq!(ask(&sums, corpus), answer, "{id:?}");
    }
    assert_eq!(lines.len(), 663);
}

#[test]
fn tokens_are_tercoms() {
    let lines = Lines::read("tokenize");
    let mut run = 0;
    for line in lines.iter() {
        let config = line.get("config").unwrap();
        if config.get("tokenizer").unwrap().as_str() != Some("tercom") {
            continue;
        }
        let flag = |name| config.get(name).and_then(Value::as_bool).unwrap_or(false);
        let tokenizer = Tokenizer {
            normalized: flag("normalized"),
            no_punct: flag("no_punct"),
            asian_support: flag("asian_support"),
            case_sensitive: flag("case_sensitive"),
        };
        let text = tokenizer.apply(line.get("candidate").unwrap().as_str().unwrap());
        let mut got = Vec::new();
        split(&text, &mut got);
        let want = line.get("expected").unwrap().get("tokens").unwrap().as_array().unwrap();
        let want: Vec<&str> = want.iter().map(|t| t.as_str().unwrap()).collect();
        assert_eq!(got, want, "{:?}", line.get("id"));
        run += 1;
    }
    assert_eq!(run, 525);
}

#[test]
fn what_cannot_be_compared_is_no_number() {
    let words = |n: usize, step: usize| -> String { (0..n).map(|i| format!("w{} ", i * step % 5003)).collect() };
    for (case, want) in [
        (r#"{"output":"a"}"#.to_string(), "the case has no references"),
        (r#"{"references":["a"]}"#.into(), "the case has no output"),
        (
            format!(r#"{{"output":"{}","references":["{}"]}}"#, words(200_000, 7), words(200_000, 11)),
            "take too long for TER",
        ),
    ] {
        let answer = ask(&format!(r#"{{"contract":1,"case":{case}}}"#), ter);
        assert!(answer.get("unscored").and_then(Value::as_str).unwrap().contains(want));
    }
    for stats in ["[]", "[1,2]", "[1,2.5,1,1,0.5]", "[1,-2,1,1,1]"] {
        let answer = ask(&format!(r#"{{"contract":1,"kind":"corpus","stats":{stats}}}"#), corpus);
        assert!(answer.get("error").is_some(), "{stats}");
    }
}
