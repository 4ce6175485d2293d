//! Python: what CPython's parser refuses and the grammar, which also reads Python 2, accepts.

use super::{python_compile, python_places, python_statements};
use crate::finding::Findings;
use rubric_host_sdk::{Config, Error, Result};
use rubric_host_tree::{Id, Node, Tree, ROOT};
use std::collections::HashSet;

/// The newest version that the rules know: 3.VERSION.
const NEWEST: usize = 14;

pub fn rules(tree: &Tree, config: &Config, findings: &mut Findings) -> Result<()> {
    let version = config.text("python_version", "3.13")?;
    let Some(minor) = version.strip_prefix("3.").and_then(|m| m.parse().ok()).filter(|m| (8..=NEWEST).contains(m)) else {
        return Err(Error::new(format!("config python_version is \"{version}\": use 3.8 to 3.{NEWEST}")));
    };
    let compile = match config.text("level", "parse")? {
        "parse" => false,
        "compile" => true,
        other => return Err(Error::new(format!("config level is \"{other}\": use parse or compile"))),
    };
    block(tree, ROOT, findings);
    let mut rules = Rules { tree, minor, findings };
    let mut brackets = Vec::new();
    for id in 0..tree.nodes.len() {
        rules.node(id, &tree.nodes[id]);
        match tree.kind(id) {
            "(" | "[" | "{" => {
                brackets.push(id);
                if brackets.len() == 201 {
                    rules.add(id, "nesting", "too many nested parentheses: CPython allows 200");
                }
            }
            ")" | "]" | "}" => {
                brackets.pop();
            }
            _ => {}
        }
    }
    if !tree.has_error {
        lines(tree, findings);
    }
    super::spaces(tree, &['\u{b}', '\u{200b}', '\u{2060}', '\u{feff}'], findings);
    if compile {
        python_compile::rules(tree, findings);
    }
    Ok(())
}

/// Puts spaces for the line breaks and the comments within brackets: the grammar ends a block at some lines that are
/// indented less, also there; `:` for the `=` of defaults of type parameters, which it does not know; and two types
/// of `except` for more. `None`: there
/// are none, or the brackets or the quotes do not match.
pub fn join(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let (mut open, mut parameters, mut changed, mut at) = (Vec::new(), usize::MAX, false, 0);
    let (mut line, mut types) = (0, usize::MAX);
    while at < bytes.len() {
        match bytes[at] {
            b'#' => {
                let end = bytes[at..].iter().position(|b| matches!(b, b'\n' | b'\r')).map_or(bytes.len(), |n| at + n);
                if !open.is_empty() {
                    bytes[at..end].fill(b' ');
                }
                at = end;
                continue;
            }
            quote @ (b'"' | b'\'') => {
                let triple = bytes[at..].starts_with(&[quote; 3]);
                let width = if triple { 3 } else { 1 };
                at += width;
                while !bytes.get(at..)?.starts_with(&[quote; 3][..width]) {
                    match bytes.get(at)? {
                        b'\\' => at += 2,
                        b'\n' | b'\r' if !triple => return None,
                        _ => at += 1,
                    }
                }
                at += width;
                continue;
            }
            b @ (b'(' | b'[' | b'{') => {
                open.push(b);
                if b == b'[' && declares(&text[..at]) {
                    parameters = open.len();
                }
            }
            b'=' if open.len() == parameters => {
                bytes[at] = b':';
                changed = true;
                if let Some(star) = text[at + 1..].find(|c: char| c != ' ').map(|n| at + 1 + n).filter(|&i| bytes[i] == b'*') {
                    bytes[star] = b' ';
                }
            }
            b')' => drop(open.pop().filter(|&b| b == b'(')?),
            b']' => {
                if open.len() == parameters {
                    parameters = usize::MAX;
                }
                open.pop().filter(|&b| b == b'[')?;
            }
            b'}' => drop(open.pop().filter(|&b| b == b'{')?),
            b',' if open.is_empty() => {
                // except A, B, C: the grammar knows two, and no comma at the end.
                let next = at + 1 + text[at + 1..].find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | ' ')).unwrap_or(0);
                if (types == line || text[at + 1..next].trim().is_empty()) && text[line..].trim_start().starts_with("except") && matches!(bytes.get(next), Some(b',' | b':')) && !text[at..next].contains(" as ") {
                    bytes[at..next].fill(b' ');
                    changed = true;
                }
                types = line;
            }
            b'\\' if !open.is_empty() && matches!(bytes.get(at + 1), Some(b'\n' | b'\r')) => bytes[at] = b' ',
            b'\n' | b'\r' if !open.is_empty() => {
                bytes[at] = b' ';
                changed = true;
            }
            b'\n' | b'\r' => line = at + 1,
            _ => {}
        }
        at += 1;
    }
    if !changed || !open.is_empty() {
        return None;
    }
    String::from_utf8(bytes).ok()
}

/// Whether a text ends with `def`, `class` or `type` and a name.
fn declares(text: &str) -> bool {
    let before = text.trim_end_matches([' ', '\t']);
    let head = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    let word = head.trim_end_matches([' ', '\t']);
    head.len() < before.len() && word.len() < head.len() && matches!(word.rsplit(|c: char| !c.is_alphanumeric()).next(), Some("def" | "class" | "type"))
}

/// Line breaks where no statement ends, outside of brackets: the grammar takes them for white space.
fn lines(tree: &Tree, findings: &mut Findings) {
    let (mut last, mut depth, mut id) = (ROOT, 0usize, ROOT + 1);
    while id < tree.nodes.len() {
        let n = tree.node(id);
        let token = n.last == id + 1 || n.kind == "string_content";
        let at = id;
        id = if token { n.last } else { id + 1 };
        if !token || matches!(n.kind, "comment" | "line_continuation") {
            continue;
        }
        let gap = tree.text.get(tree.node(last).end..n.start).unwrap_or("");
        if depth == 0 && last != ROOT && breaks(gap) && !ends(tree, last, at) {
            let previous = tree.node(last);
            findings.add("line", previous.start, n.end, "a line break where the statement goes on");
        }
        match n.kind {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        last = at;
    }
}

/// Reports whether a text has a line break that no backslash continues.
pub(super) fn breaks(gap: &str) -> bool {
    gap.match_indices('\n').any(|(at, _)| !gap[..at].trim_end_matches('\r').ends_with('\\'))
}

/// Reports whether a statement, or the head of one, ends between two tokens that follow each other.
fn ends(tree: &Tree, a: Id, b: Id) -> bool {
    let (mut right, mut around) = (b, tree.node(b).parent);
    while around != ROOT && !(around <= a && a < tree.node(around).last) {
        (right, around) = (around, tree.node(around).parent);
    }
    if matches!(tree.kind(around), "module" | "block") {
        return true;
    }
    let left = std::iter::once(a).chain(tree.above(a)).find(|&c| tree.node(c).parent == around).unwrap_or(a);
    tree.kind(left) == "block"
        || matches!(tree.kind(right), "block" | "elif_clause" | "else_clause" | "except_clause" | "except_group_clause" | "finally_clause" | "case_clause")
        || tree.kind(around) == "decorated_definition" && tree.kind(left) == "decorator"
}

struct Rules<'t, 'f> {
    tree: &'t Tree<'t>,
    minor: usize,
    findings: &'f mut Findings,
}

impl Rules<'_, '_> {
    fn add(&mut self, id: impl Into<Option<Id>>, rule: &'static str, message: impl Into<String>) {
        self.findings.at(self.tree, id, rule, message);
    }

    fn since(&mut self, id: Id, minor: usize, what: &str) {
        if self.minor < minor {
            self.add(id, "version", format!("{what} needs Python 3.{minor}"));
        }
    }

    fn node(&mut self, id: Id, n: &Node) {
        let tree = self.tree;
        python_statements::node(tree, id, n, self.findings);
        python_places::node(tree, id, n, self.minor, self.findings);
        match n.kind {
            "block" => block(tree, id, self.findings),
            "print_statement" if tree.child(id, "chevron").is_none() => self.add(id, "python2", "print is a function: print(...)"),
            "exec_statement" => self.add(id, "python2", "exec is a function: exec(...)"),
            "<>" => self.add(id, "python2", "<> is Python 2: use !="),
            "except_clause" => {
                if tree.child(id, "*").is_some() {
                    self.since(id, 11, "except*");
                }
                let several = self.minor >= 14 && tree.child(id, "as").is_none() && tree.child(id, "as_pattern").is_none();
                // The tree may be that of a text without the last comma.
                let types = tree.named_children(id).take_while(|&c| tree.node(c).field == "value").last();
                let comma = tree.child(id, ",").or(types.filter(|&t| tree.text[tree.node(t).end..].trim_start().starts_with(',')));
                self.add(comma.filter(|_| !several), "python2", "multiple exception types must be parenthesized; name the exception with as");
            }
            "match_statement" => self.since(id, 10, "match"),
            "type_parameter" if n.field == "type_parameters" => self.since(id, 12, "a list of type parameters"),
            "type_alias_statement" => self.alias(id),
            "integer" | "float" => self.number(id),
            "string" => self.string(id),
            "concatenated_string" => self.concatenated(id),
            "interpolation" | "format_expression" => self.interpolation(id, n),
            "type_conversion" if !matches!(tree.text(id).trim(), "!s" | "!r" | "!a") => self.add(id, "string", "an f-string has the conversions !s, !r and !a"),
            "list_splat" if tree.kind(n.parent) == "subscript" => self.since(id, 11, "* in a subscript"),
            "for_statement" => {
                if let Some(right) = tree.field(id, "right").filter(|&r| tree.kind(r) == "expression_list" && tree.child(r, "list_splat").is_some()) {
                    self.since(right, 9, "* in for without parentheses");
                }
            }
            "decorator" => {
                let plain = tree.below(id).all(|c| matches!(tree.kind(c), "@" | "identifier" | "attribute" | "." | "call" | "comment") || tree.above(c).take_while(|&a| a > id).any(|a| tree.kind(a) == "argument_list") || tree.kind(c) == "argument_list");
                if !plain {
                    self.since(id, 9, "a decorator that is not a name or a call of it");
                }
            }
            "named_expression" if tree.kind(n.parent) == "subscript" => self.since(id, 10, ":= in a subscript"),
            "list_splat" if n.field == "body" && matches!(tree.kind(n.parent), "list_comprehension" | "set_comprehension" | "generator_expression") => {
                self.add(id, "unpacking", "* cannot be used in a comprehension");
            }
            "dictionary_splat" if n.field == "body" && tree.kind(n.parent) == "dictionary_comprehension" => {
                self.add(id, "unpacking", "** cannot be used in a comprehension");
            }
            "delete_statement" => {
                for t in tree.named_children(id) {
                    python_places::targets(tree, t, "delete", self.findings);
                }
            }
            "augmented_assignment" => {
                let Some(left) = tree.field(id, "left") else { return };
                let mut target = left;
                while tree.kind(target) == "tuple_pattern" && tree.child(target, ",").is_none() { // parentheses
                    let Some(inner) = tree.elements(target).next() else { break };
                    target = inner;
                }
                if !matches!(tree.kind(target), "identifier" | "attribute" | "subscript" | "parenthesized_expression") {
                    self.add(left, "target", "illegal target of an augmented assignment");
                }
            }
            "assignment" => self.assignment(id),
            "parameters" | "lambda_parameters" => self.parameters(id),
            "argument_list" => self.arguments(id),
            "identifier" if n.field == "name" && matches!(tree.text(id), "None" | "True" | "False") => {
                self.add(id, "target", format!("{} cannot be a name", tree.text(id)));
            }
            "identifier" if matches!(tree.text(id), "print" | "exec" | "match" | "case" | "type" | "_") => {}
            "identifier" if is_keyword(tree.text(id)) => self.add(id, "keyword", format!("{} is a keyword", tree.text(id))),
            _ => {}
        }
    }

    fn alias(&mut self, id: Id) {
        let Some(left) = self.tree.field(id, "left").map(|l| l + 1) else { return };
        // type(x).y = 1 and type[x] = 1 are read as an alias, too.
        let good = match self.tree.text(id)[4..].trim_start().as_bytes().first() {
            Some(b'(' | b'.') => matches!(self.tree.kind(left), "attribute" | "subscript"),
            Some(b'[' | b'=') => true,
            _ => {
                self.since(id, 12, "type");
                matches!(self.tree.kind(left), "identifier" | "generic_type")
            }
        };
        if !good {
            self.add(left, "target", "the name of a type is an identifier");
        }
    }

    fn number(&mut self, id: Id) {
        let text = self.tree.text(id);
        let digits = text.trim_end_matches(['l', 'L']);
        if digits.len() < text.len() {
            self.add(id, "python2", "numbers have no suffix L");
        } else if text.len() > 1 && text.starts_with('0') && text.bytes().all(|c| c.is_ascii_digit() || c == b'_') && text.bytes().any(|c| matches!(c, b'1'..=b'9')) {
            self.add(id, "python2", "a decimal number does not begin with 0; octal is 0o17");
        } else if text.contains("__") || text.ends_with('_') {
            self.add(id, "number", "invalid number: _ stands between digits");
        }
    }

    /// Prefix, bytes and escapes of a string literal.
    fn string(&mut self, id: Id) {
        let tree = self.tree;
        let Some(start) = tree.child(id, "string_start") else { return };
        let text = tree.text(start);
        if text.contains('`') {
            return self.add(id, "python2", "backticks are Python 2: use repr(...)");
        }
        let prefix = text.trim_end_matches(['"', '\'']).to_ascii_lowercase();
        if !matches!(prefix.as_str(), "" | "r" | "u" | "b" | "br" | "rb" | "f" | "fr" | "rf" | "t" | "tr" | "rt") {
            return self.add(start, "string", format!("invalid string prefix {prefix}"));
        }
        if prefix.contains('t') {
            self.since(start, 14, "a template string");
        }
        let bytes = prefix.contains('b');
        if bytes && !tree.text(id).is_ascii() {
            return self.add(id, "string", "bytes contain ASCII characters only");
        }
        if prefix.contains(['r', 'f', 't']) {
            return;
        }
        let mut chars = tree.text(id)[text.len()..].chars();
        while let Some(c) = chars.next() {
            if c != '\\' {
                continue;
            }
            let digits = match chars.next() {
                Some('N') if !bytes => {
                    if chars.as_str().strip_prefix('{').and_then(|name| name.find('}')).is_none_or(|end| end == 0) {
                        return self.add(id, "string", "\\N needs the name of a character: \\N{...}");
                    }
                    continue;
                }
                Some('x') => 2,
                Some('u') if !bytes => 4,
                Some('U') if !bytes => 8,
                _ => continue,
            };
            let rest = chars.as_str().as_bytes();
            if rest.len() < digits || !rest[..digits].iter().all(u8::is_ascii_hexdigit) {
                return self.add(id, "string", format!("a truncated escape: {digits} hexadecimal digits are expected"));
            }
            if digits == 8 && u32::from_str_radix(&chars.as_str()[..8], 16).is_ok_and(|v| v > 0x10ffff) {
                return self.add(id, "string", "an escape beyond the last character of Unicode, 10FFFF");
            }
        }
    }

    /// Before 3.12 the expression of an f-string was a part of its token.
    fn interpolation(&mut self, id: Id, n: &Node) {
        let tree = self.tree;
        self.add(tree.field(id, "expression").filter(|&e| tree.kind(e) == "lambda"), "string", "a lambda in an f-string needs parentheses");
        if self.minor >= 12 {
            return;
        }
        let string = tree.above(id).find(|&a| tree.kind(a) == "string").and_then(|s| tree.child(s, "string_start"));
        let Some(string) = string else { return };
        let quotes = tree.text(string).trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let end = tree.children(id).find(|&c| matches!(tree.kind(c), "format_specifier" | "type_conversion")).map_or(n.end, |c| tree.node(c).start);
        let expression = &tree.text[n.start..end];
        let comment = tree.below(id).any(|c| tree.kind(c) == "comment" && tree.node(c).start < end);
        if expression.contains(quotes) || expression.contains('\\') || comment || quotes.len() == 1 && tree.text(id).contains('\n') {
            self.since(id, 12, "an f-string whose expression has its quotes, a backslash, a comment or a line break");
        }
    }

    fn concatenated(&mut self, id: Id) {
        let tree = self.tree;
        let has = |s: Id, letter| tree.text(s).bytes().take_while(u8::is_ascii_alphabetic).any(|c| c.eq_ignore_ascii_case(&letter));
        let sort = |s: Id| (has(s, b'b'), has(s, b't'));
        let mut strings = tree.named_children(id).filter(|&c| tree.kind(c) == "string");
        if let Some(first) = strings.next() {
            self.add(strings.find(|&s| sort(s) != sort(first)), "string", "bytes, text and templates cannot be concatenated");
        }
    }

    fn assignment(&mut self, id: Id) {
        let tree = self.tree;
        let Some(left) = tree.field(id, "left") else { return };
        // (x): int is a name in parentheses.
        let name = tree.kind(left) == "tuple_pattern" && tree.child(left, ",").is_none() && tree.named_children(left).next().is_some();
        if tree.field(id, "type").is_some() && !name && matches!(tree.kind(left), "pattern_list" | "tuple_pattern" | "list_pattern" | "list_splat_pattern") {
            self.add(left, "target", "only a single target can be annotated");
        }
    }

    /// Order of parameters: plain, with defaults, /, *args or *, keyword only, **kwargs.
    fn parameters(&mut self, id: Id) {
        let tree = self.tree;
        let (mut default, mut star, mut slash, mut splat) = (false, false, false, false);
        let mut bare: Option<Id> = None;
        for p in tree.named_children(id) {
            let inner = if tree.kind(p) == "typed_parameter" { p + 1 } else { p };
            let kind = tree.kind(inner);
            if matches!(kind, "comment" | "line_continuation") {
                continue;
            }
            if splat {
                self.add(p, "parameters", "parameters cannot follow **");
                return;
            }
            match kind {
                "default_parameter" | "typed_default_parameter" => default |= !star,
                "list_splat_pattern" | "keyword_separator" => {
                    if star {
                        self.add(p, "parameters", "* may appear only once");
                    }
                    star = true;
                    bare = (kind == "keyword_separator").then_some(p);
                    continue;
                }
                "dictionary_splat_pattern" => {
                    splat = true;
                    continue; // a bare * before it is still without a name
                }
                "positional_separator" => {
                    if tree.elements(id).next() == Some(p) {
                        self.add(p, "parameters", "a parameter must precede /");
                    }
                    if slash || star {
                        self.add(p, "parameters", "/ may appear only once, before *");
                    }
                    slash = true;
                    continue;
                }
                "tuple_pattern" => self.add(p, "python2", "tuple parameters are Python 2"),
                _ if default && !star => self.add(p, "parameters", "a parameter without a default follows one with a default"),
                _ => {}
            }
            bare = None;
        }
        self.add(bare, "parameters", "named parameters must follow a bare *");
    }

    fn arguments(&mut self, id: Id) {
        let tree = self.tree;
        let (mut keyword, mut splat) = (false, false);
        let mut names = HashSet::new();
        for a in tree.named_children(id) {
            match tree.kind(a) {
                "keyword_argument" => {
                    let name = tree.field_text(a, "name");
                    if !names.insert(name) && self.minor < 9 {
                        self.add(a, "arguments", format!("keyword argument {name} repeated"));
                    }
                    keyword = true;
                }
                "dictionary_splat" => splat = true,
                "list_splat" if splat => self.add(a, "arguments", "* follows **"),
                "comment" | "line_continuation" | "list_splat" | "ERROR" => {}
                _ if splat => self.add(a, "arguments", "a positional argument follows **"),
                _ if keyword => self.add(a, "arguments", "a positional argument follows a keyword argument"),
                _ => {}
            }
        }
    }
}

fn is_keyword(text: &str) -> bool {
    matches!(
        text,
        "and" | "as" | "assert" | "async" | "await" | "break" | "class" | "continue" | "def" | "del" | "elif" | "else" | "except" | "finally" | "for" | "from"
            | "global" | "if" | "import" | "in" | "is" | "lambda" | "nonlocal" | "not" | "or" | "pass" | "raise" | "return" | "try" | "while" | "with" | "yield"
    )
}

/// The white space in front of a node, if nothing else stands before it on its line.
fn indentation<'t>(tree: &Tree<'t>, byte: usize) -> Option<&'t str> {
    let before = &tree.text[..byte];
    let line = before.trim_end_matches([' ', '\t', '\u{c}', '\u{feff}']);
    let white = &before[line.len()..];
    let first = line.is_empty() || line.ends_with(['\n', '\r']) && !line.trim_end_matches(['\n', '\r']).ends_with('\\');
    let white = white.rsplit('\u{c}').next().unwrap_or(white).trim_start_matches('\u{feff}');
    (first && !white.contains('\u{feff}')).then_some(white)
}

/// The white space at the beginning of a node's line.
fn line_indentation<'t>(tree: &Tree<'t>, byte: usize) -> &'t str {
    let before = &tree.text[..byte];
    let line = &before[before.rfind(['\n', '\r']).map_or(0, |i| i + 1)..];
    let line = line.trim_start_matches('\u{c}');
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Columns with tabs of 8 and of 1, as CPython compares them.
fn columns(white: &str) -> (usize, usize) {
    white.bytes().fold((0, 0), |(a, b), c| if c == b'\t' { (a / 8 * 8 + 8, b + 1) } else { (a + 1, b + 1) })
}

/// The statements of a block are indented alike, and more than what they belong to.
fn block(tree: &Tree, id: Id, findings: &mut Findings) {
    let n = tree.node(id);
    let mut statements = tree.elements(id).peekable();
    let root = id == ROOT;
    if statements.peek().is_none() {
        if !root && tree.kind(n.parent) != "ERROR" {
            let next = tree.nodes[n.last..].iter().find(|m| m.named && !m.is_trivia()).unwrap_or(n);
            findings.add("indentation", next.start, next.end, "expected an indented block");
        }
        return;
    }
    let outer = if root { (0, 0) } else { columns(line_indentation(tree, tree.node(n.parent).start)) };
    let mut expected = root.then_some((0, 0));
    for s in statements {
        let m = tree.node(s);
        let Some(white) = indentation(tree, m.start) else {
            continue; // on the line of the header, or after ;
        };
        let here = columns(white);
        match expected {
            None => {
                if here.0 <= outer.0 {
                    findings.add("indentation", m.start, m.end, "expected an indented block");
                } else if here.1 <= outer.1 {
                    findings.add("indentation", m.start, m.end, "inconsistent use of tabs and spaces");
                }
                expected = Some(here);
            }
            Some(e) if here.0 == e.0 && here.1 != e.1 => findings.add("indentation", m.start, m.end, "inconsistent use of tabs and spaces"),
            Some(e) if here.0 != e.0 => {
                let what = if here.0 > e.0 { "unexpected indent" } else { "unindent does not match any outer indentation level" };
                findings.add("indentation", m.start, m.end, what);
            }
            _ => {}
        }
        for clause in tree.named_children(s).filter(|&c| is_clause(tree.kind(c))) {
            let c = tree.node(clause);
            if let Some(white) = indentation(tree, c.start) {
                let start = columns(line_indentation(tree, m.start));
                if columns(white) != start {
                    findings.add("indentation", c.start, c.end, "unindent does not match any outer indentation level");
                }
            }
        }
    }
}

fn is_clause(kind: &str) -> bool {
    matches!(kind, "elif_clause" | "else_clause" | "except_clause" | "except_group_clause" | "finally_clause")
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn lines_within_brackets_are_joined() {
        for (text, joined) in [
            ("if x:\n  y = (1 + # ü(\n2)\n", "if x:\n  y = (1 +       2)\n"),
            ("def f[T: int = a[b == c], *U = *d](x=1): pass", "def f[T: int : a[b == c], *U :  d](x=1): pass"),
            ("x = [a, \\\n'(\\'', \"\"\"\n\"\"\"]\n", "x = [a,   '(\\'', \"\"\"\n\"\"\"]\n"),
        ] {
            assert_eq!(join(text).as_deref(), Some(joined));
            assert_eq!(text.len(), joined.len());
        }
        for text in ["x = (1)\n", "x = (1\n", "x = (1\n]\n", "x = ('a\n')\n", "x = )\n(\n)", "('", "('\\"] {
            assert_eq!(join(text), None, "{text}");
        }
    }
}
