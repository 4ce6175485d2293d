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
    let lines = Lines::read("chrf");
    for line in lines.iter() {
        let (id, want) = (line.get("id").unwrap(), line.get("expected").unwrap());
        let answer = ask(&call(line), chrf);
        let details = answer.get("details").unwrap_or_else(|| panic!("{id:?}: {answer:?}"));
        agree(want, details, 1e-9).unwrap_or_else(|e| panic!("{id:?}: {e}"));
        let raw = details.get("score").and_then(Value::as_f64).unwrap();
        assert_eq!(answer.get("score").and_then(Value::as_f64), Some((raw / 100.0).clamp(0.0, 1.0)));
        let sums = format!(
            r#"{{"contract":1,"kind":"corpus","stats":{},"config":{}}}"#,
            json(answer.get("stats").unwrap()),
            json(line.get("config").unwrap())
        );
        assert_eq!(ask(&sums, corpus), answer, "{id:?}");
    }
    assert_eq!(lines.len(), 743);
}

/// N-grams counted one by one.
fn naive(a: &[char], b: &[char], n: usize) -> Counts {
    let mut left: Vec<&[char]> = b.windows(n).collect();
    let mut matches = 0;
    for gram in a.windows(n) {
        if let Some(at) = left.iter().position(|g| *g == gram) {
            left.swap_remove(at);
            matches += 1;
        }
    }
    let b = b.windows(n).count() as u64;
    [if b > 0 { a.windows(n).count() as u64 } else { 0 }, b, matches]
}

#[test]
fn sorted_keys_count_what_windows_count() {
    let mut seed = 3u64;
    let mut draw = |n: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % n
    };
    for round in 0..600 {
        let kinds = 1 + draw(6);
        // From a small alphabet to one whose keys have more than 64 bits.
        let base = if round % 3 == 0 { 0x4e00 } else { 0x61 };
        let spread = if round % 2 == 0 { 1 } else { 37 };
        let mut text = || -> Vec<char> {
            (0..draw(30)).map(|_| char::from_u32(base + draw(kinds) as u32 * spread).unwrap()).collect()
        };
        let (a, b) = (text(), text());
        let mut alphabet = Alphabet::default();
        let many: String = (0..(round % 5) * 500).filter_map(|i| char::from_u32(0x3000 + i)).collect();
        let mut number = |text: &[char]| alphabet.number(&text.iter().collect::<String>(), true);
        let mut texts = [number(&many.chars().collect::<Vec<char>>()), number(&a), number(&b)];
        let order = 1 + (round % 7) as usize;
        let want: Vec<Counts> = (1..=order).map(|n| naive(&a, &b, n)).collect();
        let found = Overlap::new(&texts[1], &texts[2], alphabet.kinds(), order);
        assert_eq!(grams::counts(a.len(), b.len(), found.matches()), want, "{a:?} {b:?}");
        let bits = alphabet.compact(&mut texts);
        let grams = |text| Grams::new(text, order, bits).unwrap();
        let got = grams(&texts[1]).counts(&grams(&texts[2]));
        assert_eq!(got, want, "{a:?} {b:?}");
    }
}

#[test]
fn what_cannot_be_compared_is_no_number() {
    for (case, want) in [
        (r#"{"output":"a"}"#.to_string(), "the case has no references"),
        (r#"{"references":["a"]}"#.into(), "the case has no output"),
        (
            format!(r#"{{"output":"{}","references":["{}"]}}"#, "ab".repeat(1_000_000), "a".repeat(1000)),
            "too long for chrF",
        ),
    ] {
        let answer = ask(&format!(r#"{{"contract":1,"case":{case}}}"#), chrf);
        assert!(answer.get("unscored").and_then(Value::as_str).unwrap().contains(want));
    }
    let answer = ask(r#"{"contract":1,"kind":"corpus","stats":[1,2,3]}"#, corpus);
    assert!(answer.get("error").is_some());
}

#[test]
fn a_megabyte_is_scored() {
    let text = "The gate was open all night. ".repeat(36_000);
    let request = format!(r#"{{"contract":1,"case":{{"output":"{text}","references":["{text}x"]}}}}"#);
    assert!(ask(&request, chrf).get("score").and_then(Value::as_f64).unwrap() > 0.999);
}

#[test]
fn a_wrong_configuration_is_an_error() {
    for (config, want) in [
        (r#"{"beta":-1}"#, "use 0 to 1000"),
        (r#"{"char_order":0}"#, "set one of them"),
        (r#"{"level":"corpus"}"#, "level corpus needs a list"),
    ] {
        let request = format!(r#"{{"contract":1,"case":{{"output":"a","references":["b"]}},"config":{config}}}"#);
        let answer = ask(&request, chrf);
        assert!(answer.get("error").and_then(Value::as_str).unwrap().contains(want), "{answer:?}");
    }
}
