//! Every reference line, as a whole call; and what is not a number.

use crate::perplexity;
use rubric_host_sdk::{parse, respond, Value};
use rubric_host_text::vectors::{agree, call, json, Lines};

fn ask(request: &str) -> Value<'static> {
    parse(String::from_utf8(respond(request.as_bytes(), perplexity)).unwrap().leak()).unwrap()
}

#[test]
fn figures_are_those_of_the_definition() {
    let lines = Lines::read("perplexity");
    for line in lines.iter() {
        let answer = ask(&call(line));
        let details = answer.get("details").unwrap();
        agree(line.get("expected").unwrap(), details, 1e-6).unwrap_or_else(|e| panic!("{:?}: {e}", line.get("id")));
        let ppl = details.get("token_ppl").and_then(Value::as_f64).unwrap();
        assert!((answer.get("score").and_then(Value::as_f64).unwrap() - 1.0 / ppl).abs() < 1e-12);
    }
    assert_eq!(lines.len(), 90);
}

#[test]
fn shapes_of_logprobs() {
    for (logprobs, want) in [
        ("[-1,-3]", "0.1353352832366127"),
        ("[null,-1,-3]", "0.1353352832366127"),
        (r#"[{"token":"a","logprob":-1},{"token":"b","logprob":-3}]"#, "0.1353352832366127"),
        (r#"{"content":[{"token":"a","logprob":-1},{"token":"b","logprob":-3}]}"#, "0.1353352832366127"),
        (r#"{"tokens":["a","b"],"token_logprobs":[null,-2]}"#, "0.1353352832366127"),
        ("[0]", "1"),
        (r#"[-1,"-Infinity"]"#, "0"),
    ] {
        let answer = ask(&format!(r#"{{"contract":1,"case":{{"output":"a b","logprobs":{logprobs}}}}}"#));
        assert_eq!(json(answer.get("score").unwrap_or(&answer)), want, "{logprobs}");
    }
}

#[test]
fn what_gives_no_number() {
    for (case, want) in [
        (r#"{"output":"a"}"#, r#"{"unscored":"the case has no logprobs"}"#),
        (r#"{"logprobs":[]}"#, r#"{"unscored":"the case's logprobs have no numbers"}"#),
        (r#"{"logprobs":[null]}"#, r#"{"unscored":"the case's logprobs have no numbers"}"#),
        (
            r#"{"logprobs":[-1,0.5]}"#,
            r#"{"error":"invalid logprobs, number 2: use a number of 0 or below"}"#,
        ),
        (
            r#"{"logprobs":["x"]}"#,
            r#"{"error":"invalid logprobs, number 1: use a number of 0 or below"}"#,
        ),
        (r#"{"logprobs":3}"#, r#"{"error":"invalid logprobs, a number: use a list of numbers"}"#),
    ] {
        assert_eq!(json(&ask(&format!(r#"{{"contract":1,"case":{case}}}"#))), want);
    }
}

#[test]
fn without_an_output_there_is_no_figure_per_word_or_byte() {
    let answer = ask(r#"{"contract":1,"case":{"logprobs":[-1,null]}}"#);
    assert_eq!(
        json(&answer),
        r#"{"score":0.36787944117144233,"reason":"1 of 2 tokens have no log-probability and are left out","details":{"nll_sum_nats":1,"token_ppl":2.718281828459045,"word_ppl":null,"byte_ppl":null,"bits_per_byte":null,"mean_logprob":-1,"min_logprob":-1}}"#
    );
    let empty = ask(r#"{"contract":1,"case":{"output":"","logprobs":[-1]}}"#);
    assert_eq!(empty.get("details").unwrap().get("byte_ppl"), None);
}
