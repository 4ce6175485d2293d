//! Every reference line of RapidFuzz and jellyfish, as a whole call, and what is
//! ours to decide.

use crate::*;
use rubric_host_sdk::{parse, respond, Value};
use rubric_host_text::vectors::{agree, call, Lines};

type Scorer = fn(&Request) -> Result<Answer>;

fn ask(request: &str, scorer: Scorer) -> Value<'static> {
    parse(String::from_utf8(respond(request.as_bytes(), scorer)).unwrap().leak()).unwrap()
}

#[test]
fn figures_are_those_of_rapidfuzz_and_jellyfish() {
    let lines = Lines::read("string_distance");
    for line in lines.iter() {
        let (id, want, request) = (line.get("id").unwrap(), line.get("expected").unwrap(), call(line));
        let answer = ask(&request, string_distance);
        let details = answer.get("details").unwrap_or_else(|| panic!("{id:?}: {answer:?}"));
        agree(want, details, 1e-9).unwrap_or_else(|e| panic!("{id:?}: {e}"));
        assert_eq!(want.as_object().unwrap().len(), details.as_object().unwrap().len(), "{id:?}");
        let exports: [(&str, &str, Scorer); 6] = [
            ("levenshtein", "distance", levenshtein),
            ("osa", "distance", osa),
            ("damerau_levenshtein", "distance", damerau_levenshtein),
            ("indel", "distance", indel),
            ("lcs", "length", lcs),
            ("hamming_padded", "distance", hamming),
        ];
        for (name, raw, export) in exports {
            let got = ask(&request, export);
            agree(want.get(name).unwrap(), got.get("details").unwrap().get(raw).unwrap(), 0.0)
                .unwrap_or_else(|e| panic!("{id:?} {name}: {e}"));
        }
        let exports: [(&str, f64, Scorer); 8] = [
            ("levenshtein_norm_sim", 1.0, levenshtein),
            ("indel_norm_sim", 1.0, indel),
            ("jaro", 1.0, jaro),
            ("jaro_winkler", 1.0, jaro_winkler),
            ("ratio_0_100", 100.0, ratio),
            ("partial_ratio", 100.0, partial_ratio),
            ("token_sort_ratio", 100.0, token_sort_ratio),
            ("token_set_ratio", 100.0, token_set_ratio),
        ];
        for (name, unit, export) in exports {
            let got = ask(&request, export).get("score").and_then(Value::as_f64).unwrap();
            let want = want.get(name).and_then(Value::as_f64).unwrap() / unit;
            assert!((got - want).abs() <= 1e-9, "{id:?} {name}: want {want}, got {got}");
        }
    }
    assert_eq!(lines.len(), 207);
}

fn raw(export: Scorer, output: &str, reference: &str, config: &str) -> Option<f64> {
    let quote = |s: &str| rubric_host_text::vectors::json(&Value::String(s.to_string().into()));
    let request = format!(
        r#"{{"contract":1,"case":{{"output":{},"references":[{}]}},"config":{config}}}"#,
        quote(output),
        quote(reference)
    );
    ask(&request, export).get("details")?.get("distance")?.as_f64()
}

#[test]
fn units_are_what_they_are_called() {
    for (unit, want) in [("codepoint", 3.0), ("grapheme", 2.0), ("byte", 6.0), ("token", 1.0)] {
        let config = format!(r#"{{"unit":"{unit}"}}"#);
        assert_eq!(raw(levenshtein, "ab e\u{301}漢", "ab x", &config), Some(want), "{unit}");
    }
    assert_eq!(raw(levenshtein, "ΣΑΣ", "σας", r#"{"lowercase":true}"#), Some(0.0));
}

#[test]
fn no_break_spaces_separate_words_where_rapidfuzz_has_them_do() {
    for (text, sorted, want) in [("b\u{a0}a", "a b", 1.0 / 3.0), ("b\u{a0}aж", "aж b", 1.0), ("b\u{1c}a", "a b", 1.0)]
    {
        let request = format!(
            r#"{{"contract":1,"case":{{"output":"{}","references":["{sorted}"]}}}}"#,
            text.replace('\u{1c}', "\\u001c")
        );
        let got = ask(&request, token_sort_ratio).get("score").and_then(Value::as_f64).unwrap();
        assert!((got - want).abs() < 1e-12, "{text:?}: {got}");
    }
}

#[test]
fn the_best_reference_counts() {
    let request = r#"{"contract":1,"case":{"output":"abcd","references":["xxxx","abxd","abcx"]}}"#;
    let answer = ask(request, levenshtein);
    assert_eq!(answer.get("score").and_then(Value::as_f64), Some(0.75));
}

#[test]
fn nothing_to_compare_with_is_no_number() {
    for case in [r#"{"output":"a"}"#, r#"{"output":"a","references":[]}"#, r#"{"references":["a"]}"#] {
        let answer = ask(&format!(r#"{{"contract":1,"case":{case}}}"#), levenshtein);
        assert!(answer.get("unscored").is_some() && answer.get("score").is_none(), "{case}");
    }
}

#[test]
fn texts_that_take_too_long_are_unscored() {
    let (a, b) = ("ab".repeat(250_000), "bca".repeat(200_000));
    let request = format!(r#"{{"contract":1,"case":{{"output":"{a}","references":["{b}"]}}}}"#);
    for export in [levenshtein, osa, damerau_levenshtein, indel, lcs, ratio, partial_ratio, string_distance] {
        let answer = ask(&request, export);
        let reason = answer.get("unscored").and_then(Value::as_str).unwrap();
        assert_eq!(reason, "texts of 500000 and 600000 items take too long to compare");
    }
    for export in [hamming, jaro, jaro_winkler] {
        assert!(ask(&request, export).get("score").is_some());
    }
}

#[test]
fn a_wrong_configuration_is_an_error() {
    for (config, want) in [
        (r#"{"unit":"word"}"#, "use codepoint, grapheme, byte or token"),
        (r#"{"prefix_weight":0.3}"#, "use 0 to 0.25"),
    ] {
        let request = format!(r#"{{"contract":1,"case":{{"output":"a","references":["b"]}},"config":{config}}}"#);
        let answer = ask(&request, jaro_winkler);
        assert!(answer.get("error").and_then(Value::as_str).unwrap().contains(want), "{answer:?}");
    }
}
