//! The scorer `complexity`.

mod gocyclo;
mod mccabe;
mod measure;
mod radon;
mod radon_raw;

use crate::answer::{parse, Decided};
use crate::lizard;
use crate::finding::{report, Findings};
use crate::shape;
use crate::Language;
use rubric_host_sdk::{Answer, Error, Object, Request, Result};
pub(crate) use radon_raw::split_lines;
use rubric_host_text::or_answer;
use rubric_host_tree::{Id, Tree, ROOT};

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

impl Measured {
    fn of(tree: &Tree, id: Id, name: String, value: usize) -> Self {
        Measured { name, value, start: tree.node(id).start, end: tree.node(id).end }
    }
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
    let (code, tree) = or_answer!(parse(language, request)?);
    if tree.has_error {
        return Ok(Answer::unscored("the code does not parse; the scorer syntax says where"));
    }
    let (functions, details) = match measure {
        "lizard" => or_answer!(by_lizard(language, code.text)?),
        _ => by_rules(language, &tree, measure)?,
    };
    let lizard = measure == "lizard";
    if functions.is_empty() {
        return Ok(Answer::unscored(if lizard { "lizard finds no function in the code" } else { "the code has no function" }).details(details));
    }
    let mut findings = Findings::default();
    for m in functions.iter().filter(|m| m.value as f64 > good) {
        let name = if m.name.is_empty() { "a function" } else { &m.name };
        let what = if lizard { format!("a complexity of {} in lizard", m.value) } else { format!("a {measure} complexity of {}", m.value) };
        findings.add("complexity", m.start, m.end, format!("{name} has {what}; up to {good} is good"));
    }
    findings.sort();
    let score = ((bad - worst(&functions) as f64) / (bad - good)).clamp(0.0, 1.0);
    Ok(report(Answer::score(score).details(details), request.output()?.unwrap_or(""), &code, &findings))
}

fn worst(list: &[Measured]) -> usize {
    list.iter().map(|m| m.value).max().unwrap_or(0)
}

/// The most, the mean and the sum.
fn figures(list: &[Measured]) -> Object {
    let mut o = Object::new();
    let total: usize = list.iter().map(|m| m.value).sum();
    o.int("max", worst(list) as u64).num("mean", total as f64 / list.len().max(1) as f64).int("total", total as u64);
    o
}

/// Cyclomatic and cognitive complexity: the functions of the one that is asked for, and the figures of both.
fn by_rules(language: &Language, tree: &Tree, measure: &str) -> Result<(Vec<Measured>, Object)> {
    let lines = Lines::of(tree.text);
    let (cyclomatic, cognitive) = (cyclomatic(language, tree), measure::cognitive(tree));
    let chosen = match measure {
        "cyclomatic" => &cyclomatic,
        "cognitive" => &cognitive,
        other => return Err(Error::new(format!("config measure is \"{other}\": use cyclomatic, cognitive or lizard"))),
    };
    let mut details = Object::new();
    details.object("cyclomatic", &figures(&cyclomatic)).object("cognitive", &figures(&cognitive)).int("functions", chosen.len() as u64);
    if language.name == "python" {
        if let Some(raw) = radon_raw::raw(tree.text) {
            details.object("radon_raw", &raw.object()).num("radon_mi", radon_raw::maintainability(tree, &raw, radon::total(tree)));
        }
        if chosen.len() <= LISTED {
            details.objects("radon_blocks", &radon::blocks(tree, &lines)).int("radon_total", radon::total(tree));
            details.objects("mccabe", &mccabe::graphs(tree, &lines)).object("structure", &structure(tree, &lines));
        }
    }
    if language.name == "go" && chosen.len() <= LISTED {
        let list: Vec<Object> = cyclomatic.iter().map(|m| {
            let mut o = Object::new();
            o.int("complexity", m.value as u64).int("end", lines.at(m.end.max(1) - 1) as u64).text("name", &m.name).int("start", lines.at(m.start) as u64);
            o
        }).collect();
        details.objects("gocyclo", &list);
    }
    Ok((if measure == "cognitive" { cognitive } else { cyclomatic }, details))
}

/// The functions that lizard finds, and its figures.
fn by_lizard(language: &Language, text: &str) -> Result<Decided<(Vec<Measured>, Object)>> {
    let Some(lizard) = language.lizard else {
        return Err(Error::new(format!("config measure is \"lizard\", which does not know {}: use cyclomatic or cognitive", language.name)));
    };
    let Some(found) = lizard::functions(lizard, text) else {
        return Ok(Err(Answer::unscored("the code nests too deeply for lizard")));
    };
    let lines = Lines::of(text);
    let functions: Vec<Measured> = found.iter().map(|f| {
        let start = lines.start(f.start);
        Measured { name: f.name.clone(), value: f.complexity as usize, start, end: lines.start(f.end + 1).max(start) }
    }).collect();
    let mut details = Object::new();
    details.object("ccn", &figures(&functions)).int("functions", found.len() as u64);
    if found.len() <= LISTED_ALONE {
        details.objects("lizard", &found.iter().map(lizard::Function::object).collect::<Vec<_>>());
    }
    Ok(Ok((functions, details)))
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
