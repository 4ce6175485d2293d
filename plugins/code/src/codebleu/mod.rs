//! The scorer `codebleu`: how near code is to a reference, by n-grams, keywords, syntax and
//! data flow. Ren et al. 2020; the variant `package` is the PyPI package `codebleu` 0.7.0
//! with its defects, `corrected` is the paper's definition without them.

mod dataflow;
mod languages;
mod ngram;
mod strip;
mod subtrees;

use crate::answer::{tree_of, Decided, OUTPUT, REFERENCE};
use crate::shape;
use crate::source::code;
use crate::Language;
pub use languages::*;
use ngram::{counts, Grams, ORDERS};
use rubric_host_sdk::{Answer, Config, Error, Object, Request, Result};
use rubric_host_text::{or_answer, split, strip as trim, Texts};
use rubric_host_tree::{Id, Tree};
use std::collections::HashMap;

/// What the configuration says.
struct Settings {
    package: bool,
    /// Of n-grams, weighted n-grams, syntax and data flow; they sum to 1.
    weights: [f64; 4],
}

/// The figures of one case, or the sums of many.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Stats {
    ngrams: Grams,
    weighted: Grams,
    /// Matching subtrees, and those of the references.
    syntax: [f64; 2],
    /// Matching edges, and those of the references.
    flow: [f64; 2],
}

/// The four parts; no data flow: the references have none.
struct Parts {
    ngrams: f64,
    weighted: f64,
    syntax: f64,
    flow: Option<f64>,
}

/// How near the code is to its references.
pub fn codebleu(language: &Language, request: &Request) -> Result<Answer> {
    let config = request.config();
    let settings = Settings::read(&config)?;
    let Some(known) = language.codebleu else { return Err(Error::new(format!("CodeBLEU does not know {}", language.name))) };
    let texts = or_answer!(Texts::read(request)?);
    let candidate = code(language, texts.output, &config)?.text;
    let references: Vec<&str> = texts.references.iter().map(|r| code(language, r, &config).map(|c| c.text)).collect::<Result<_>>()?;
    let stats = or_answer!(if settings.package {
        package(language, known, candidate, &references)
    } else {
        corrected(language, known, candidate, &references, &settings)
    });
    Ok(stats.answer(&settings).stats(stats.to_list()))
}

/// The same for a corpus, from the sums of its cases.
pub fn codebleu_corpus(_: &Language, request: &Request) -> Result<Answer> {
    let settings = Settings::read(&request.config())?;
    let stats = Stats::from_list(&request.stats()?).ok_or("the stats are not those of codebleu")?;
    Ok(stats.answer(&settings))
}

impl Settings {
    fn read(config: &Config) -> Result<Self> {
        let package = match config.text("variant", "package")? {
            "package" => true,
            "corrected" => false,
            other => return Err(Error::new(format!("config variant is \"{other}\": use package or corrected"))),
        };
        let mut weights = [0.25; 4];
        if let Some(list) = config.get("weights") {
            let list = list.as_array().unwrap_or(&[]);
            let numbers: Vec<f64> = list.iter().filter_map(|v| v.as_f64()).filter(|w| (0.0..=1.0).contains(w)).collect();
            if list.len() != 4 || numbers.len() != 4 || (numbers.iter().sum::<f64>() - 1.0).abs() > 1e-9 {
                return Err(Error::new("config weights must be four numbers from 0 to 1 that sum to 1: of n-grams, weighted n-grams, syntax and data flow"));
            }
            weights.copy_from_slice(&numbers);
        }
        Ok(Settings { package, weights })
    }
}

/// Numbers texts, so that n-grams are lists of numbers.
#[derive(Default)]
struct Words<'t>(HashMap<&'t str, u32>);

impl<'t> Words<'t> {
    fn number(&mut self, tokens: impl IntoIterator<Item = &'t str>) -> Vec<u32> {
        tokens
            .into_iter()
            .map(|t| {
                let next = self.0.len() as u32;
                *self.0.entry(t).or_insert(next)
            })
            .collect()
    }

    /// The weight of each token: 1 for keywords, else the other.
    fn weights(&self, keywords: &str, other: f64) -> Vec<f64> {
        let mut list = vec![other; self.0.len()];
        for k in keywords.split(' ') {
            if let Some(&i) = self.0.get(k) {
                list[i as usize] = 1.0;
            }
        }
        list
    }
}

/// As the package computes it.
fn package(language: &Language, known: &Known, candidate: &str, references: &[&str]) -> Decided<Stats> {
    let mut words = Words::default();
    let mut tokens = |text| {
        let mut list = Vec::new();
        split(text, &mut list);
        words.number(list)
    };
    let hypothesis = tokens(candidate);
    let expected: Vec<Vec<u32>> = references.iter().map(|r| tokens(r)).collect();
    let weights = words.weights(known.keywords, 0.2);
    let mut stats = Stats {
        ngrams: ngram::precision(&hypothesis, &expected, |_| 1.0),
        weighted: ngram::recall(&hypothesis, &expected, |t| weights[t as usize]),
        ..Stats::default()
    };
    let strip = if known.python { strip::python } else { strip::c_like };
    let mut candidate = trim(candidate).to_string();
    for reference in references {
        // Once more for each reference, as the package does: a docstring may follow another.
        candidate = strip(&candidate);
        let reference = strip(trim(reference));
        let (ours, theirs) = (tree_of(language, OUTPUT, &candidate)?, tree_of(language, REFERENCE, &reference)?);
        let mut shapes = subtrees::Shapes::default();
        let has = counts(shapes.of(&ours, None).into_iter());
        let wanted = shapes.of(&theirs, None);
        stats.syntax[0] += wanted.iter().filter(|s| has.contains_key(s)).count() as f64;
        stats.syntax[1] += wanted.len() as f64;
        stats.flow(&ours, &theirs, &known.package, true)?;
    }
    Ok(stats)
}

/// As the paper has it, against the reference that is nearest.
fn corrected(language: &Language, known: &Known, candidate: &str, references: &[&str], settings: &Settings) -> Decided<Stats> {
    let ours = tree_of(language, OUTPUT, candidate)?;
    let mut best: Option<(f64, Stats)> = None;
    for reference in references {
        let theirs = tree_of(language, REFERENCE, reference)?;
        let mut words = Words::default();
        let hypothesis = words.number(tokens(&ours));
        let expected = vec![words.number(tokens(&theirs))];
        if expected[0].is_empty() {
            continue;
        }
        let weights = words.weights(known.keywords, 0.2);
        let mut stats = Stats {
            ngrams: ngram::precision(&hypothesis, &expected, |_| 1.0),
            weighted: ngram::precision(&hypothesis, &expected, |t| weights[t as usize]),
            ..Stats::default()
        };
        let mut shapes = subtrees::Shapes::default();
        let mut has = counts(shapes.of(&ours, Some(&remarks(&ours))).into_iter());
        let wanted = shapes.of(&theirs, Some(&remarks(&theirs)));
        stats.syntax[1] = wanted.len() as f64;
        for s in wanted {
            if let Some(n) = has.get_mut(&s).filter(|n| **n > 0) {
                *n -= 1;
                stats.syntax[0] += 1.0;
            }
        }
        stats.flow(&ours, &theirs, &known.corrected, false)?;
        let score = stats.parts(settings).total(settings);
        if best.as_ref().is_none_or(|b| score > b.0) {
            best = Some((score, stats));
        }
    }
    best.map(|b| b.1).ok_or_else(|| Answer::unscored("no reference has code"))
}



/// The nodes of comments and docstrings.
fn remarks(tree: &Tree) -> Vec<bool> {
    let mut list = vec![false; tree.nodes.len()];
    for id in 0..list.len() {
        if !list[id] && (tree.kind(id).ends_with("comment") || is_docstring(tree, id)) {
            list[id..tree.node(id).last].fill(true);
        }
    }
    list
}

/// Whether a node is the statement of a Python docstring.
fn is_docstring(tree: &Tree, id: Id) -> bool {
    let parent = tree.node(id).parent;
    tree.kind(id) == "expression_statement"
        && matches!(tree.kind(parent), "module" | "block")
        && shape::docstring(tree, parent)
        && tree.named_children(parent).find(|&c| tree.kind(c) != "comment") == Some(id)
}

/// The texts of the tokens of a tree, without comments and docstrings.
fn tokens<'t>(tree: &Tree<'t>) -> Vec<&'t str> {
    let mut list = Vec::new();
    let mut id = 0;
    while id < tree.nodes.len() {
        let n = tree.node(id);
        if n.kind.ends_with("comment") || is_docstring(tree, id) {
            id = n.last;
        } else if dataflow::is_token(tree, id, false) {
            list.push(tree.text(id));
            id = n.last;
        } else {
            id += 1;
        }
    }
    list.retain(|t| !t.trim().is_empty());
    list
}

/// How many figures stats have.
const FIGURES: usize = 2 * (2 * ORDERS + 2) + 4;

impl Stats {
    fn flow(&mut self, ours: &Tree, theirs: &Tree, rules: &dataflow::Rules, exact: bool) -> Decided<()> {
        let of = |whose, tree| dataflow::of(tree, rules, exact).map_err(|why| Answer::unscored(format!("{whose} {why}")));
        let (matched, all) = dataflow::matches(&of(OUTPUT, ours)?, &of(REFERENCE, theirs)?);
        self.flow[0] += matched as f64;
        self.flow[1] += all as f64;
        Ok(())
    }

    fn parts(&self, settings: &Settings) -> Parts {
        Parts {
            ngrams: self.ngrams.bleu(!settings.package),
            weighted: self.weighted.bleu(!settings.package),
            syntax: if self.syntax[1] == 0.0 { 0.0 } else { self.syntax[0] / self.syntax[1] },
            flow: (self.flow[1] > 0.0).then(|| self.flow[0] / self.flow[1]),
        }
    }

    fn answer(&self, settings: &Settings) -> Answer {
        let parts = self.parts(settings);
        let total = parts.total(settings);
        let mut o = Object::new();
        o.num("codebleu", total).num("ngram_match_score", parts.ngrams).num("weighted_ngram_match_score", parts.weighted);
        o.num("syntax_match_score", parts.syntax);
        match parts.flow {
            Some(flow) => o.num("dataflow_match_score", flow),
            None if settings.package => o.num("dataflow_match_score", 0.0),
            None => o.null("dataflow_match_score"),
        };
        o.text("variant", if settings.package { "package" } else { "corrected" });
        if total.is_nan() {
            return Answer::unscored("the references have no data flow, and nothing else has a weight").details(o);
        }
        Answer::score(total.clamp(0.0, 1.0)).details(o)
    }

    fn to_list(self) -> Vec<f64> {
        let mut list = Vec::with_capacity(FIGURES);
        for g in [self.ngrams, self.weighted] {
            list.extend(g.matches);
            list.extend(g.totals);
            list.extend([g.length, g.reference]);
        }
        list.extend(self.syntax);
        list.extend(self.flow);
        list
    }

    fn from_list(list: &[f64]) -> Option<Self> {
        if list.len() != FIGURES || list.iter().any(|n| !n.is_finite() || *n < 0.0) {
            return None;
        }
        let mut rest = list.iter().copied();
        let mut take = |to: &mut [f64]| to.iter_mut().zip(&mut rest).for_each(|(to, from)| *to = from);
        let mut s = Stats::default();
        for g in [&mut s.ngrams, &mut s.weighted] {
            take(&mut g.matches);
            take(&mut g.totals);
            take(std::slice::from_mut(&mut g.length));
            take(std::slice::from_mut(&mut g.reference));
        }
        take(&mut s.syntax);
        take(&mut s.flow);
        Some(s)
    }
}

impl Parts {
    /// The weighted sum. The package makes 1 of a data flow of 0; here a missing one is left
    /// out, and the other weights are scaled. NaN: they are 0.
    fn total(&self, settings: &Settings) -> f64 {
        let [n, w, s, f] = settings.weights;
        let sum = n * self.ngrams + w * self.weighted + s * self.syntax;
        match self.flow {
            None | Some(0.0) if settings.package => sum + f,
            None => sum / (n + w + s),
            Some(flow) => sum + f * flow,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stats_read_back() {
        let list: Vec<f64> = (0..FIGURES).map(|n| n as f64).collect();
        assert_eq!(Stats::from_list(&list).unwrap().to_list(), list);
        assert_eq!(Stats::from_list(&list[1..]), None);
    }
}
