//! What each check makes of rubrics that are not as they should be. The rows of
//! dataknobs itself are in host/conformance and cases.jsonl.

use crate::{coverage, independence, ordering, threshold, weights};
use rubric_host_sdk::{parse, respond, Answer, Request, Result};

fn ask(check: fn(&Request) -> Result<Answer>, target: &str) -> String {
    let request = format!(r#"{{"contract":1,"kind":"check","config":{{}},"case":{{"target":{target}}}}}"#);
    let answer = respond(request.as_bytes(), check);
    let answer = parse(std::str::from_utf8(&answer).unwrap()).unwrap();
    for outcome in ["level", "unscored", "error"] {
        if let Some(v) = answer.get(outcome) {
            let text = v.as_str().unwrap();
            return if outcome == "level" { text.into() } else { format!("{outcome}: {text}") };
        }
    }
    panic!("{answer:?}")
}

fn weighted(list: &[&str]) -> String {
    let criteria: Vec<String> = list.iter().map(|w| format!(r#"{{"weight":{w},"levels":[{{"score":0}},{{"score":1}}]}}"#)).collect();
    format!(r#"{{"criteria":[{}],"pass_threshold":0.5}}"#, criteria.join(","))
}

#[test]
fn the_tolerance_of_the_weights_is_exact_on_paper() {
    for (list, want) in [
        (&["0.51", "0.5"][..], "pass"),
        (&["0.49", "0.5"], "pass"),
        (&["0.5100001", "0.5"], "fail"),
        (&["0.4899999", "0.5"], "fail"),
        (&["0.33", "0.33", "0.34"], "pass"),
        (&["1.5", "-0.5"], "fail"),
        (&["0"], "fail"),
        (&["1", "-0.0"], "pass"),
    ] {
        assert_eq!(ask(weights, &weighted(list)), want, "{list:?}");
    }
}

#[test]
fn what_is_no_rubric_is_an_error() {
    for target in [r#"{"criteria":"oops"}"#, r#"{"criteria":[1]}"#, r#""text""#, "[]"] {
        for check in [coverage, independence, weights, threshold, ordering] {
            assert!(ask(check, target).starts_with("error: "), "{target}");
        }
    }
    for (check, target) in [
        (weights as fn(&Request) -> Result<Answer>, weighted(&["\"1\""])),
        (weights, weighted(&["1e999"])),
        (weights, weighted(&["1.5e308", "1.5e308"])),
        (threshold, weighted(&["true"])),
        (threshold, r#"{"criteria":[{"levels":[]}],"pass_threshold":0.5}"#.into()),
        (threshold, r#"{"criteria":[{"weight":1,"levels":[{"score":"1"}]}],"pass_threshold":0.5}"#.into()),
        (threshold, r#"{"criteria":[{"weight":1,"levels":{}}],"pass_threshold":0.5}"#.into()),
        (threshold, r#"{"pass_threshold":"0.5"}"#.into()),
        (threshold, r#"{"pass_threshold":1e999}"#.into()),
        (ordering, r#"{"criteria":[{"levels":[{"score":null}]}]}"#.into()),
        (ordering, r#"{"criteria":[{"levels":[{"id":"a"}]}]}"#.into()),
        (independence, r#"{"criteria":[{"name":1},{"name":1}]}"#.into()),
    ] {
        assert!(ask(check, &target).starts_with("error: "), "{target}");
    }
}

#[test]
fn what_a_rubric_does_not_have_is_not_checked() {
    assert_eq!(ask(threshold, r#"{"pass_threshold":null}"#), "unscored: the rubric has no pass threshold, or none that a weighted mean of its levels decides");
    let relative = r#"{"weights":"relative","criteria":[{"weight":3}]}"#;
    assert_eq!(ask(weights, relative), "unscored: the weights of this rubric are relative: they need no particular sum");
    assert_eq!(ask(weights, r#"{"weights":"relative","criteria":[]}"#), "fail");
    assert_eq!(ask(independence, r#"{"criteria":[{},{},{"name":"a"}]}"#), "pass");
}

#[test]
fn a_rubric_that_cannot_score_has_a_threshold_out_of_reach() {
    for target in [r#"{"criteria":[],"pass_threshold":0.5}"#, r#"{"criteria":[{"weight":0,"levels":[{"score":1}]}],"pass_threshold":0.5}"#] {
        assert_eq!(ask(threshold, target), "too_high");
    }
    assert_eq!(ask(threshold, "{}"), "too_low");
    assert_eq!(ask(threshold, &weighted(&["0.1"; 10]).replace("0.5}", "1}")), "pass");
    assert_eq!(ask(threshold, &weighted(&["-1"])), "pass");
}

#[test]
fn an_answer_stays_small() {
    let name = "é".repeat(5000);
    let one = format!(r#"{{"name":"{name}","weight":1,"levels":[{{"score":0}},{{"score":1}},{{"score":0}}]}}"#);
    let target = format!(r#"{{"criteria":[{}]}}"#, vec![one; 200].join(","));
    assert_eq!(ask(ordering, &target), "fail");
    assert_eq!(ask(independence, &target), "fail");
}
