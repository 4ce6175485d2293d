//! Queries in tree-sitter's language.

use crate::ffi::{CQuery, Step};
use crate::Tree;

/// Longest query, in bytes.
const MOST_BYTES: usize = 4000;

/// Deepest nesting of a query. The C code recurses.
const MOST_DEPTH: usize = 40;

/// Most matches that a query may have open at once.
const MOST_OPEN: u32 = 4096;

/// A compiled query. Predicates are `#eq?`, `#not-eq?`, `#any-of?` and `#not-any-of?`.
pub struct Query {
    query: CQuery,
    captures: Vec<&'static str>,
    /// Of each pattern.
    predicates: Vec<Vec<Predicate>>,
}

/// A match: what the first capture covers whose name does not begin with `_`.
pub struct Match {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// Compares the text of a capture with texts or with that of another capture.
struct Predicate {
    capture: u32,
    others: Vec<Step>,
    equal: bool,
}

impl Query {
    /// Compiles a query for the language of a tree.
    pub fn new(tree: &Tree, text: &str) -> Result<Query, String> {
        if text.len() > MOST_BYTES {
            return Err(format!("has {} bytes; the limit is {MOST_BYTES}", text.len()));
        }
        let mut depth = 0usize;
        for c in text.bytes() {
            match c {
                b'(' | b'[' => depth += 1,
                b')' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > MOST_DEPTH {
                return Err(format!("nests more than {MOST_DEPTH} levels deep"));
            }
        }
        let query = CQuery::new(tree.root, text).map_err(|(at, kind)| {
            let at = text.get(..at).map_or(text.len(), str::len);
            let near: String = text[at..].chars().take_while(|c| !c.is_whitespace() && !matches!(c, ')' | '(')).take(40).collect();
            match kind {
                2 => format!("names the node {near}, which the grammar does not have"),
                3 => format!("names the field {near}, which the grammar does not have"),
                4 => format!("uses the capture {near}, which it does not define"),
                5 => format!("cannot match: no node of the grammar is built so, at byte {at}"),
                _ => format!("has a syntax error at byte {at}"),
            }
        })?;
        let captures = query.captures();
        if captures.iter().all(|c| c.starts_with('_')) {
            return Err("captures nothing: name what it finds, such as (call) @found".into());
        }
        let predicates = query.predicates().iter().map(|steps| read(steps)).collect::<Result<_, String>>()?;
        Ok(Query { query, captures, predicates })
    }

    /// The matches, in the order in which they end. Patterns without a capture of their own
    /// have none.
    pub fn matches(&self, tree: &Tree) -> Result<Vec<Match>, String> {
        let mut list = Vec::new();
        let complete = self.query.matches(tree.root, MOST_OPEN, |pattern, captures| {
            let texts = |capture: u32| captures.iter().filter(move |c| c.0 == capture).map(|&(_, start, end)| tree.text.get(start..end).unwrap_or(""));
            // Every node of a capture must fulfil a predicate; an optional one may be absent.
            let holds = self.predicates[pattern].iter().all(|p| {
                texts(p.capture).all(|own| {
                    let found = p.others.iter().any(|o| match o {
                        Step::Text(t) => own == *t,
                        Step::Capture(c) => texts(*c).any(|t| t == own),
                        Step::End => false,
                    });
                    found == p.equal
                })
            });
            let shown = captures.iter().find(|c| self.captures.get(c.0 as usize).is_some_and(|n| !n.starts_with('_')));
            if let (true, Some(&(_, start, end))) = (holds, shown) {
                list.push(Match { start, end });
            }
        });
        if !complete {
            return Err(format!("has more than {MOST_OPEN} matches open at once"));
        }
        Ok(list)
    }
}

/// Reads the predicates of a pattern.
fn read(steps: &[Step]) -> Result<Vec<Predicate>, String> {
    let mut list = Vec::new();
    for p in steps.split(|s| *s == Step::End).filter(|p| !p.is_empty()) {
        let Step::Text(name) = p[0] else { return Err("has a predicate without a name".into()) };
        let (equal, several) = match name {
            "eq?" => (true, false),
            "not-eq?" => (false, false),
            "any-of?" => (true, true),
            "not-any-of?" => (false, true),
            other => return Err(format!("has the predicate #{other}; use #eq?, #not-eq?, #any-of? or #not-any-of?")),
        };
        let (Some(Step::Capture(capture)), others) = (p.get(1), p.get(2..).unwrap_or(&[])) else {
            return Err(format!("has #{name} without a capture in front"));
        };
        if others.is_empty() || !several && others.len() != 1 {
            return Err(format!("has #{name} with {} values", others.len()));
        }
        list.push(Predicate { capture: *capture, others: others.to_vec(), equal });
    }
    Ok(list)
}
