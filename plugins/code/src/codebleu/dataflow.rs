//! Data flow by CodeBLEU's walk over a syntax tree: where the value of each name comes from.
//!
//! One walk serves all languages; a table says which nodes are assignments, branches and
//! loops. The tables of the package `codebleu` 0.7.0 miss much of most languages, and the
//! corrected ones name what the grammars have.

use super::ngram::counts;
use rubric_host_tree::{Id, Tree, ROOT};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Deepest tree that is walked. The package ends its own recursion at 1,000 calls.
const MOST_DEPTH: u32 = 500;

/// Most steps of a walk. Each level of loops doubles them.
const MOST_STEPS: u32 = 1_000_000;

/// Which nodes do what.
pub struct Rules {
    /// Nodes whose value flows into a name: the way to find both, and the relation.
    pub flows: &'static [(&'static str, Sides, Relation)],
    /// Every name in it comes from every other: `i++`.
    pub updates: &'static [&'static str],
    /// A child of one of these kinds starts another branch.
    pub branches: &'static [&'static str],
    /// Children that are branches of their own. Empty: from the first child on that is a
    /// branch, every child starts from the state before.
    pub alternatives: &'static [&'static str],
    /// Whether what was known before a branch stays known, even if there is an else.
    pub keeps: bool,
    /// Loops with a header: what comes after a child of these kinds is walked again.
    pub loops: &'static [(&'static str, &'static [&'static str])],
    /// Loops over values: their names come from the values, and all is walked twice.
    pub each: &'static [(&'static str, &'static str, &'static str)],
    /// Loops that are walked twice.
    pub whiles: &'static [&'static str],
    /// Children that are walked before the others.
    pub first: &'static [&'static str],
    /// Whether assignments of several names to several values are taken apart, as for Python.
    pub pairs: bool,
}

/// How to find names and values of a node.
#[derive(Clone, Copy, PartialEq)]
pub enum Sides {
    /// Two fields; the second may be absent.
    Fields(&'static str, &'static str),
    /// The first field, and the first child.
    First(&'static str),
    /// The first field, and the last child.
    Last(&'static str),
    /// The first two of exactly two children, otherwise the first alone.
    Two,
    /// The second and the third child.
    Function,
}

/// What CodeBLEU calls the kind of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    ComesFrom,
    ComputedFrom,
}

/// Why there is no data flow.
#[derive(Debug)]
pub enum Stop {
    /// The package's walk fails, and leaves no data flow at all.
    Fails,
    /// Beyond a limit of ours.
    Limit(String),
}

/// One edge: a name at a token comes from others.
struct Edge {
    token: u32,
    relation: Relation,
    /// Texts, as numbers.
    from: Vec<u32>,
    /// Tokens.
    from_tokens: Vec<u32>,
}

/// An edge with names by order of appearance.
pub type Normal = (u32, Relation, Vec<u32>);

/// The share of edges of the reference that the candidate has too: matches and total.
pub fn matches(candidate: &[Normal], reference: &[Normal]) -> (usize, usize) {
    let mut has = counts(candidate.iter());
    let matched = reference.iter().filter(|e| has.get_mut(e).is_some_and(|n| *n > 0 && { *n -= 1; true })).count();
    (matched, reference.len())
}

/// The data flow of a tree. `exact`: with the package's errors in positions and texts.
pub fn of(tree: &Tree, rules: &Rules, exact: bool) -> Result<Vec<Normal>, String> {
    if let Some(depth) = tree.nodes.iter().map(|n| n.depth).max().filter(|&d| d > MOST_DEPTH) {
        return Err(format!("code nests {depth} levels deep; the limit of its data flow is {MOST_DEPTH}"));
    }
    let mut walk = Walk::new(tree, rules, exact);
    let edges = match walk.node(ROOT) {
        Ok(()) => walk.edges,
        Err(Stop::Fails) => Vec::new(),
        Err(Stop::Limit(why)) => return Err(why),
    };
    Ok(normal(edges, &walk.codes))
}

/// Leaves out names that nothing comes from and that come from nothing, merges the edges of
/// a token, and numbers the names.
fn normal(mut edges: Vec<Edge>, codes: &[u32]) -> Vec<Normal> {
    edges.sort_by_key(|e| e.token);
    let mut used: HashSet<u32> = HashSet::new();
    for e in edges.iter().filter(|e| !e.from_tokens.is_empty()) {
        used.insert(e.token);
        used.extend(&e.from_tokens);
    }
    let mut merged: Vec<Edge> = Vec::new();
    for e in edges.into_iter().filter(|e| used.contains(&e.token)) {
        match merged.last_mut().filter(|last| last.token == e.token) {
            Some(last) => {
                last.relation = e.relation;
                union(&mut last.from, &e.from);
            }
            None => merged.push(e),
        }
    }
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    let mut number = |code: u32| {
        let next = numbers.len() as u32;
        *numbers.entry(code).or_insert(next)
    };
    merged
        .into_iter()
        .map(|e| {
            let from = e.from.iter().map(|&c| number(c)).collect();
            (number(codes[e.token as usize]), e.relation, from)
        })
        .collect()
}

/// Adds what a list lacks. Duplicates of the list itself go, as in a set. The package takes
/// the order of a set of Python, which differs from run to run; here the first comes first.
fn union(list: &mut Vec<u32>, more: &[u32]) {
    let mut seen = HashSet::new();
    list.extend(more);
    list.retain(|&x| seen.insert(x));
}

/// What names stand for: the tokens that last gave them a value.
type State = HashMap<u32, Rc<[u32]>>;

struct Walk<'t> {
    tree: &'t Tree<'t>,
    rules: &'t Rules,
    /// The token of a node by its bytes; of several at one place the last.
    tokens: HashMap<(usize, usize), u32>,
    /// The text of each token, as a number in `texts`.
    codes: Vec<u32>,
    texts: Vec<String>,
    edges: Vec<Edge>,
    state: State,
    /// Whether to do as the package does where it is wrong.
    exact: bool,
    /// Steps that are left.
    steps: u32,
}

type Done = Result<(), Stop>;

impl<'t> Walk<'t> {
    fn new(tree: &'t Tree<'t>, rules: &'t Rules, exact: bool) -> Self {
        let mut w = Walk { tree, rules, tokens: HashMap::new(), codes: Vec::new(), texts: Vec::new(), edges: Vec::new(), state: HashMap::new(), exact, steps: MOST_STEPS };
        let lines = (exact && !tree.text.is_ascii()).then(|| Lines::new(tree.text));
        let mut known: HashMap<String, u32> = HashMap::new();
        let mut id = ROOT;
        while id < tree.nodes.len() {
            if !is_token(tree, id, exact) {
                id += 1;
                continue;
            }
            let n = tree.node(id);
            let text = match &lines {
                Some(lines) => lines.text(n.start, n.end),
                None => tree.text(id).replace('\n', ""),
            };
            let token = w.codes.len() as u32;
            let code = *known.entry(text).or_insert_with_key(|text| {
                w.texts.push(text.clone());
                w.texts.len() as u32 - 1
            });
            w.codes.push(code);
            w.tokens.insert((n.start, n.end), token);
            id = n.last;
        }
        w
    }

    /// Counts steps.
    fn step(&mut self, n: usize) -> Done {
        match self.steps.checked_sub(n as u32 + 1) {
            Some(left) => {
                self.steps = left;
                Ok(())
            }
            None => Err(Stop::Limit(format!("code has a data flow of more than {MOST_STEPS} steps; are loops nested deeply?"))),
        }
    }

    fn token(&self, id: Id) -> Result<u32, Stop> {
        let n = self.tree.node(id);
        self.tokens.get(&(n.start, n.end)).copied().ok_or(Stop::Fails)
    }

    fn code(&self, token: u32) -> u32 {
        self.codes[token as usize]
    }

    /// Whether a token is a word of the language, not a name or value.
    fn is_word(&self, id: Id, token: u32) -> bool {
        self.tree.kind(id) == self.texts[self.code(token) as usize]
    }

    /// The names and values in a node.
    fn names(&mut self, id: Id) -> Result<Vec<u32>, Stop> {
        let mut list = Vec::new();
        let mut at = id;
        while at < self.tree.node(id).last {
            if is_token(self.tree, at, self.exact) {
                let token = self.token(at)?;
                if !self.is_word(at, token) {
                    list.push(token);
                }
                at = self.tree.node(at).last;
            } else {
                at += 1;
            }
        }
        self.step(at - id)?;
        Ok(list)
    }

    fn edge(&mut self, token: u32, relation: Relation, from_tokens: Vec<u32>) -> Done {
        self.step(from_tokens.len())?;
        let from = from_tokens.iter().map(|&t| self.code(t)).collect();
        self.edges.push(Edge { token, relation, from, from_tokens });
        Ok(())
    }

    fn define(&mut self, token: u32) {
        self.state.insert(self.code(token), Rc::from([token]));
    }

    fn node(&mut self, id: Id) -> Done {
        self.step(0)?;
        if is_token(self.tree, id, self.exact) {
            return self.leaf(id);
        }
        let kind = self.tree.kind(id);
        let rules = self.rules;
        if let Some(&(_, sides, relation)) = rules.flows.iter().find(|f| f.0 == kind) {
            return self.flow(id, sides, relation);
        }
        if rules.updates.contains(&kind) {
            return self.update(id);
        }
        if rules.branches.contains(&kind) {
            return self.branch(id);
        }
        if let Some(&(_, headers)) = rules.loops.iter().find(|l| l.0 == kind) {
            return self.header_loop(id, headers);
        }
        if let Some(&(_, names, values)) = rules.each.iter().find(|e| e.0 == kind) {
            return self.each(id, names, values);
        }
        if rules.whiles.contains(&kind) {
            let from = self.edges.len();
            for _ in 0..2 {
                for c in self.tree.children(id) {
                    self.node(c)?;
                }
            }
            self.merge(from);
            return Ok(());
        }
        let tree = self.tree;
        for c in tree.children(id).filter(|&c| rules.first.contains(&tree.kind(c))) {
            self.node(c)?;
        }
        for c in tree.children(id).filter(|&c| !rules.first.contains(&tree.kind(c))) {
            self.node(c)?;
        }
        Ok(())
    }

    fn leaf(&mut self, id: Id) -> Done {
        let token = self.token(id)?;
        if self.is_word(id, token) {
            return Ok(());
        }
        let code = self.code(token);
        if let Some(from) = self.state.get(&code).cloned() {
            self.step(from.len())?;
            self.edges.push(Edge { token, relation: Relation::ComesFrom, from: vec![code], from_tokens: from.to_vec() });
            return Ok(());
        }
        if self.tree.kind(id) == "identifier" {
            self.define(token);
        }
        self.edge(token, Relation::ComesFrom, Vec::new())
    }

    #[inline(never)]
    fn flow(&mut self, id: Id, sides: Sides, relation: Relation) -> Done {
        let tree = self.tree;
        let mut children = tree.children(id);
        let (names, value) = match sides {
            Sides::Fields(names, value) => (tree.field(id, names), tree.field(id, value)),
            Sides::First(names) => (tree.field(id, names), children.next()),
            Sides::Last(names) => (tree.field(id, names), children.last()),
            Sides::Two => {
                let list: Vec<Id> = children.by_ref().collect();
                (list.first().copied(), list.get(1).copied().filter(|_| list.len() == 2))
            }
            Sides::Function => (children.nth(1), children.next()),
        };
        if self.rules.pairs && matches!(relation, Relation::ComputedFrom) {
            let Some(value) = value else { return Ok(()) };
            let names = names.ok_or(Stop::Fails)?;
            // Only the parts of statements are paired, not those of comprehensions.
            return self.pairs(names, value, matches!(sides, Sides::Fields(..)));
        }
        let Some(value) = value else {
            if relation == Relation::ComputedFrom {
                return Err(Stop::Fails);
            }
            for name in self.names(names.ok_or(Stop::Fails)?)? {
                self.edge(name, relation, Vec::new())?;
                self.define(name);
            }
            return Ok(());
        };
        let list = self.names_before(names, value)?;
        self.from_each(list, value, relation)
    }

    /// The names of a side, after the value was walked.
    fn names_before(&mut self, names: Option<Id>, value: Id) -> Result<Vec<u32>, Stop> {
        self.node(value)?;
        self.names(names.ok_or(Stop::Fails)?)
    }

    /// Adds an edge from each name to each part of a value.
    fn from_each(&mut self, names: Vec<u32>, value: Id, relation: Relation) -> Done {
        let values = self.names(value)?;
        for name in names {
            for &v in &values {
                self.edge(name, relation, vec![v])?;
            }
            self.define(name);
        }
        Ok(())
    }

    /// Python: `a, b = c, d` are two assignments.
    fn pairs(&mut self, names: Id, value: Id, apart: bool) -> Done {
        let tree = self.tree;
        let parts = |id: Id| tree.children(id).filter(|&c| tree.kind(c) != ",").collect::<Vec<Id>>();
        let (mut left, mut right) = if apart { (parts(names), parts(value)) } else { (vec![names], vec![value]) };
        if left.len() != right.len() || left.is_empty() {
            (left, right) = (vec![names], vec![value]);
        }
        for &r in &right {
            self.node(r)?;
        }
        for (&l, &r) in left.iter().zip(&right) {
            let names = self.names(l)?;
            let values = self.names(r)?;
            for name in names {
                self.edge(name, Relation::ComputedFrom, values.clone())?;
                self.define(name);
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn update(&mut self, id: Id) -> Done {
        let names = self.names(id)?;
        self.from_each(names, id, Relation::ComputedFrom)
    }

    #[inline(never)]
    fn branch(&mut self, id: Id) -> Done {
        let (tree, rules) = (self.tree, self.rules);
        self.step(self.state.len())?;
        let before = self.state.clone();
        let mut others: Vec<State> = Vec::new();
        // Where the condition and the first branch lead to.
        let mut main = std::mem::take(&mut self.state);
        let mut apart = false;
        let mut has_else = rules.keeps;
        for c in tree.children(id) {
            let kind = tree.kind(c);
            has_else |= kind.contains("else");
            let alternative = if rules.alternatives.is_empty() {
                apart |= rules.branches.contains(&kind);
                apart
            } else {
                rules.alternatives.contains(&kind)
            };
            if alternative {
                self.step(before.len())?;
                self.state = before.clone();
                self.node(c)?;
                others.push(std::mem::take(&mut self.state));
            } else {
                self.state = main;
                self.node(c)?;
                main = std::mem::take(&mut self.state);
            }
        }
        if !has_else || rules.keeps {
            others.push(before);
        }
        for other in others {
            self.step(other.len())?;
            for (code, tokens) in other {
                let known = main.entry(code).or_insert_with(|| tokens.clone());
                if *known != tokens {
                    let mut all: Vec<u32> = known.iter().chain(tokens.iter()).copied().collect();
                    all.sort_unstable();
                    all.dedup();
                    self.steps = self.steps.saturating_sub(all.len() as u32);
                    *known = all.into();
                }
            }
        }
        self.state = main;
        Ok(())
    }

    #[inline(never)]
    fn header_loop(&mut self, id: Id, headers: &[&str]) -> Done {
        let tree = self.tree;
        let from = self.edges.len();
        for c in tree.children(id) {
            self.node(c)?;
        }
        let mut again = false;
        for c in tree.children(id) {
            if again {
                self.node(c)?;
            } else if headers.contains(&tree.kind(c)) {
                if let Some(update) = tree.field(c, "update") {
                    self.node(update)?;
                }
                again = true;
            }
        }
        self.merge(from);
        Ok(())
    }

    #[inline(never)]
    fn each(&mut self, id: Id, names: &str, values: &str) -> Done {
        let tree = self.tree;
        let from = self.edges.len();
        for _ in 0..2 {
            let (names, value) = (tree.field(id, names).ok_or(Stop::Fails)?, tree.field(id, values).ok_or(Stop::Fails)?);
            if self.rules.pairs {
                self.pairs(names, value, true)?;
                // The package forgets the body if an else follows it.
                let last = tree.children(id).last().filter(|&c| tree.kind(c) == "block");
                let parts = if self.exact { [last, None] } else { [tree.field(id, "body"), tree.field(id, "alternative")] };
                for part in parts.into_iter().flatten() {
                    self.node(part)?;
                }
            } else {
                let list = self.names_before(Some(names), value)?;
                self.from_each(list, value, Relation::ComputedFrom)?;
                self.node(tree.field(id, "body").ok_or(Stop::Fails)?)?;
            }
        }
        self.merge(from);
        Ok(())
    }

    /// Makes one of the edges of a token with the same relation, from an edge on.
    fn merge(&mut self, from: usize) {
        let mut at: HashMap<(u32, Relation), usize> = HashMap::new();
        let mut merged: Vec<Edge> = Vec::new();
        for e in self.edges.drain(from..) {
            match at.get(&(e.token, e.relation)) {
                Some(&i) => {
                    union(&mut merged[i].from, &e.from);
                    union(&mut merged[i].from_tokens, &e.from_tokens);
                }
                None => {
                    at.insert((e.token, e.relation), merged.len());
                    merged.push(e);
                }
            }
        }
        self.edges.extend(merged);
    }
}

/// Whether a node counts as one token: leaves, and strings with what is in them. The
/// package knows only comments that are called `comment`.
pub fn is_token(tree: &Tree, id: Id, exact: bool) -> bool {
    let n = tree.node(id);
    let comment = if exact { n.kind == "comment" } else { n.kind.ends_with("comment") };
    (n.is_leaf(id) || matches!(n.kind, "string_literal" | "string" | "character_literal")) && !comment
}

/// The lines of a text in code points.
struct Lines {
    lines: Vec<Vec<char>>,
    starts: Vec<usize>,
}

impl Lines {
    fn new(text: &str) -> Self {
        let mut at = 0;
        let starts = text.split('\n').map(|l| { let start = at; at += l.len() + 1; start }).collect();
        Lines { lines: text.split('\n').map(|l| l.chars().collect()).collect(), starts }
    }

    /// The text that the package takes for a node: it uses columns in bytes as columns in
    /// code points. Ends of lines are left out.
    fn text(&self, start: usize, end: usize) -> String {
        let at = |byte: usize| {
            let row = self.starts.partition_point(|&s| s <= byte) - 1;
            (row, byte - self.starts[row])
        };
        let ((row, column), (last, end)) = (at(start), at(end));
        let cut = |row: usize, from: usize, to: usize| {
            let line = &self.lines[row];
            line[from.min(line.len())..to.min(line.len()).max(from.min(line.len()))].iter()
        };
        let mut text = String::new();
        for r in row..=last {
            text.extend(cut(r, if r == row { column } else { 0 }, if r == last { end } else { usize::MAX }));
        }
        text
    }
}
