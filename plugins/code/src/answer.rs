//! The scorer `syntax`.

use crate::finding::{report, Findings};
use crate::source::{code, Code};
use crate::Language;
use rubric_host_sdk::{Answer, Object, Request, Result};
use rubric_host_tree::Tree;

/// Longest code, in bytes.
const MOST_BYTES: usize = 2 << 20;

/// What the parser may take, in hundreds of steps; code of a megabyte needs about a third.
const MOST_STEPS: u32 = 60_000;

/// Deepest syntax tree. The time of some rules grows with the depth.
const MOST_DEPTH: u32 = 2000;

/// The code of a request, parsed; or why the case cannot be decided.
pub enum Parsed<'a> {
    Tree(Code<'a>, Tree<'a>),
    Unscored(Answer),
}

/// Parses the code of the output.
pub fn parse<'a>(language: &Language, request: &'a Request) -> Result<Parsed<'a>> {
    let Some(output) = request.output()? else {
        return Ok(Parsed::Unscored(Answer::unscored("the case has no output")));
    };
    let mut names = vec![language.name];
    names.extend(language.fences);
    let code = code(output, &names, &request.config())?;
    match tree(language, code.text) {
        Ok(tree) => Ok(Parsed::Tree(code, tree)),
        Err(why) => Ok(Parsed::Unscored(Answer::unscored(format!("the output's {why}")))),
    }
}

/// Parses a text, unless it is beyond a limit.
pub fn tree<'a>(language: &Language, text: &'a str) -> std::result::Result<Tree<'a>, String> {
    if text.len() > MOST_BYTES {
        return Err(format!("code has {} bytes; the limit is {MOST_BYTES}", text.len()));
    }
    let mut tree = Tree::parse(language.grammar, text, MOST_STEPS)
        .ok_or_else(|| format!("code cannot be parsed in {MOST_STEPS} hundred steps; is it {}?", language.name))?;
    if tree.has_error {
        if let Some(other) = (language.rewrite)(text).filter(|other| other.len() == text.len()) {
            let parsed = Tree::parse(language.grammar, &other, MOST_STEPS).filter(|t| !t.has_error);
            tree = parsed.map_or(tree, |t| t.with_text(text));
        }
    }
    match tree.nodes.iter().map(|n| n.depth).max() {
        Some(depth) if depth > MOST_DEPTH => Err(format!("code nests {depth} levels deep; the limit is {MOST_DEPTH}")),
        _ => Ok(tree),
    }
}

/// Whether the code parses: 1 or 0.
pub fn syntax(language: &Language, request: &Request) -> Result<Answer> {
    let (code, tree) = match parse(language, request)? {
        Parsed::Tree(code, tree) => (code, tree),
        Parsed::Unscored(answer) => return Ok(answer),
    };
    let mut findings = Findings::default();
    let (mut errors, mut missing) = (0, 0);
    for n in &tree.nodes {
        if n.is_error() {
            errors += 1;
            findings.add("syntax-error", n.start, n.end, unexpected(&tree, n.start, n.end));
        } else if n.missing {
            missing += 1;
            findings.add("syntax-error", n.start, n.end, format!("missing {}", n.kind));
        }
    }
    if tree.has_error && findings.list.is_empty() {
        // A token that the parser inserted and the grammar hides, such as the end of a line.
        let n = tree.nodes.iter().rfind(|n| n.faulty).unwrap_or(&tree.nodes[0]);
        findings.add("syntax-error", n.start, n.end, format!("a token is missing in this {}", n.kind.replace('_', " ")));
    }
    (language.rules)(&tree, &request.config(), &mut findings)?;
    if let Some(why) = findings.undecided {
        return Ok(Answer::unscored(why));
    }
    findings.sort();
    let valid = findings.list.is_empty();
    let mut parser = Object::new();
    parser.flag("has_error", tree.has_error).int("errors", errors).int("missing", missing).int("nodes", tree.nodes.len() as u64);
    let mut details = Object::new();
    details.flag("valid", valid).int("findings", findings.list.len() as u64);
    details.object("tree_sitter", &parser).text("checker", language.checker);
    if let Some(f) = findings.list.first() {
        let place = crate::finding::Places::new(request.output()?.unwrap_or("")).of(code.from + f.start);
        details.text("rule", f.rule).int("line", place.line as u64).int("column", place.column as u64).text("message", &f.message);
    }
    if !code.which.is_empty() {
        details.text("code", &code.which);
    }
    let answer = Answer::score(if valid { 1.0 } else { 0.0 }).details(details);
    Ok(report(answer, request.output()?.unwrap_or(""), code.from, &findings))
}

/// Says what stands at an error.
fn unexpected(tree: &Tree, start: usize, end: usize) -> String {
    let text = tree.text.get(start..end).unwrap_or("").trim();
    let line = text.lines().next().unwrap_or("");
    let mut shown: String = line.chars().take(40).collect();
    if shown.len() < text.len() {
        shown.push_str("...");
    }
    if shown.is_empty() {
        "syntax error".into()
    } else {
        format!("unexpected \"{shown}\"")
    }
}
