//! Every reference line of sacrebleu, as a whole call.

use crate::{
    bleu, corpus,
    settings::Tokenizer,
    tokenize::{prepare, tokens},
};
use rubric_host_sdk::{parse, respond, Value};
use rubric_host_text::vectors::{agree, call, Lines};

type Scorer = fn(&rubric_host_sdk::Request) -> rubric_host_sdk::Result<rubric_host_sdk::Answer>;

fn check(file: &str, want: usize) {
    let lines = Lines::read(file);
    for line in lines.iter() {
        let answer = respond(call(line).as_bytes(), bleu);
        let answer = std::str::from_utf8(&answer).unwrap();
        let answer = parse(answer).unwrap();
        let id = line.get("id").unwrap();
        let details = answer.get("details").unwrap_or_else(|| panic!("{id:?}: {answer:?}"));
        agree(line.get("expected").unwrap(), details, 1e-9).unwrap_or_else(|e| panic!("{id:?}: {e}"));
        let raw = details.get("score").and_then(Value::as_f64).unwrap();
        assert_eq!(answer.get("score").and_then(Value::as_f64), Some((raw / 100.0).clamp(0.0, 1.0)));
        check_corpus_call(line, &answer);
    }
    assert_eq!(lines.len(), want);
}

/// The corpus call over the stats of one case gives the same figures.
fn check_corpus_call(line: &Value, answer: &Value) {
    let config = line.get("config").unwrap();
    if config.get("level").and_then(Value::as_str) == Some("sentence") {
        return;
    }
    let stats: Vec<String> =
        answer.get("stats").unwrap().as_array().unwrap().iter().map(|n| n.as_f64().unwrap().to_string()).collect();
    let request = format!(
        r#"{{"contract":1,"kind":"corpus","stats":[{}],"config":{}}}"#,
        stats.join(","),
        rubric_host_text::vectors::json(config)
    );
    let again = respond(request.as_bytes(), corpus);
    let again = parse(std::str::from_utf8(&again).unwrap()).unwrap();
    agree(line.get("expected").unwrap(), again.get("details").unwrap(), 1e-9).unwrap();
}

#[test]
fn sentences_score_as_in_sacrebleu() {
    check("bleu", 1012);
}

#[test]
fn gleu_is_that_of_nltk() {
    let lines = Lines::read("bleu_other");
    let mut run = 0;
    for line in lines.iter().filter(|l| l.get("metric").and_then(Value::as_str) == Some("google_bleu")) {
        let answer = respond(call(line).as_bytes(), crate::gleu::gleu);
        let answer = parse(std::str::from_utf8(&answer).unwrap()).unwrap();
        let want = line.get("expected").unwrap();
        agree(want, answer.get("details").unwrap(), 1e-9).unwrap_or_else(|e| panic!("{:?}: {e}", line.get("id")));
        let stats = rubric_host_text::vectors::json(answer.get("stats").unwrap());
        let sums = format!(r#"{{"contract":1,"kind":"corpus","stats":{stats}}}"#);
        let again = respond(sums.as_bytes(), crate::gleu::corpus);
        assert_eq!(parse(std::str::from_utf8(&again).unwrap()).unwrap(), answer);
        run += 1;
    }
    assert_eq!(run, 105);
}

/// Runs the lines of a metric; where the original raised, there is no score.
fn check_variant(metric: &str, scorer: Scorer, want: usize) {
    let lines = Lines::read("bleu_other");
    let mut run = 0;
    for line in lines.iter().filter(|l| l.get("metric").and_then(Value::as_str) == Some(metric)) {
        let answer = respond(call(line).as_bytes(), scorer);
        let answer = parse(std::str::from_utf8(&answer).unwrap()).unwrap();
        let (id, want) = (line.get("id"), line.get("expected").unwrap());
        if want.get("error").is_some() {
            assert!(answer.get("unscored").is_some(), "{id:?}: {answer:?}");
        } else {
            agree(want, answer.get("details").unwrap(), 1e-9).unwrap_or_else(|e| panic!("{id:?}: {e}"));
            assert!(answer.get("score").is_some());
        }
        run += 1;
    }
    assert_eq!(run, want);
}

#[test]
fn bleu_hf_is_that_of_evaluate() {
    check_variant("bleu_hf", crate::variants::hf, 210);
}

#[test]
fn bleu_nltk_is_that_of_nltk() {
    check_variant("bleu_nltk", crate::variants::nltk, 363);
}

fn variant(scorer: Scorer, request: &str) -> String {
    String::from_utf8(respond(request.as_bytes(), scorer)).unwrap()
}

#[test]
fn bleu_hf_of_sums_is_that_of_the_corpus() {
    let corpus = r#"{"contract":1,"case":{"output":["the cat sat on a mat","a dog barked at me"],"references":[["the cat sat on the mat"],["the dog barked at me twice"]]},"config":{"smooth":true}}"#;
    let whole = variant(crate::variants::hf, corpus);
    let stats = rubric_host_text::vectors::json(parse(&whole).unwrap().get("stats").unwrap());
    let request = format!(r#"{{"contract":1,"kind":"corpus","stats":{stats},"config":{{"smooth":true}}}}"#);
    assert_eq!(variant(crate::variants::hf_corpus, &request), whole);
}

const NIST: [f64; 3] = [3.3709935957649324, 1.4619035460750132, 2.2715516695651465];

#[test]
fn nist_is_that_of_nltk() {
    // Values of nltk 3.8's corpus_nist over split texts.
    let two = ["It is a guide to action that ensures that the military will forever heed Party commands",
        "It is the guiding principle which guarantees the military forces always being under the command of the Party"];
    let three = "It is the practical guide for the army always to heed the directions of the party";
    let one = "It is a guide to action which ensures that the military always obeys the commands of the party";
    let other = "It is to insure the troops forever hearing the activity guidebook that party direct";
    let case = |output: &str| format!(r#"{{"contract":1,"case":{{"output":"{output}","references":["{}","{}","{three}"]}},"config":{{"tokenizer":"whitespace"}}}}"#, two[0], two[1]);
    for (output, want) in [(one, NIST[0]), (other, NIST[1]), ("", 0.0), ("military", 0.0)] {
        let answer = variant(crate::nist::nist, &case(output));
        let got = parse(&answer).unwrap().get("details").unwrap().get("nist_mt").and_then(Value::as_f64).unwrap();
        assert!((got - want).abs() < 1e-9, "{output}: want {want}, got {got}");
    }
    let corpus = format!(r#"{{"contract":1,"case":{{"output":["{one}","{other}"],"references":[["{}","{three}"],["{}"]]}},"config":{{"tokenizer":"whitespace","n":4}}}}"#, two[0], two[1]);
    let answer = variant(crate::nist::nist, &corpus);
    let got = parse(&answer).unwrap().get("details").unwrap().get("nist_mt").and_then(Value::as_f64).unwrap();
    assert!((got - NIST[2]).abs() < 1e-9, "want {}, got {got}", NIST[2]);
    for (output, reference, want) in [("a", "a", "no n-gram in them carries information"), ("a", "", "the references have no tokens")] {
        let answer = variant(crate::nist::nist, &format!(r#"{{"contract":1,"case":{{"output":"{output}","references":["{reference}"]}}}}"#));
        assert!(answer.starts_with("{\"unscored\":") && answer.contains(want), "{answer}");
    }
}

#[test]
fn variants_refuse_options_they_do_not_have() {
    for (scorer, config, want) in [
        (crate::variants::nltk as Scorer, r#"{"smoothing":"method8"}"#, "use method0 to method7"),
        (crate::variants::nltk, r#"{"weights":[]}"#, "1 to 16 numbers"),
        (crate::variants::nltk, r#"{"weights":[2]}"#, "from 0 to 1"),
        (crate::variants::hf, r#"{"tokenizer":"intl"}"#, "use 13a or whitespace"),
        (crate::nist::nist, r#"{"n":0}"#, "whole number from 1 to 16"),
    ] {
        let answer = variant(scorer, &format!(r#"{{"contract":1,"case":{{"output":"a b","references":["a c"]}},"config":{config}}}"#));
        assert!(answer.starts_with("{\"error\":") && answer.contains(want), "{answer}");
    }
    let answer = variant(crate::variants::nltk, r#"{"contract":1,"case":{"output":"a b","references":["a b"]},"config":{"smoothing":"method6"}}"#);
    assert!(answer.contains("needs a matching trigram"), "{answer}");
}

#[test]
fn corpora_score_as_in_sacrebleu() {
    check("bleu_corpus", 126);
}

#[test]
fn openrubricrl_scores_come_out_of_the_defaults() {
    let lines = Lines::read("openrubricrl");
    let mut run = 0;
    for line in lines.iter().filter(|l| !l.get("references").unwrap().as_array().unwrap().is_empty()) {
        let answer = respond(call(line).as_bytes(), bleu);
        let answer = parse(std::str::from_utf8(&answer).unwrap()).unwrap();
        let want = line.get("expected").unwrap().get("bleu").and_then(Value::as_f64).unwrap();
        let got = answer.get("score").and_then(Value::as_f64).unwrap();
        assert!((want.min(1.0) - got).abs() < 1e-9, "{:?}: want {want}, got {got}", line.get("id"));
        run += 1;
    }
    assert_eq!(run, 161);
}

#[test]
fn tokens_are_sacrebleus() {
    let lines = Lines::read("tokenize");
    let mut run = 0;
    for line in lines.iter() {
        let tokenizer = match line.get("config").unwrap().get("tokenizer").unwrap().as_str().unwrap() {
            "13a" => Tokenizer::Thirteen,
            "intl" => Tokenizer::Intl,
            "char" => Tokenizer::Char,
            "zh" => Tokenizer::Zh,
            "none" => Tokenizer::None,
            _ => continue, // tercom is TER's
        };
        let text = prepare(line.get("candidate").unwrap().as_str().unwrap(), tokenizer);
        let got = tokens(&text, tokenizer);
        let want: Vec<&str> = line
            .get("expected")
            .unwrap()
            .get("tokens")
            .unwrap()
            .as_array()
            .unwrap()
            .iter()
            .map(|t| t.as_str().unwrap())
            .collect();
        assert_eq!(got, want, "{:?}", line.get("id"));
        run += 1;
    }
    assert_eq!(run, 602);
}

fn ask(request: &str) -> String {
    String::from_utf8(respond(request.as_bytes(), bleu)).unwrap()
}

#[test]
fn nothing_to_compare_with_is_no_number() {
    for (request, want) in [
        (r#"{"contract":1,"case":{"output":"a"}}"#, r#"{"unscored":"the case has no references"}"#),
        (r#"{"contract":1,"case":{"output":"a","references":[]}}"#, r#"{"unscored":"the case has no references"}"#),
        (r#"{"contract":1,"case":{"references":["a"]}}"#, r#"{"unscored":"the case has no output"}"#),
    ] {
        assert_eq!(ask(request), want);
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    for (config, want) in [
        (r#"{"tokenize":"ja-mecab"}"#, "needs a dictionary or model that this plugin does not carry"),
        (r#"{"tokenize":"14a"}"#, "use 13a, intl, char, zh or none"),
        (r#"{"smooth_method":"add1"}"#, "use exp, floor, add-k or none"),
        (r#"{"max_ngram_order":0}"#, "whole number from 1 to 16"),
        (r#"{"level":"corpus"}"#, "a run makes the corpus score by itself"),
        (r#"{"lowercase":"yes"}"#, "it must be true or false"),
    ] {
        let answer = ask(&format!(r#"{{"contract":1,"case":{{"output":"a","references":["a"]}},"config":{config}}}"#));
        assert!(answer.starts_with("{\"error\":") && answer.contains(want), "{answer}");
    }
}

#[test]
fn a_corpus_call_refuses_stats_that_are_no_sums() {
    for stats in ["[]", "[1,2,3]", "[1,1,1,1,1,1,1,1,1,1,1,1,0.5]", "[-1,1,1,1,1,1,1,1,1,1,1,1,1]"] {
        let request = format!(r#"{{"contract":1,"kind":"corpus","stats":{stats}}}"#);
        let answer = String::from_utf8(respond(request.as_bytes(), corpus)).unwrap();
        assert!(answer.starts_with("{\"error\":"), "{stats}: {answer}");
    }
}
