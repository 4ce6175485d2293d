//! The SDK reads what a host writes, and writes what a host reads:
//! testdata/abi, which the host is tested with too.

use rubric_host_sdk::{parse, respond, Answer, Evidence, Object, Request, Result, Value};
use std::fs;
use std::path::Path;

fn lines(name: &str) -> Vec<Value<'static>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/abi").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.leak().lines().map(|l| parse(l).unwrap()).collect()
}

fn text<'v>(line: &'v Value, name: &str) -> &'v str {
    line.get(name).and_then(Value::as_str).unwrap_or_else(|| panic!("no {name} in {line:?}"))
}

#[test]
fn requests_are_read_or_refused_as_the_contract_says() {
    let all = lines("requests.jsonl");
    for line in &all {
        let (name, request) = (text(line, "name"), text(line, "request"));
        if text(line, "outcome") == "ok" {
            check(name, &Request::parse(request).unwrap_or_else(|e| panic!("{name}: {e}")), line);
            continue;
        }
        let answer = respond(request.as_bytes(), |_| panic!("the scorer was called"));
        let answer = parse(std::str::from_utf8(&answer).unwrap()).unwrap();
        assert!(!text(&answer, "error").is_empty(), "{name}");
    }
    assert!(all.len() >= 24);
}

fn check(name: &str, request: &Request, line: &Value) {
    if let Some(stats) = line.get("stats").and_then(Value::as_array) {
        assert_eq!(request.kind(), "corpus", "{name}");
        let want: Vec<f64> = stats.iter().filter_map(Value::as_f64).collect();
        assert_eq!(request.stats(), Ok(want), "{name}");
        return;
    }
    assert_eq!(request.output(), Ok(line.get("output").and_then(Value::as_str)), "{name}");
    let count = |key| line.get(key).and_then(Value::as_f64).unwrap() as usize;
    assert_eq!(request.references().unwrap().len(), count("references"), "{name}");
    assert_eq!(request.criterion().map_or(0, |c| c.levels.len()), count("levels"), "{name}");
}

/// Every kind of answer that an author can make is one of the good fixtures,
/// byte for byte.
#[test]
fn answers_are_written_as_the_contract_says() {
    let mut words = Object::new();
    words.int("words", 0);
    let mut figures = Object::new();
    figures.num("raw", 75.0).nums("parts", &[1.0, 2.0]);
    let made: [(&str, Answer); 6] = [
        ("a score", Answer::score(0.5)),
        ("a level", Answer::level("good")),
        ("no score, and why", Answer::unscored("the case has no references")),
        ("no score, with figures", Answer::unscored("the output has no words").details(words)),
        ("stats for a corpus", Answer::score(0.5).stats(vec![7.0, 7.0, 1.5])),
        (
            "everything optional",
            Answer::score(0.75)
                .reason("three of four")
                .evidence(Evidence { field: "output".into(), start: 4, end: 7, text: "cat".into() })
                .evidence(Evidence { text: "a remark".into(), ..Evidence::default() })
                .hit("a")
                .miss("b")
                .details(figures)
                .stats(vec![3.0, 4.0]),
        ),
    ];
    let fixtures = lines("answers.jsonl");
    for (name, answer) in made {
        let fixture = fixtures.iter().find(|l| text(l, "name") == name).unwrap();
        assert_eq!(text(fixture, "outcome"), "ok");
        assert_eq!(written(answer), text(fixture, "answer"), "{name}");
    }
}

/// What `respond` writes for an answer.
fn written(answer: Answer) -> String {
    thread_local!(static NEXT: std::cell::RefCell<Option<Answer>> = const { std::cell::RefCell::new(None) });
    fn next(_: &Request) -> Result<Answer> {
        NEXT.with(|n| n.borrow_mut().take()).ok_or_else(|| "no answer is set".into())
    }
    NEXT.with(|n| *n.borrow_mut() = Some(answer));
    String::from_utf8(respond(br#"{"contract":1}"#, next)).unwrap()
}
