//! Every reference line of NLTK that needs no WordNet, as a whole call.

use crate::meteor;
use rubric_host_sdk::{parse, respond, Value};
use rubric_host_text::vectors::{agree, call, Lines};

#[test]
fn scores_and_alignments_are_nltks() {
    let lines = Lines::read("meteor");
    let mut run = 0;
    for line in lines.iter() {
        if line.get("config").unwrap().get("synonyms").and_then(Value::as_str) != Some("none") {
            continue;
        }
        let answer = respond(call(line).as_bytes(), meteor);
        let answer = parse(std::str::from_utf8(&answer).unwrap()).unwrap();
        let id = line.get("id").unwrap();
        let details = answer.get("details").unwrap_or_else(|| panic!("{id:?}: {answer:?}"));
        // The values of a newer tokenizer stand beside those of 3.8 where they differ.
        for name in ["score", "per_reference"] {
            let want = line.get("expected").unwrap().get(name).unwrap();
            agree(want, details.get(name).unwrap(), 1e-9).unwrap_or_else(|e| panic!("{id:?}: {e}"));
        }
        run += 1;
    }
    assert_eq!(run, 346);
}

fn ask(request: &str) -> String {
    String::from_utf8(respond(request.as_bytes(), meteor)).unwrap()
}

#[test]
fn nothing_to_compare_with_is_no_number() {
    for (request, want) in [
        (r#"{"contract":1,"case":{"output":"a"}}"#, r#"{"unscored":"the case has no references"}"#),
        (r#"{"contract":1,"case":{"references":["a"]}}"#, r#"{"unscored":"the case has no output"}"#),
    ] {
        assert_eq!(ask(request), want);
    }
}

#[test]
fn options_out_of_range_are_errors() {
    for (config, want) in [
        (r#"{"alpha":1.5}"#, "alpha out of range: use 0 to 1"),
        (r#"{"gamma":-1}"#, "gamma out of range"),
        (r#"{"tokenizer":"13a"}"#, "use nltk_word or whitespace"),
        (r#"{"synonyms":"wordnet-3.0"}"#, "needs the data file wordnet-3.0, which is not installed"),
    ] {
        let answer = ask(&format!(r#"{{"contract":1,"case":{{"output":"a","references":["a"]}},"config":{config}}}"#));
        assert!(answer.starts_with("{\"error\":") && answer.contains(want), "{answer}");
    }
}

#[test]
fn long_texts_leave_out_their_alignment() {
    let text = "a b ".repeat(2000);
    let answer = ask(&format!(r#"{{"contract":1,"case":{{"output":"{text}","references":["{text}"]}}}}"#));
    assert!(
        answer.starts_with("{\"score\":") && !answer.contains("alignment\":") && answer.len() < 1000,
        "{answer:.300}"
    );
    let references = vec!["\"a\""; 150].join(",");
    let answer = ask(&format!(r#"{{"contract":1,"case":{{"output":"a","references":[{references}]}}}}"#));
    assert!(answer.starts_with("{\"score\":0.5") && answer.contains("leave out"), "{answer:.300}");
}
