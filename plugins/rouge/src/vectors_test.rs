//! Every reference line of rouge_score, as a whole call.

use crate::{rouge, rouge1, rouge2, rougeL, rougeLsum, settings::Settings, tokens::Tokens};
use rubric_host_sdk::{parse, respond, Answer, Request, Result, Value};
use rubric_host_text::vectors::{agree, call, json, Lines};

type Scorer = fn(&Request) -> Result<Answer>;

fn ask(request: &str, scorer: Scorer) -> Value<'static> {
    parse(String::from_utf8(respond(request.as_bytes(), scorer)).unwrap().leak()).unwrap()
}

/// How many lines of ROUGE-1.5.5 there are.
const ROUGE_155: usize = 516;

#[test]
fn figures_are_those_of_rouge_score() {
    let lines = Lines::read("rouge");
    for line in lines.iter() {
        let answer = ask(&call(line), rouge);
        let id = line.get("id").unwrap();
        let details = answer.get("details").unwrap_or_else(|| panic!("{id:?}: {answer:?}"));
        let want = line.get("expected").unwrap();
        agree(want, details, 1e-9).unwrap_or_else(|e| panic!("{id:?}: {e}"));
        assert_eq!(want.as_object().unwrap().len(), details.as_object().unwrap().len(), "{id:?}");
        let exports: [(&str, Scorer); 4] =
            [("rouge1", rouge1), ("rouge2", rouge2), ("rougeL", rougeL), ("rougeLsum", rougeLsum)];
        for (name, export) in exports {
            let Some(want) = want.get(name) else { continue };
            let answer = ask(&call(line), export);
            agree(want.get("fmeasure").unwrap(), answer.get("score").unwrap(), 1e-9)
                .unwrap_or_else(|e| panic!("{id:?} {name}: {e}"));
        }
    }
    assert_eq!(lines.len(), 585);
}

#[test]
fn tokens_are_those_of_rouge_score() {
    let lines = Lines::read("rouge_tokenize");
    for line in lines.iter() {
        let stem = line.get("config").unwrap().get("use_stemmer").unwrap().as_bool().unwrap();
        let tokens = Tokens::new(line.get("candidate").unwrap().as_str().unwrap(), &settings(stem));
        let want: Vec<&[u8]> = line
            .get("expected")
            .unwrap()
            .get("tokens")
            .unwrap()
            .as_array()
            .unwrap()
            .iter()
            .map(|t| t.as_str().unwrap().as_bytes())
            .collect();
        assert_eq!(tokens.list(), want, "{:?}", line.get("id"));
    }
    assert_eq!(lines.len(), 496);
}

#[test]
fn tokens_of_every_script() {
    let texts = [
        ("words", "Élan, can't 3.14 STOP!\nNext", "élan can't 3.14 stop next", 2),
        ("words", "火车9点到。她走了！", "火 车 9 点 到 她 走 了", 2),
        ("words", "हिन्दी में लिखा, العربية שָׁלוֹם", "हिन्दी में लिखा العربية שָׁלוֹם", 1),
        ("words", "👍🏽 — … ", "", 0),
        ("whitespace", "Élan,  can't\u{3000}stop. Now", "Élan, can't stop. Now", 2),
        ("whitespace", "", "", 0),
    ];
    for (tokenizer, text, want, lines) in texts {
        let config = format!(r#"{{"contract":1,"config":{{"tokenizer":"{tokenizer}","splitter":"marks"}}}}"#);
        let settings = Settings::read(&rubric_host_sdk::Request::parse(&config).unwrap(), None).unwrap();
        let tokens = Tokens::new(text, &settings);
        let got: Vec<&str> = tokens.list().into_iter().map(|t| std::str::from_utf8(t).unwrap()).collect();
        assert_eq!((got.join(" ").as_str(), tokens.lines().count()), (want, lines));
    }
}

fn settings(stem: bool) -> Settings {
    let request = format!(r#"{{"contract":1,"config":{{"use_stemmer":{stem}}}}}"#);
    Settings::read(&rubric_host_sdk::Request::parse(&request).unwrap(), None).unwrap()
}

#[test]
fn rouge_w_s_and_su_are_those_of_rouge_155() {
    let lines = Lines::read("rouge_155");
    for line in lines.iter() {
        let answer = ask(&call(line), rouge);
        agree(line.get("expected").unwrap(), answer.get("details").unwrap(), 1e-9)
            .unwrap_or_else(|e| panic!("{:?}: {e}", line.get("id")));
    }
    assert_eq!(lines.len(), ROUGE_155);
}

#[test]
fn sentences_end_at_marks_when_asked() {
    let one = "The cat sat. \"It ran!\" Was it 3.5 m? yes";
    let lines = |config: &str, text: &str| {
        let text = json(&Value::String(text.into()));
        let request = format!(r#"{{"contract":1,"case":{{"output":{text},"references":[{text}]}},"config":{config}}}"#);
        ask(&request, crate::rougeW).get("score").and_then(Value::as_f64).unwrap()
    };
    let split = "The cat sat.\n\"It ran!\"\nWas it 3.5 m?\nyes";
    assert_eq!(lines(r#"{"splitter":"marks"}"#, one), lines("{}", split));
    assert_ne!(lines("{}", one), lines("{}", split));
}

#[test]
fn texts_too_long_for_w_and_s_are_unscored() {
    let long = "a b c ".repeat(1000);
    let request = |config: &str| format!(r#"{{"contract":1,"case":{{"output":"{long}","references":["{long}"]}},"config":{config}}}"#);
    assert!(ask(&request("{}"), crate::rougeW).get("unscored").is_some());
    assert!(ask(&request(r#"{"skip_gap":100000}"#), crate::rougeS).get("unscored").is_some());
    assert_eq!(ask(&request("{}"), crate::rougeSU).get("score").and_then(Value::as_f64), Some(1.0));
}

#[test]
fn openrubricrl_scores_come_out_with_the_stemmer_on() {
    let lines = Lines::read("openrubricrl");
    let mut run = 0;
    for line in lines.iter().filter(|l| !l.get("references").unwrap().as_array().unwrap().is_empty()) {
        for kind in ["rouge1", "rougeL"] {
            let Some(want) = line.get("expected").unwrap().get(kind) else { continue };
            let request = format!(
                r#"{{"contract":1,"case":{{"output":{},"references":{}}},"config":{{"rouge_type":"{kind}","use_stemmer":true}}}}"#,
                json(line.get("candidate").unwrap()),
                json(line.get("references").unwrap())
            );
            agree(want, ask(&request, rouge).get("score").unwrap(), 1e-9)
                .unwrap_or_else(|e| panic!("{:?} {kind}: {e}", line.get("id")));
            run += 1;
        }
    }
    assert_eq!(run, 322);
}

fn with(config: &str) -> String {
    format!(
        r#"{{"contract":1,"case":{{"output":"the cat sat","references":["the cat sat on the mat"]}},"config":{config}}}"#
    )
}

#[test]
fn the_score_is_the_figure_that_is_asked_for() {
    for (config, want) in [
        ("{}", 2.0 / 3.0),
        (r#"{"variant":"rouge2"}"#, 2.0 * 0.4 / 1.4),
        (r#"{"rouge_type":"rouge1","field":"precision"}"#, 1.0),
        (r#"{"rouge_types":["rouge2","rouge1"],"field":"recall"}"#, 0.4),
        (r#"{"rouge_types":["rouge2"],"variant":"rouge1","field":"recall"}"#, 0.5),
    ] {
        let got = ask(&with(config), rouge).get("score").and_then(Value::as_f64).unwrap();
        assert!((got - want).abs() < 1e-12, "{config}: {got}");
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    for (config, want) in [
        (r#"{"variant":"rouge0"}"#, "use rouge1 to rouge9"),
        (r#"{"rouge_types":[]}"#, "empty"),
        (r#"{"field":"f1"}"#, "use fmeasure"),
        (r#"{"split_summaries":true}"#, "use splitter marks"),
        (r#"{"multi_ref":"mean"}"#, "best_f_per_type"),
        (r#"{"splitter":"punkt"}"#, "use newline or marks"),
        (r#"{"tokenizer":"intl"}"#, "use rouge_score, whitespace or words"),
        (r#"{"tokenizer":"words","use_stemmer":true}"#, "leave one"),
        (r#"{"weight":0.5}"#, "use 1 to 10"),
        (r#"{"skip_gap":-1}"#, "whole number from 0"),
        (r#"{"variant":"rouge1","rouge_type":"rouge2"}"#, "name one"),
    ] {
        let answer = ask(&with(config), rouge);
        let error = answer.get("error").and_then(Value::as_str).unwrap_or_else(|| panic!("{config}: {answer:?}"));
        assert!(error.contains(want), "{error}");
    }
}

#[test]
fn nothing_to_compare_with_is_no_number() {
    for case in [r#"{"output":"a"}"#, r#"{"output":"a","references":[]}"#, r#"{"references":["a"]}"#] {
        let answer = ask(&format!(r#"{{"contract":1,"case":{case}}}"#), rouge);
        assert!(answer.get("unscored").is_some() && answer.get("score").is_none(), "{case}");
    }
}

#[test]
fn long_texts_end() {
    let ask = |count: usize, scorer: Scorer| {
        let text = "the quick brown fox jumps over the lazy dog ".repeat(count);
        let request = format!(r#"{{"contract":1,"case":{{"output":"{text}","references":["{}z"]}},"config":{{}}}}"#, &text[..text.len() - 20]);
        ask(&request, scorer)
    };
    for (count, scorer, want) in [
        (23_000, rougeL as Scorer, "the texts are too long for rougeL"),
        (23_000, rougeLsum, "the texts are too long for rougeLsum"),
        (5_000, rougeLsum, "the texts are too long for rougeLsum"),
        (23_000, rouge, "the texts are too long for rougeL"),
    ] {
        let answer = ask(count, scorer);
        assert_eq!(answer.get("unscored").and_then(Value::as_str), Some(want), "{count}: {answer:?}");
    }
    for scorer in [rougeL as Scorer, rougeLsum] {
        let score = ask(1_000, scorer).get("score").and_then(Value::as_f64).unwrap();
        assert!((0.999..1.0).contains(&score), "{score}");
    }
}
