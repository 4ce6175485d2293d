//! The scorer `complexity`.

mod gocyclo;
mod mccabe;
mod measure;
mod radon;
mod radon_raw;

use crate::answer::{parse, Parsed};
use crate::lizard;
use crate::finding::{report, Findings};
use crate::shape;
use crate::source::Code;
use crate::Language;
use rubric_host_sdk::{Answer, Error, Object, Request, Result};
pub(crate) use radon_raw::split_lines;
use rubric_host_tree::{Tree, ROOT};

/// How many functions an answer lists: details have at most 1,000 keys and 64 KiB.
const LISTED: usize = 60;

/// How many of lizard's functions it lists, which are eight keys each.
const LISTED_ALONE: usize = 100;

/// Line numbers, from 1.
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    pub fn of(text: &str) -> Self {
        let b = text.as_bytes();
        Lines((0..b.len()).filter(|&i| b[i] == b'\n' || b[i] == b'\r' && b.get(i + 1) != Some(&b'\n')).collect())
    }

    pub fn at(&self, byte: usize) -> usize {
        self.0.partition_point(|&end| end < byte) + 1
    }

    /// The first byte of a line; behind the last line the end of it.
    pub fn start(&self, line: i64) -> usize {
        match usize::try_from(line - 2) {
            Err(_) => 0,
            Ok(before) => self.0.get(before).or(self.0.last()).map_or(0, |end| end + 1),
        }
    }
}

/// One function, measured.
pub(crate) struct Measured {
    pub name: String,
    pub value: usize,
    pub start: usize,
    pub end: usize,
}

/// The complexity of the worst function: 1 up to `good`, 0 from `bad` on.
pub fn complexity(language: &Language, request: &Request) -> Result<Answer> {
    let config = request.config();
    let measure = config.text("measure", "cyclomatic")?;
    let good = config.number("good", 5.0)?;
    let bad = config.number("bad", 20.0)?;
    if bad <= good {
        return Err(Error::new("config bad must be greater than good"));
    }
    let (code, tree) = match parse(language, request)? {
        Parsed::Tree(code, tree) => (code, tree),
        Parsed::Unscored(answer) => return Ok(answer),
    };
    if tree.has_error {
        return Ok(Answer::unscored("the code does not parse; the scorer syntax says where"));
    }
    if measure == "lizard" {
        return by_lizard(language, request.output()?.unwrap_or(""), &code, good, bad);
    }
    let python = language.name == "python";
    let go = language.name == "go";
    let lines = Lines::of(code.text);
    let cyclomatic = cyclomatic(language, &tree);
    let cognitive = measure::cognitive(&tree);
    let chosen = match measure {
        "cyclomatic" => &cyclomatic,
        "cognitive" => &cognitive,
        other => return Err(Error::new(format!("config measure is \"{other}\": use cyclomatic, cognitive or lizard"))),
    };
    let worst = chosen.iter().map(|m| m.value).max().unwrap_or(0) as f64;
    let score = ((bad - worst) / (bad - good)).clamp(0.0, 1.0);

    let mut details = Object::new();
    for (name, list) in [("cyclomatic", &cyclomatic), ("cognitive", &cognitive)] {
        let mut o = Object::new();
        let total: usize = list.iter().map(|m| m.value).sum();
        o.int("max", list.iter().map(|m| m.value).max().unwrap_or(0) as u64).num("mean", total as f64 / list.len().max(1) as f64).int("total", total as u64);
        details.object(name, &o);
    }
    details.int("functions", chosen.len() as u64);
    if python {
        if let Some(raw) = radon_raw::raw(code.text) {
            details.object("radon_raw", &raw.object()).num("radon_mi", radon_raw::maintainability(&tree, &raw, radon::total(&tree)));
        }
    }
    if chosen.len() <= LISTED {
        if python {
            details.objects("radon_blocks", &radon::blocks(&tree, &lines)).int("radon_total", radon::total(&tree));
            details.objects("mccabe", &mccabe::graphs(&tree, &lines)).object("structure", &structure(&tree, &lines));
        }
        if go {
            let list: Vec<Object> = cyclomatic.iter().map(|m| {
                let mut o = Object::new();
                o.int("complexity", m.value as u64).int("end", lines.at(m.end.max(1) - 1) as u64).text("name", &m.name).int("start", lines.at(m.start) as u64);
                o
            }).collect();
            details.objects("gocyclo", &list);
        }
    }
    if chosen.is_empty() {
        return Ok(Answer::unscored("the code has no function").details(details));
    }
    let mut findings = Findings::default();
    for m in chosen.iter().filter(|m| m.value as f64 > good) {
        findings.add("complexity", m.start, m.end, format!("{} has a {measure} complexity of {}; up to {good} is good", if m.name.is_empty() { "a function" } else { &m.name }, m.value));
    }
    findings.sort();
    Ok(report(Answer::score(score).details(details), request.output()?.unwrap_or(""), &code, &findings))
}

/// The measure `lizard`: the score of its figures, and the list of them.
fn by_lizard(language: &Language, output: &str, code: &Code, good: f64, bad: f64) -> Result<Answer> {
    let Some(lizard) = language.lizard else {
        return Err(Error::new(format!("config measure is \"lizard\", which does not know {}: use cyclomatic or cognitive", language.name)));
    };
    let Some(found) = lizard::functions(lizard, code.text) else {
        return Ok(Answer::unscored("the code nests too deeply for lizard"));
    };
    let mut details = Object::new();
    let figure = |of: fn(&lizard::Function) -> i64| found.iter().map(of).sum::<i64>() as f64;
    let worst = found.iter().map(|f| f.complexity).max().unwrap_or(0) as f64;
    let mut ccn = Object::new();
    ccn.num("max", worst).num("mean", figure(|f| f.complexity) / found.len().max(1) as f64).num("total", figure(|f| f.complexity));
    details.object("ccn", &ccn);
    details.int("functions", found.len() as u64);
    if found.len() <= LISTED_ALONE {
        details.objects("lizard", &found.iter().map(lizard::Function::object).collect::<Vec<_>>());
    }
    if found.is_empty() {
        return Ok(Answer::unscored("lizard finds no function in the code").details(details));
    }
    let lines = Lines::of(code.text);
    let mut findings = Findings::default();
    for f in found.iter().filter(|f| f.complexity as f64 > good) {
        let name = if f.name.is_empty() { "a function" } else { &f.name };
        let (start, end) = (lines.start(f.start), lines.start(f.end + 1));
        findings.add("complexity", start, end.max(start), format!("{name} has a complexity of {} in lizard; up to {good} is good", f.complexity));
    }
    findings.sort();
    let score = ((bad - worst) / (bad - good)).clamp(0.0, 1.0);
    Ok(report(Answer::score(score).details(details), output, code, &findings))
}

/// The cyclomatic complexity of every function, as the language's tool counts it.
pub(crate) fn cyclomatic(language: &Language, tree: &Tree) -> Vec<Measured> {
    match language.name {
        "python" => radon::functions(tree),
        "go" => gocyclo::functions(tree),
        _ => measure::cyclomatic(tree),
    }
}

/// Functions and classes of a Python file, and which have docstrings.
fn structure(tree: &Tree, lines: &Lines) -> Object {
    let mut defs = Vec::new();
    for id in 0..tree.nodes.len() {
        let kind = match tree.kind(id) {
            "function_definition" => "function",
            "class_definition" => "class",
            _ => continue,
        };
        let n = tree.node(id);
        let outer = tree.node(n.parent);
        let first = if outer.kind == "decorated_definition" { outer.start } else { n.start };
        let (first, end) = (lines.at(first), lines.at(n.end.max(1) - 1));
        let mut o = Object::new();
        o.text("name", &shape::qualified(tree, id)).text("kind", kind).flag("docstring", shape::documented(tree, id));
        o.int("lineno", lines.at(n.start) as u64).int("first_line", first as u64).int("end_lineno", end as u64).int("lines", (end + 1 - lines.at(n.start)) as u64);
        defs.push(o);
    }
    let mut o = Object::new();
    o.flag("module_docstring", shape::docstring(tree, ROOT)).objects("defs", &defs);
    o
}
