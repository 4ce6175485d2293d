//! Every reference line of textstat 0.7.11 for US English.

use crate::{index::Text, readability, syllables::English, syllables::HYPHENATION};
use rubric_host_prose::{Language, Word};
use rubric_host_sdk::{parse, respond, Value};
use rubric_host_text::{lower, vectors::agree, vectors::call, vectors::json, vectors::Lines};
use std::borrow::Cow;

fn ask(request: &str) -> Value<'static> {
    parse(String::from_utf8(respond(request.as_bytes(), readability)).unwrap().leak()).unwrap()
}

#[test]
fn figures_are_those_of_textstat() {
    let (all, nltk) = (Lines::read("readability"), Lines::read("readability_nltk"));
    let mut run = 0;
    let mut bad = 0;
    for line in all.iter().chain(nltk.iter()) {
        if line.get("config").unwrap().get("lang").and_then(Value::as_str) != Some("en_US") {
            continue;
        }
        let answer = ask(&call(line));
        let id = line.get("id").unwrap();
        let details = answer.get("details").unwrap_or_else(|| panic!("{id:?}: {answer:?}"));
        if let Err(e) = agree(line.get("expected").unwrap(), details, 1e-9) {
            println!("{id:?}: {e}");
            bad += 1;
        }
        run += 1;
    }
    assert_eq!((run, bad), (178 + 60, 0));
}

/// The same numbers, in the same order, and no others. Each line has a choice of its own, the first one none.
#[test]
fn chosen_details_are_those_of_all() {
    let members = |answer: &Value<'static>| answer.get("details").map_or(vec![], |d| d.as_object().unwrap().to_vec());
    for (n, line) in Lines::read("readability").iter().enumerate() {
        let ask = |config: &str| {
            let output = json(line.get("candidate").unwrap());
            ask(&format!("{{\"contract\":1,\"case\":{{\"output\":{output}}},\"config\":{config}}}"))
        };
        let all = ask("{}");
        let mut want = members(&all);
        assert_eq!(want.len(), 33);
        let mut bits = (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        want.retain(|_| {
            bits = bits.rotate_left(1);
            bits & 1 == 1
        });
        let mut names: Vec<String> = want.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        let first = n % names.len().max(1);
        names.rotate_left(first); // their order does not matter
        let chosen = ask(&format!("{{\"details\":[{}]}}", names.join(",")));
        assert_eq!(members(&chosen), want, "{:?}", line.get("id"));
        assert_eq!(chosen.get("score"), all.get("score"));
    }
}

#[test]
fn the_schema_names_every_detail() {
    let manifest = include_str!("../plugin.yaml");
    let list =
        manifest.split_once("      details:").unwrap().1.split_once("enum: [").unwrap().1.split_once(']').unwrap().0;
    let all = ask(r#"{"contract":1,"case":{"output":"A text."}}"#);
    let names: Vec<&str> = all.get("details").unwrap().as_object().unwrap().iter().map(|(name, _)| &**name).collect();
    assert_eq!(list.split(',').map(str::trim).collect::<Vec<_>>(), names);
}

#[test]
fn words_and_sentences_are_those_of_textstat() {
    let lines = Lines::read("readability_tokens");
    for line in lines.iter() {
        let raw = line.get("candidate").unwrap().as_str().unwrap();
        let text = Text::new(raw);
        let words: Vec<Cow<str>> = text.words.iter().map(Word::spelling).collect();
        let strings = |name| -> Vec<&str> {
            line.get("expected")
                .unwrap()
                .get(name)
                .unwrap()
                .as_array()
                .unwrap()
                .iter()
                .map(|t| t.as_str().unwrap())
                .collect()
        };
        assert_eq!(words, strings("words"), "{:?}", line.get("id"));
        let counted = strings("sentences").into_iter().filter(|s| Text::new(s).words.len() > 2).count();
        let want = if raw.is_empty() { 0 } else { counted.max(1) };
        assert_eq!(text.sentences, want, "{:?}", line.get("id"));
    }
    assert_eq!(lines.len(), 137);
}

#[test]
fn syllables_and_hyphenation_are_those_of_textstat() {
    let (all, nltk) = (Lines::read("syllables"), Lines::read("syllables_nltk"));
    for line in all.iter().chain(nltk.iter()) {
        let word = line.get("candidate").unwrap().as_str().unwrap();
        let want = line.get("expected").unwrap();
        let text = Text::new(word);
        let id = line.get("id").unwrap();
        assert_eq!(json(want.get("syllables").unwrap()), text.syllables.to_string(), "{id:?} {word}");
        let mut points = Vec::new();
        HYPHENATION.each(&lower(word), |at| points.push(at.to_string()));
        let positions: Vec<String> =
            want.get("pyphen_positions").unwrap().as_array().unwrap().iter().map(json).collect();
        assert_eq!(points, positions, "{id:?} {word}");
        if want.get("in_cmudict").unwrap().as_bool() == Some(false)
            && text.words.len() == 1
            && text.words[0].spelling() == word
        {
            assert_eq!(English::look_up(&lower(word)).syllables, points.len() + 1, "{id:?} {word}");
        }
    }
    assert_eq!((all.len(), nltk.len()), (1146, 343));
}
