//! The scorer `checks`: the checks that the configuration asks for.

mod duplicates;
mod names;
mod uses;

use crate::answer::parse;
use crate::complexity::{cyclomatic, Lines};
use crate::finding::{report, Findings};
use crate::shape::{self, part, Part};
use crate::Language;
use rubric_host_sdk::{Answer, Config, Error, Object, Request, Result};
use rubric_host_text::or_answer;
use rubric_host_tree::{Id, Query, Tree};
use std::collections::HashSet;

/// Every check.
const KEYS: [&str; 12] = [
    "forbid_calls", "forbid_imports", "forbid_queries", "require_queries", "require_functions", "docstrings", "comments", "naming", "max_lines", "max_nesting", "max_complexity", "duplicates",
];

/// The outcome of the checks so far.
struct Checks<'t, 'c> {
    language: &'t Language,
    tree: &'t Tree<'t>,
    config: Config<'c, 'c>,
    findings: Findings,
    details: Object,
    hits: Vec<&'static str>,
    misses: Vec<&'static str>,
}

/// The share of the configured checks that the code passes.
pub fn checks(language: &Language, request: &Request) -> Result<Answer> {
    let config = request.config();
    if KEYS.iter().all(|k| config.get(k).is_none()) {
        return Err(Error::new(format!("no check is configured: set one of {}", KEYS.join(", "))));
    }
    let (code, tree) = or_answer!(parse(language, request)?);
    if code.text.trim().is_empty() {
        return Ok(Answer::unscored("the output has no code"));
    }
    if tree.has_error {
        return Ok(Answer::unscored("the code does not parse; the scorer syntax says where"));
    }
    let mut c = Checks { language, tree: &tree, config, findings: Findings::default(), details: Object::new(), hits: Vec::new(), misses: Vec::new() };
    c.forbidden()?;
    if let Some(why) = c.queries()? {
        return Ok(Answer::unscored(why));
    }
    c.required()?;
    c.shares()?;
    c.limits()?;
    c.duplicates()?;
    let all = c.hits.len() + c.misses.len();
    let mut details = c.details;
    details.int("passed", c.hits.len() as u64).int("checks", all as u64).int("findings", c.findings.list.len() as u64);
    let mut answer = Answer::score(c.hits.len() as f64 / all as f64).details(details);
    for h in c.hits {
        answer = answer.hit(h);
    }
    for m in c.misses {
        answer = answer.miss(m);
    }
    c.findings.sort();
    Ok(report(answer, request.output()?.unwrap_or(""), &code, &c.findings))
}

impl Checks<'_, '_> {
    /// Counts a check as passed, unless there is a finding of its rule.
    fn done(&mut self, check: &'static str, rule: &str) {
        let list = if self.findings.list.iter().any(|f| f.rule == rule) { &mut self.misses } else { &mut self.hits };
        list.push(check);
    }

    fn forbidden(&mut self) -> Result<()> {
        if let Some(patterns) = self.config.texts("forbid_calls")? {
            let mut found = HashSet::new(); // a call may have several names
            for call in uses::calls(self.tree) {
                let Some(p) = patterns.iter().find(|p| uses::matches(&call.name, p)) else { continue };
                if found.insert((call.start, call.end)) {
                    self.findings.add("forbid-calls", call.start, call.end, format!("call of {}; {p} is forbidden", call.name));
                }
            }
            self.done("forbid_calls", "forbid-calls");
        }
        if let Some(modules) = self.config.texts("forbid_imports")? {
            for import in uses::imports(self.tree) {
                if let Some(m) = modules.iter().find(|m| uses::within(&import.name, m.strip_prefix("node:").unwrap_or(m))) {
                    self.findings.add("forbid-imports", import.start, import.end, format!("import of {}; {m} is forbidden", import.name));
                }
            }
            self.done("forbid_imports", "forbid-imports");
        }
        Ok(())
    }

    /// Runs the queries. What is returned is why the case cannot be decided.
    fn queries(&mut self) -> Result<Option<String>> {
        for (check, rule, required) in [("forbid_queries", "forbid-queries", false), ("require_queries", "require-queries", true)] {
            let Some(queries) = self.config.get(check) else { continue };
            let queries = queries.as_object().ok_or_else(|| format!("config {check} is not an object of names and queries"))?;
            for (name, text) in queries {
                let text = text.as_str().ok_or_else(|| format!("config {check}: {name} is not a text"))?;
                let query = Query::new(self.tree, text).map_err(|why| Error::new(format!("config {check}: the query {name} {why}")))?;
                let matches = match query.matches(self.tree) {
                    Ok(matches) => matches,
                    Err(why) => return Ok(Some(format!("the query {name} {why}"))),
                };
                if required && matches.is_empty() {
                    self.findings.add(rule, 0, 0, format!("nothing matches {name}"));
                }
                for m in matches.iter().filter(|_| !required) {
                    self.findings.add(rule, m.start, m.end, name.to_string());
                }
            }
            self.done(check, rule);
        }
        Ok(None)
    }

    fn required(&mut self) -> Result<()> {
        let Some(required) = self.config.get("require_functions") else { return Ok(()) };
        let required = required.as_object().ok_or("config require_functions is not an object of names and numbers of parameters")?;
        let functions: Vec<Id> = (0..self.tree.nodes.len()).filter(|&id| matches!(part(self.tree, id), Part::Function | Part::Lambda)).collect();
        for (wanted, parameters) in required {
            let found: Vec<Id> = functions.iter().copied().filter(|&f| shape::is_called(self.tree, f, wanted)).collect();
            let Some(&first) = found.first() else {
                self.findings.add("require-functions", 0, 0, format!("no function {wanted}"));
                continue;
            };
            let Some(n) = parameters.as_f64() else { continue };
            if !found.iter().any(|&f| shape::arity(self.tree, f) as f64 == n) {
                let has = shape::arity(self.tree, first);
                self.findings.at(self.tree, first, "require-functions", format!("{wanted} has {has} parameters; {n} are required"));
            }
        }
        self.done("require_functions", "require-functions");
        Ok(())
    }

    /// The checks of a share of something. Where there is nothing, they pass.
    fn shares(&mut self) -> Result<()> {
        let tree = self.tree;
        if let Some(least) = self.share("docstrings")? {
            let public: Vec<Id> = (0..tree.nodes.len()).filter(|&id| self.is_public(id)).collect();
            let without: Vec<Id> = public.iter().copied().filter(|&id| !shape::documented(tree, id)).collect();
            self.ratio("docstrings", public.len(), least, &without, |name| format!("{name} has no documentation"));
        }
        if let Some(least) = self.share("comments")? {
            let lines = Lines::of(tree.text);
            let all = tree.text.lines().filter(|l| !l.trim().is_empty()).count();
            let mut seen = 0;
            let mut commented = 0;
            for n in tree.nodes.iter().filter(|n| n.kind.ends_with("comment") && n.end > n.start) {
                let (from, to) = (lines.at(n.start).max(seen + 1), lines.at(n.end - 1));
                commented += (to + 1).saturating_sub(from);
                seen = seen.max(to);
            }
            let share = if all == 0 { 1.0 } else { commented.min(all) as f64 / all as f64 };
            self.details.num("comments", share);
            if share < least {
                self.findings.add("comments", 0, 0, format!("{commented} of {all} lines have a comment"));
            }
            self.done("comments", "comments");
        }
        if let Some(least) = self.share("naming")? {
            let Some(convention) = names::convention(self.language.name) else {
                return Err(Error::new(format!("config naming: {} has no one convention", self.language.name)));
            };
            let class = |id| part(tree, id) == Part::Class || matches!(tree.kind(id), "type_alias_declaration" | "type_alias_statement" | "type_item" | "annotation_type_declaration");
            let named: Vec<Id> = (0..tree.nodes.len())
                .filter(|&id| (part(tree, id) == Part::Function || class(id)) && !shape::name(tree, id).is_empty() && tree.kind(id) != "constructor_declaration")
                .collect();
            let odd: Vec<Id> = named.iter().copied().filter(|&id| !convention(shape::name(tree, id), class(id))).collect();
            self.ratio("naming", named.len(), least, &odd, |name| format!("{name} does not follow the naming convention"));
        }
        Ok(())
    }

    fn share(&self, key: &str) -> Result<Option<f64>> {
        if self.config.get(key).is_none() {
            return Ok(None);
        }
        let least = self.config.number(key, 0.0)?;
        if !(0.0..=1.0).contains(&least) {
            return Err(Error::new(format!("config {key} is {least}: use a number from 0 to 1")));
        }
        Ok(Some(least))
    }

    fn ratio(&mut self, check: &'static str, all: usize, least: f64, odd: &[Id], what: impl Fn(&str) -> String) {
        let share = if all == 0 { 1.0 } else { (all - odd.len()) as f64 / all as f64 };
        self.details.num(check, share);
        for &id in odd.iter().filter(|_| share < least) {
            self.findings.at(self.tree, id, check, what(shape::name(self.tree, id)));
        }
        self.done(check, check);
    }

    /// What should have documentation: named functions and classes that are not private; in Go and Rust, exported ones.
    fn is_public(&self, id: Id) -> bool {
        if !matches!(part(self.tree, id), Part::Function | Part::Class) {
            return false;
        }
        let name = shape::name(self.tree, id);
        let nested = self.tree.above(id).any(|a| matches!(part(self.tree, a), Part::Function | Part::Lambda));
        let exported = match self.language.name {
            "go" => name.starts_with(char::is_uppercase),
            "rust" => self.tree.child(id, "visibility_modifier").is_some_and(|v| self.tree.text(v) == "pub"),
            _ => !self.tree.children(id).any(|c| matches!(self.tree.kind(c), "modifiers" | "accessibility_modifier") && self.tree.text(c).split_whitespace().any(|w| w == "private")),
        };
        !name.is_empty() && !name.starts_with(['_', '#']) && !nested && exported
    }

    fn limits(&mut self) -> Result<()> {
        let tree = self.tree;
        if self.config.get("max_lines").is_some() {
            let most = self.config.count("max_lines", 1, 1, 1_000_000)?;
            let lines = Lines::of(tree.text);
            let lengths = shape::functions(tree).into_iter().map(|f| (f, lines.at(tree.node(f).end.max(1) - 1) + 1 - lines.at(tree.node(f).start))).collect();
            self.most("max_lines", "max-lines", most, lengths, "lines");
        }
        if self.config.get("max_nesting").is_some() {
            let most = self.config.count("max_nesting", 1, 1, 1_000_000)?;
            let depths = shape::functions(tree).into_iter().map(|f| (f, nesting(tree, f))).collect();
            self.most("max_nesting", "max-nesting", most, depths, "levels of nesting");
        }
        if self.config.get("max_complexity").is_some() {
            let most = self.config.count("max_complexity", 1, 1, 1_000_000)?;
            let all = cyclomatic(self.language, tree);
            for m in all.iter().filter(|m| m.value > most) {
                self.findings.add("max-complexity", m.start, m.end, format!("{} has a cyclomatic complexity of {}; the most is {most}", m.name, m.value));
            }
            self.details.int("max_complexity", all.iter().map(|m| m.value).max().unwrap_or(0) as u64);
            self.done("max_complexity", "max-complexity");
        }
        Ok(())
    }

    fn most(&mut self, check: &'static str, rule: &'static str, most: usize, list: Vec<(Id, usize)>, unit: &str) {
        self.details.int(check, list.iter().map(|x| x.1).max().unwrap_or(0) as u64);
        for (id, value) in list.into_iter().filter(|x| x.1 > most) {
            let name = shape::qualified(self.tree, id);
            let name = if name.is_empty() { "a function" } else { &name };
            self.findings.at(self.tree, id, rule, format!("{name} has {value} {unit}; the most is {most}"));
        }
        self.done(check, rule);
    }

    fn duplicates(&mut self) -> Result<()> {
        if self.config.get("duplicates").is_none() {
            return Ok(());
        }
        let tokens = self.config.count("duplicates", 50, 10, 100_000)?;
        let found = duplicates::find(self.tree, tokens);
        let lines = Lines::of(self.tree.text);
        for d in &found {
            self.findings.add("duplicates", d.start, d.end, format!("{} tokens repeat those of line {}", d.tokens, lines.at(d.first)));
        }
        self.details.int("duplicates", found.len() as u64);
        self.done("duplicates", "duplicates");
        Ok(())
    }
}

/// The deepest nesting in a function, which itself is level 0.
fn nesting(tree: &Tree, function: Id) -> usize {
    let mut open: Vec<Id> = Vec::new();
    let mut deepest = 0;
    for id in tree.below(function) {
        while open.last().is_some_and(|&end| end <= id) {
            open.pop();
        }
        if matches!(part(tree, id), Part::Loop | Part::If | Part::Switch | Part::Function | Part::Lambda) || matches!(tree.kind(id), "try_statement" | "try_with_resources_statement" | "with_statement") {
            open.push(tree.node(id).last);
            deepest = deepest.max(open.len());
        }
    }
    deepest
}

