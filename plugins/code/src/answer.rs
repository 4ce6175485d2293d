//! The scorer `syntax`.

use crate::finding::{report, Findings};
use crate::source::{code, Code};
use crate::syntax::{c, c_newer};
use crate::unit::{self, Snippet};
use crate::Language;
use rubric_host_sdk::{Answer, Config, Object, Request, Result};
use rubric_host_text::{one_if, or_answer};
use rubric_host_tree::{Id, Limits, Tree, ROOT};

/// What was decided, or an answer that says why it is not.
pub type Decided<T> = std::result::Result<T, Answer>;

/// Whose text an answer is about.
pub const OUTPUT: &str = "the output's";
pub const REFERENCE: &str = "a reference's";

/// Longest code, in bytes.
const MOST_BYTES: usize = 2 << 20;

/// What the parser may take; code of a megabyte needs about 6,000 hundred steps. So many errors are in 100 kB of prose or more.
const LIMITS: Limits = Limits { steps: 60_000, errors: 10_000 };

/// For a text of which only a tree without errors counts. Some are tried and given up where the grammar is ambiguous.
const FEW_ERRORS: Limits = Limits { errors: 100, ..LIMITS };

/// Deepest syntax tree. The time of some rules grows with the depth.
const MOST_DEPTH: u32 = 2000;

/// Longest code that is read in other ways, in bytes: each takes as long as the first.
const MOST_SNIPPET: usize = 50_000;

/// How many macros an answer names.
const NAMED: usize = 5;

/// The code of a request, parsed; or the answer if the case cannot be decided.
pub fn parse<'a>(language: &Language, request: &'a Request) -> Result<Decided<(Code<'a>, Tree<'a>)>> {
    let Some(output) = request.output()? else {
        return Ok(Err(Answer::unscored("the case has no output")));
    };
    let mut code = code(language, output, &request.config())?;
    if language.returns {
        code.end_lines();
    }
    Ok(tree_of(language, OUTPUT, code.text).map(|tree| (code, tree)))
}

/// Parses a text of the request, unless that is beyond a limit.
pub fn tree_of<'a>(language: &Language, whose: &str, text: &'a str) -> Decided<Tree<'a>> {
    tree(language, text).map_err(|why| Answer::unscored(format!("{whose} {why}")))
}

/// Parses a text, unless it is beyond a limit.
pub fn tree<'a>(language: &Language, text: &'a str) -> std::result::Result<Tree<'a>, String> {
    if text.len() > MOST_BYTES {
        return Err(format!("code has {} bytes; the limit is {MOST_BYTES}", text.len()));
    }
    let mut parsed = Tree::parse(language.grammar, text, LIMITS);
    // The grammar takes what imports a header for a declaration.
    if parsed.as_ref().is_none_or(|t| t.has_error || language.name == "cpp" && c_newer::imports_header(text)) {
        if let Some(other) = (language.rewrite)(text).filter(|other| other.len() == text.len()) {
            let known = Tree::parse(language.grammar, &other, FEW_ERRORS).filter(|t| !t.has_error);
            parsed = known.map(|t| t.with_text(text)).or(parsed);
        }
    }
    let tree = parsed.ok_or_else(|| format!("code cannot be parsed in {} hundred steps, or has more than {} errors; is it {}?", LIMITS.steps, LIMITS.errors, language.name))?;
    match tree.nodes.iter().map(|n| n.depth).max() {
        Some(depth) if depth > MOST_DEPTH => Err(format!("code nests {depth} levels deep; the limit is {MOST_DEPTH}")),
        _ => Ok(tree),
    }
}

/// Errors of a tree, and what the rules find.
pub fn findings(language: &Language, tree: &Tree, config: &Config) -> Result<Findings> {
    let mut findings = Findings::default();
    for (id, n) in tree.nodes.iter().enumerate() {
        if n.is_error() {
            let (start, end) = refused(tree, id);
            findings.add("syntax-error", start, end, unexpected(tree, start, end));
        } else if n.missing {
            findings.add("syntax-error", n.start, n.end, format!("missing {}", n.kind));
        }
    }
    if tree.has_error && findings.list.is_empty() {
        // A token that the parser inserted and the grammar hides, such as the end of a line.
        let n = tree.nodes.iter().rfind(|n| n.faulty).unwrap_or(&tree.nodes[0]);
        findings.add("syntax-error", n.start, n.end, format!("a token is missing in this {}", n.kind.replace('_', " ")));
    }
    (language.rules)(tree, config, &mut findings)?;
    findings.sort();
    Ok(findings)
}

/// The text that an error is about: that of its node, or the line behind it if the node holds what the parser had read before.
fn refused(tree: &Tree, id: Id) -> (usize, usize) {
    let n = tree.node(id);
    // Where YAML is refused, the node holds the blocks before.
    let read = || tree.kind(ROOT) == "stream" && n.parent == ROOT && tree.children(id).any(|c| tree.kind(c).starts_with("block_"));
    let rest = if id == ROOT || read() { tree.text[n.end..].trim_start() } else { "" };
    match rest.lines().next() {
        Some(line) => (tree.text.len() - rest.len(), tree.text.len() - rest.len() + line.len()),
        None => (n.start, n.end),
    }
}

/// What a text that has findings as a file is otherwise.
enum Other {
    /// Valid, for this reason.
    Valid(&'static str, &'static str),
    Undecided(String),
    Nothing,
}

/// Reads code that is not a valid file as a snippet, and C without the macros.
fn other(language: &Language, tree: &Tree, config: &Config) -> Result<Other> {
    let unit = config.text("unit", "auto")?;
    let expanded = language.expand.and_then(|expand| expand(tree.text, false));
    // The expanded text has no directives.
    let headers = language.expand.is_some() && c::own_headers(tree.text);
    let second;
    let tree = match &expanded {
        Some(text) => match self::tree(language, text) {
            Ok(parsed) => {
                second = parsed;
                let Some(valid) = clean(language, &second, config)? else {
                    return Ok(Other::Undecided(findings(language, &second, config)?.undecided.unwrap_or_default()));
                };
                match (valid, conditions(language, tree, text, valid, config)?) {
                    (true, true) => return Ok(Other::Valid("file", "valid after the preprocessor, with the macros of the text")),
                    (_, false) => {
                        return Ok(Other::Undecided(CONDITIONS.into()));
                    }
                    (false, true) => &second,
                }
            }
            Err(_) => tree,
        },
        None => tree,
    };
    if let Some(snippets) = language.snippets.filter(|_| unit != "file" && tree.text.len() <= MOST_SNIPPET) {
        let valid = Other::Valid("snippet", "judged as a snippet: valid inside of a function or a file");
        match unit::snippet(language, snippets, tree, config)? {
            Some(Snippet::Valid) => return Ok(valid),
            Some(_) if unit == "snippet" => return Ok(valid),
            Some(Snippet::Mixed) => {
                return Ok(Other::Undecided("the output's code has statements beside functions or types: valid as a snippet, not as a file; set unit to file or snippet".into()));
            }
            _ => {}
        }
    }
    Ok(match language.expand.filter(|_| tree.text.len() <= MOST_SNIPPET).and_then(|_| unknown_macros(language, tree, headers)) {
        Some(names) => Other::Undecided(not_defined(&names)),
        None if headers && tree.text.len() > MOST_SNIPPET => Other::Undecided(format!("the output's code has more than {MOST_SNIPPET} bytes, and may use macros of its headers")),
        None => Other::Nothing,
    })
}

pub fn not_defined(names: &[String]) -> String {
    let more = if names.len() > NAMED { ", ..." } else { "" };
    format!("the output's code may use macros that it does not define: {}{more}", names[..names.len().min(NAMED)].join(", "))
}

const CONDITIONS: &str = "the output's code is valid or not by conditions of the preprocessor that it does not decide";

/// Whether a tree has no finding; `None`: that is not decided.
fn clean(language: &Language, tree: &Tree, config: &Config) -> Result<Option<bool>> {
    findings(language, tree, config).map(|f| Some(f.list.is_empty()).filter(|_| f.undecided.is_none()))
}

/// Whether the verdict on code after the preprocessor is the same if names that it does not define are defined.
fn conditions(language: &Language, tree: &Tree, expanded: &str, valid: bool, config: &Config) -> Result<bool> {
    let assumed = language.expand.and_then(|expand| expand(tree.text, true)).filter(|a| a != expanded);
    match assumed.as_ref().and_then(|a| self::tree(language, a).ok()) {
        Some(parsed) => Ok(clean(language, &parsed, config)? == Some(valid)),
        None => Ok(assumed.is_none()),
    }
}

/// Reports macros whose uses the grammar accepts, and not what they stand for.
fn macros(language: &Language, tree: &Tree, config: &Config, findings: &mut Findings) -> Result<()> {
    let Some(first) = tree.nodes.iter().find(|n| matches!(n.kind, "preproc_def" | "preproc_function_def")) else { return Ok(()) };
    let Some(text) = language.expand.filter(|_| tree.text.len() <= MOST_SNIPPET).and_then(|expand| expand(tree.text, false)) else { return Ok(()) };
    let Ok(expanded) = self::tree(language, &text) else { return Ok(()) };
    if clean(language, &expanded, config)? != Some(false) {
        return Ok(());
    }
    if let Some(names) = unknown_macros(language, &expanded, c::own_headers(tree.text)) {
        findings.undecided = Some(not_defined(&names));
    } else if conditions(language, tree, &text, false, config)? {
        findings.add("macro", first.start, first.end, "not valid after the preprocessor, with the macros of the text");
    } else {
        findings.undecided = Some(CONDITIONS.into());
    }
    Ok(())
}

/// The names of C's macros without whose uses the code parses, or that may be the cause, if headers are included that
/// are not of the standard library. `None`: there are none.
fn unknown_macros(language: &Language, tree: &Tree, headers: bool) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let mut text = c::without_macros(tree, headers, &mut names)?;
    for _ in 0..8 {
        let tree = self::tree(language, &text).ok()?;
        if !tree.has_error {
            return Some(names);
        }
        match c::without_macros(&tree, headers, &mut names) {
            Some(next) => text = next,
            None => break,
        }
    }
    Some(names).filter(|_| headers)
}

/// Whether the code parses: 1 or 0.
pub fn syntax(language: &Language, request: &Request) -> Result<Answer> {
    let (code, tree) = or_answer!(parse(language, request)?);
    let config = request.config();
    let mut findings = findings(language, &tree, &config)?;
    let (mut unit, mut reason) = (language.snippets.map(|_| "file"), None);
    if !findings.list.is_empty() {
        match other(language, &tree, &config)? {
            Other::Valid(as_unit, why) => {
                findings = Findings::default();
                (unit, reason) = (unit.map(|_| as_unit), Some(why));
            }
            Other::Undecided(why) => findings.undecided = Some(why),
            Other::Nothing => {}
        }
    }
    if findings.list.is_empty() && reason.is_none() {
        macros(language, &tree, &config, &mut findings)?;
    }
    if let Some(why) = findings.undecided {
        return Ok(Answer::unscored(why));
    }
    let errors = tree.nodes.iter().filter(|n| n.is_error()).count();
    let missing = tree.nodes.iter().filter(|n| n.missing && !n.is_error()).count();
    let valid = findings.list.is_empty();
    let mut parser = Object::new();
    parser.flag("has_error", tree.has_error).int("errors", errors as u64).int("missing", missing as u64).int("nodes", tree.nodes.len() as u64);
    let mut details = Object::new();
    details.flag("valid", valid).int("findings", findings.list.len() as u64);
    details.object("tree_sitter", &parser).text("checker", language.checker);
    if let Some(unit) = unit {
        details.text("unit", unit);
    }
    if let Some(f) = findings.list.first() {
        let place = crate::finding::Places::new(request.output()?.unwrap_or("")).of(code.place(f.start));
        details.text("rule", f.rule).int("line", place.line as u64).int("column", place.column as u64).text("message", &f.message);
    }
    if !code.which.is_empty() {
        details.text("code", &code.which);
    }
    let answer = Answer::score(one_if(valid)).details(details).reason(reason.unwrap_or_default());
    Ok(report(answer, request.output()?.unwrap_or(""), &code, &findings))
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
