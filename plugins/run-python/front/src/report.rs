//! Writes the answer, to the letter as the judge in Python.

use crate::ask::{Failure, Found};
use crate::case::Case;
use std::fmt::Write;

pub fn write(case: &Case, found: &Found) -> Vec<u8> {
    let failed = found.wrong + found.exceptions + found.fuel_ends;
    let passed = found.tests - failed;
    let mut out = String::with_capacity(1 << 10);
    let _ = write!(
        out,
        "{{\"score\":{},\"details\":{{\"tests\":{},\"passed\":{passed},\"wrong_answer\":{},\"exception\":{},\"fuel\":{},\"memory\":0,\"output\":0,\"exit\":0,\"fuel_used\":{},\"isolation\":\"isolated\"",
        u8::from(failed == 0), found.tests, found.wrong, found.exceptions, found.fuel_ends, found.fuel
    );
    let (mut reason, mut line) = (format!("{passed} of {} tests passed", found.tests), 0);
    if let Some(f) = &found.failure {
        (reason, line) = explained(f, case, found, failed);
        let known = [("test", Some(f.test.as_str())), ("class", Some(f.class)), ("message", Some(f.why.as_str())), ("input", f.input.as_deref()), ("expected", f.expected.as_deref()), ("actual", f.actual.as_deref())];
        out += ",\"failure\":{";
        for (name, text) in known.iter().filter_map(|(name, text)| Some((name, (*text)?))) {
            if *name != "test" {
                out.push(',');
            }
            let _ = write!(out, "\"{name}\":");
            quote(&mut out, text);
        }
        if line > 0 {
            let _ = write!(out, ",\"line\":{line}");
        }
        out.push('}');
    }
    let (text, first, what) = case.part(found.used);
    let last = first + text.trim_end_matches('\n').matches('\n').count();
    let of = if what.contains("output") { "" } else { " of the output" };
    let _ = write!(out, "}},\"evidence\":[{{\"text\":\"candidate: {what}, lines {first}-{last}{of}\"}}");
    if line > 0 {
        quoted(&mut out, case.output, line);
    }
    out += "],\"reason\":";
    quote(&mut out, &reason);
    out.push('}');
    out.into_bytes()
}

/// One sentence on the first test that failed, and its line in the output.
fn explained(f: &Failure, case: &Case, found: &Found, failed: usize) -> (String, usize) {
    let mut line = 0;
    let n = f.line - (found.before + case.above()) as i64;
    if f.line > 0 && n > 0 {
        line = n as usize + case.part(found.used).1 - 1;
        if line > case.output.matches('\n').count() + 1 {
            line = 0;
        }
    }
    let word = match f.class {
        "wrong_answer" => "wrong answer",
        "fuel" => "time limit",
        other => other,
    };
    let mut text = format!("{failed} of {} tests failed; {}: {word}: {}", found.tests, f.test, f.why);
    if let (Some(expected), Some(actual)) = (&f.expected, &f.actual) {
        if !f.why.contains("expected") {
            let _ = write!(text, "; got {actual}, expected {expected}");
        }
    }
    if let Some(input) = &f.input {
        let _ = write!(text, "; input: {input}");
    }
    if line > 0 {
        let _ = write!(text, " (line {line} of the output)");
    }
    (text.chars().take(3_000).collect(), line)
}

/// Writes a line of the output as evidence.
fn quoted(out: &mut String, output: &str, line: usize) {
    const MOST: usize = 10_000; // code points
    let text = output.split('\n').nth(line - 1).unwrap_or("");
    let len = text.chars().count();
    if len == 0 || len >= MOST {
        let _ = write!(out, ",{{\"text\": \"line {line} of the output\"}}");
        return;
    }
    let start: usize = output.split('\n').take(line - 1).map(|l| l.chars().count() + 1).sum();
    let _ = write!(out, ",{{\"field\": \"output\", \"start\": {start}, \"end\": {}, \"text\": ", start + len);
    quote(out, text);
    out.push('}');
}

/// Writes a text in JSON, in ASCII.
fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
}
