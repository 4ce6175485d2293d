//! Every reference line of jiwer, as a whole call, and what is ours to decide.

use crate::*;
use rubric_host_sdk::{parse, respond, Value};
use rubric_host_text::vectors::{agree, call, json, Lines};

type Scorer = fn(&Request) -> Result<Answer>;

fn ask(request: &str, scorer: Scorer) -> Value<'static> {
    parse(String::from_utf8(respond(request.as_bytes(), scorer)).unwrap().leak()).unwrap()
}

#[test]
fn figures_are_those_of_jiwer() {
    let lines = Lines::read("wer");
    let mut run = [0, 0];
    for line in lines.iter() {
        let (id, want, request) = (line.get("id").unwrap(), line.get("expected").unwrap(), call(line));
        let chars = line.get("metric").and_then(Value::as_str) == Some("cer");
        run[usize::from(chars)] += 1;
        // The name of the raw figure, what scores it, the corpus call, and the score from the figure.
        type Row = (&'static str, Scorer, Scorer, fn(f64) -> f64);
        let rows: &[Row] = if chars {
            &[("cer", cer, corpus_cer, |x| 1.0 - x)]
        } else {
            &[
                ("wer", wer, corpus_wer, |x| 1.0 - x),
                ("mer", mer, corpus_mer, |x| 1.0 - x),
                ("wil", wil, corpus_wip, |x| 1.0 - x),
                ("wip", wip, corpus_wip, |x| x),
            ]
        };
        for (name, export, corpus, score) in rows {
            let answer = ask(&request, *export);
            let details = answer.get("details").unwrap_or_else(|| panic!("{id:?}: {answer:?}"));
            agree(want, details, 1e-9).unwrap_or_else(|e| panic!("{id:?}: {e}"));
            assert_eq!(want.as_object().unwrap().len(), details.as_object().unwrap().len(), "{id:?}");
            let want = score(want.get(name).and_then(Value::as_f64).unwrap()).max(0.0);
            let got = answer.get("score").and_then(Value::as_f64).unwrap();
            assert!((want - got).abs() < 1e-9, "{id:?} {name}: want {want}, got {got}");
            let sums = format!(r#"{{"contract":1,"kind":"corpus","stats":{}}}"#, json(answer.get("stats").unwrap()));
            assert_eq!(ask(&sums, *corpus), answer, "{id:?} {name}");
        }
    }
    assert_eq!(run, [418, 192]);
}

#[test]
fn the_best_reference_counts() {
    let request = r#"{"contract":1,"case":{"output":"a b c d","references":["x y","a b x d","a b c x"]}}"#;
    let answer = ask(request, wer);
    assert_eq!(answer.get("score").and_then(Value::as_f64), Some(0.75));
}

#[test]
fn texts_are_made_alike_first() {
    for (export, config, output, reference) in [
        (wer as Scorer, r#"{"lowercase":true}"#, "ΟΔΟΣ The", "οδος the"),
        (wer, r#"{"remove_punctuation":true}"#, "«a», b—c。", "a bc"),
        (wer, r#"{"transform":"wer_standardize"}"#, "I can't <unk> go [laugh] < x", "i can not go < x"),
        (cer, r#"{"remove_punctuation":true,"lowercase":true}"#, " A.b ", "ab"),
    ] {
        let request = format!(
            r#"{{"contract":1,"case":{{"output":"{output}","references":["{reference}"]}},"config":{config}}}"#
        );
        assert_eq!(ask(&request, export).get("score").and_then(Value::as_f64), Some(1.0), "{output}");
    }
}

#[test]
fn what_cannot_be_compared_is_no_number() {
    let long = |s: &str| s.repeat(400_000);
    for (case, want) in [
        (r#"{"output":"a"}"#.to_string(), "the case has no references"),
        (r#"{"references":["a"]}"#.into(), "the case has no output"),
        (format!(r#"{{"output":"{}","references":["{}"]}}"#, long("a b "), long("b c ")), "take too long to compare"),
    ] {
        let answer = ask(&format!(r#"{{"contract":1,"case":{case}}}"#), wer);
        assert!(answer.get("unscored").and_then(Value::as_str).unwrap().contains(want));
    }
    let answer = ask(r#"{"contract":1,"kind":"corpus","stats":[1,2,0.5,0]}"#, corpus_wer);
    assert!(answer.get("error").is_some());
}

#[test]
fn a_wrong_configuration_is_an_error() {
    for (config, want) in [
        (r#"{"transform":"cer_default"}"#, "use wer_default or wer_standardize"),
        (r#"{"transform":"x"}"#, "unknown transform"),
        (r#"{"level":"corpus"}"#, "level corpus needs a list"),
    ] {
        let request = format!(r#"{{"contract":1,"case":{{"output":"a","references":["b"]}},"config":{config}}}"#);
        let answer = ask(&request, wer);
        assert!(answer.get("error").and_then(Value::as_str).unwrap().contains(want), "{answer:?}");
    }
}
