//! Every reference line for the language LINES of the plugin that includes this file.

use crate::{readability, LINES};
use rubric_host_sdk::{parse, respond, Value};
use rubric_host_text::{vectors::agree, vectors::call, vectors::Lines};

#[test]
fn figures_are_those_of_textstat() {
    let lines = Lines::read("readability_languages");
    let (mut run, mut bad) = (0, 0);
    for line in lines.iter() {
        if line.get("config").unwrap().get("lang").and_then(Value::as_str) != Some(LINES) {
            continue;
        }
        let answer = parse(String::from_utf8(respond(call(line).as_bytes(), readability)).unwrap().leak()).unwrap();
        let id = line.get("id").unwrap();
        let details = answer.get("details").unwrap_or_else(|| panic!("{id:?}: {answer:?}"));
        if let Err(e) = agree(line.get("expected").unwrap(), details, 1e-9) {
            println!("{id:?}: {e}");
            bad += 1;
        }
        run += 1;
    }
    assert_eq!((run, bad), (120, 0));
}
