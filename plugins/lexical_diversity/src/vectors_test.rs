//! Every reference line of LexicalRichness, as a whole call, and what is ours to decide.

use crate::*;
use rubric_host_sdk::{parse, respond};
use rubric_host_text::vectors::{agree, call, Lines};

type Scorer = fn(&Request) -> Result<Answer>;

fn ask(request: &str, scorer: Scorer) -> Value<'static> {
    parse(String::from_utf8(respond(request.as_bytes(), scorer)).unwrap().leak()).unwrap()
}

#[test]
fn figures_are_those_of_lexicalrichness() {
    let lines = Lines::read("lexical_diversity");
    for line in lines.iter() {
        let id = line.get("id").unwrap();
        let answer = ask(&call(line), lexical_diversity);
        let details = answer.get("details").unwrap_or_else(|| panic!("{id:?}: {answer:?}"));
        for (name, want) in line.get("expected").unwrap().as_object().unwrap() {
            let got = details.get(name).unwrap_or(&Value::Null);
            // Where the original raises an exception, there is no figure.
            let want = if want.get("error").is_some() { &Value::Null } else { want };
            agree(want, got, 1e-9).unwrap_or_else(|e| panic!("{id:?} {name}: {e}"));
        }
    }
    assert_eq!(lines.len(), 103);
}

#[test]
fn scores_are_the_measures_or_by_band() {
    let text = "the cat and the dog and the bird saw the other cat";
    for (export, config, want) in [
        (ttr as Scorer, "{}", Some(7.0 / 12.0)),
        (mattr, r#"{"window":4}"#, Some(8.0 / 9.0)),
        (msttr, r#"{"window":4}"#, Some((0.75 + 1.0) / 2.0)),
        (mattr, "{}", None),
        (hdd, "{}", None),
        (hdd, r#"{"draws":1}"#, Some(1.0)),
        (ttr, r#"{"band":[0.7,1],"width":1}"#, Some(1.0 - 0.7 + 7.0 / 12.0)),
    ] {
        let answer = ask(&format!(r#"{{"contract":1,"case":{{"output":"{text}"}},"config":{config}}}"#), export);
        match want {
            Some(want) => {
                let got = answer.get("score").and_then(Value::as_f64).unwrap_or_else(|| panic!("{answer:?}"));
                assert!((got - want).abs() < 1e-12, "{config}: {got}, want {want}");
            }
            None => assert!(answer.get("unscored").is_some(), "{answer:?}"),
        }
    }
}

#[test]
fn what_has_no_words_is_no_number() {
    for case in ["{}", r#"{"output":""}"#, r#"{"output":" 12-3 !"}"#] {
        let answer = ask(&format!(r#"{{"contract":1,"case":{case}}}"#), lexical_diversity);
        assert!(answer.get("unscored").is_some() && answer.get("score").is_none(), "{case}");
    }
    for config in ["{}", r#"{"band":[2,1]}"#, r#"{"band":[1,2],"width":0}"#, r#"{"band":[1,2],"threshold":1}"#] {
        let answer = ask(&format!(r#"{{"contract":1,"case":{{"output":"a b a"}},"config":{config}}}"#), mtld);
        assert!(answer.get("error").is_some(), "{config}");
    }
}
