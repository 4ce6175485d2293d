//! Reads the reference vectors under `testdata/vectors`, for tests.

use rubric_host_sdk::{parse, Value};
use std::io::Read;
use std::path::Path;

/// The lines of one file of vectors, held for as long as the tests run.
pub struct Lines {
    lines: Vec<Value<'static>>,
}

impl Lines {
    /// Reads `testdata/vectors/<name>.jsonl.gz`.
    ///
    /// # Panics
    ///
    /// When the file cannot be read: a test without its vectors proves nothing.
    pub fn read(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../testdata/vectors/{name}.jsonl.gz"));
        let file = std::fs::File::open(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut text = String::new();
        flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let lines = text.leak().lines().map(|l| parse(l).unwrap_or_else(|e| panic!("{name}: {e}"))).collect();
        Lines { lines }
    }

    /// The lines in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &Value<'static>> {
        self.lines.iter()
    }

    /// How many lines the file has.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether the file is empty.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

/// Checks that every member of `want` is in `got` with the same value: numbers
/// to `tolerance` (relative above 1), everything else exactly. The error names
/// the first member that differs.
pub fn agree(want: &Value, got: &Value, tolerance: f64) -> Result<(), String> {
    let differ = || Err(format!("want {want:?}, got {got:?}"));
    match (want, got) {
        (Value::Object(members), Value::Object(_)) => members.iter().try_for_each(|(name, w)| {
            let g = got.get(name).unwrap_or(&Value::Null);
            agree(w, g, tolerance).map_err(|e| format!("{name}: {e}"))
        }),
        (Value::Array(w), Value::Array(g)) if w.len() == g.len() => {
            w.iter().zip(g).try_for_each(|(w, g)| agree(w, g, tolerance))
        }
        (Value::Number(w), Value::Number(g)) => match (w.parse::<f64>(), g.parse::<f64>()) {
            (Ok(w), Ok(g)) if (w - g).abs() <= tolerance * w.abs().max(1.0) => Ok(()),
            _ => differ(),
        },
        _ if want == got => Ok(()),
        _ => differ(),
    }
}

/// The metric call that a line stands for: its candidate as output, its
/// references, its configuration, and the fields of its `input`.
pub fn call(line: &Value) -> String {
    let mut case = format!("\"output\":{}", json(line.get("candidate").unwrap_or(&Value::Null)));
    if let Some(references) = line.get("references") {
        case += &format!(",\"references\":{}", json(references));
    }
    for (name, value) in line.get("input").and_then(Value::as_object).unwrap_or(&[]) {
        case += &format!(",{}:{}", quote(name), json(value));
    }
    let config = line.get("config").map_or("{}".into(), json);
    format!("{{\"contract\":1,\"kind\":\"metric\",\"case\":{{{case}}},\"config\":{config}}}")
}

/// A value as JSON text.
pub fn json(v: &Value) -> String {
    match v {
        Value::Null => "null".into(),
        Value::Bool(b) => b.to_string(),
        Value::Number(n) => (*n).into(),
        Value::String(s) => quote(s),
        Value::Array(list) => format!("[{}]", list.iter().map(json).collect::<Vec<_>>().join(",")),
        Value::Object(members) => {
            let members: Vec<String> = members.iter().map(|(n, v)| format!("{}:{}", quote(n), json(v))).collect();
            format!("{{{}}}", members.join(","))
        }
    }
}

fn quote(s: &str) -> String {
    let mut out = String::from("\"");
    for c in s.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => out += &format!("\\u{:04x}", c as u32),
            c => out.push(c),
        }
    }
    out + "\""
}
