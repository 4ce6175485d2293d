//! Running a program over a text: all alternatives at once, in the order in
//! which Python would try them, so that the time is at most the text times the
//! program.

use super::compile::{Program, Step};
use super::parse::{Assert, Class, Item, Kind};
use super::{fold, single};
use rubric_host_text::{is_space, DIGIT, WORD};

/// Where a match may lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    /// Anywhere.
    None,
    /// At the start.
    Start,
    /// From the start to the end.
    Both,
}

/// Places of a program where it may go on, best first.
struct Threads {
    /// A place, and where its match began.
    list: Vec<(usize, usize)>,
    seen: Vec<bool>,
}

impl Threads {
    fn new(program: &Program) -> Self {
        Threads { list: Vec::new(), seen: vec![false; program.steps.len()] }
    }

    fn clear(&mut self) {
        self.list.clear();
        self.seen.fill(false);
    }

    /// Adds `pc` and all it leads to without a character.
    fn add(&mut self, program: &Program, text: &[char], at: usize, pc: usize, start: usize, stack: &mut Vec<usize>) {
        stack.push(pc);
        while let Some(pc) = stack.pop() {
            if std::mem::replace(&mut self.seen[pc], true) {
                continue;
            }
            match program.steps[pc] {
                Step::Jump(to) => stack.push(to),
                Step::Save(_) => stack.push(pc + 1),
                Step::Split(first, second) => stack.extend([second, first]),
                Step::Assert(a) => {
                    if holds(a, text, at) {
                        stack.push(pc + 1);
                    }
                }
                _ => self.list.push((pc, start)),
            }
        }
    }
}

/// The first match from `from` on. `advance`: a match that is empty and at
/// `from` does not count.
pub fn find(program: &Program, text: &[char], from: usize, anchor: Anchor, advance: bool) -> Option<(usize, usize)> {
    let (mut now, mut next) = (Threads::new(program), Threads::new(program));
    let mut stack = Vec::new();
    let mut best = None;
    for at in from..=text.len() {
        if best.is_none() && (anchor == Anchor::None || at == from) {
            now.add(program, text, at, 0, at, &mut stack);
        }
        if now.list.is_empty() && (best.is_some() || anchor != Anchor::None) {
            break;
        }
        for &(pc, start) in &now.list {
            let on = match &program.steps[pc] {
                Step::Match => {
                    if (anchor == Anchor::Both && at < text.len()) || (advance && at == from && start == from) {
                        continue;
                    }
                    best = Some((start, at));
                    break; // what comes after is less preferred
                }
                step => takes(program, step, text.get(at).copied()),
            };
            if on {
                next.add(program, text, at + 1, pc + 1, start, &mut stack);
            }
        }
        std::mem::swap(&mut now, &mut next);
        next.clear();
    }
    best
}

/// Whether a step accepts a character.
fn takes(program: &Program, step: &Step, c: Option<char>) -> bool {
    match step {
        Step::Char(want) => c == Some(*want),
        Step::Any(all) => c.is_some_and(|c| *all || c != '\n'),
        Step::Class(i) => c.is_some_and(|c| program.classes[*i].has(c)),
        _ => false,
    }
}

/// Places of a program with what each has noted of its groups.
struct Noting {
    list: Vec<usize>,
    seen: Vec<bool>,
    /// For each place of the program, the starts and ends of all groups.
    slots: Vec<Option<usize>>,
}

impl Noting {
    /// Adds `pc` and all it leads to without a character. `noted` is as before when it returns.
    fn add(&mut self, program: &Program, text: &[char], at: usize, pc: usize, noted: &mut [Option<usize>]) {
        enum Next {
            Place(usize),
            Restore(usize, Option<usize>),
        }
        let mut stack = vec![Next::Place(pc)];
        while let Some(next) = stack.pop() {
            let pc = match next {
                Next::Restore(slot, value) => {
                    noted[slot] = value;
                    continue;
                }
                Next::Place(pc) => pc,
            };
            if std::mem::replace(&mut self.seen[pc], true) {
                continue;
            }
            match program.steps[pc] {
                Step::Jump(to) => stack.push(Next::Place(to)),
                Step::Split(first, second) => stack.extend([Next::Place(second), Next::Place(first)]),
                Step::Assert(a) => {
                    if holds(a, text, at) {
                        stack.push(Next::Place(pc + 1));
                    }
                }
                Step::Save(slot) => {
                    stack.extend([Next::Restore(slot, noted[slot]), Next::Place(pc + 1)]);
                    noted[slot] = Some(at);
                }
                _ => {
                    self.list.push(pc);
                    self.slots[pc * noted.len()..][..noted.len()].copy_from_slice(noted);
                }
            }
        }
    }
}

/// The groups of the match that begins at `start`, which [`find`] has found: where each lies,
/// `None` for those that the match did without.
pub fn groups(program: &Program, text: &[char], start: usize, count: usize) -> Vec<Option<(usize, usize)>> {
    let size = 2 * count;
    let steps = program.steps.len();
    let new = || Noting { list: Vec::new(), seen: vec![false; steps], slots: vec![None; steps * size] };
    let (mut now, mut next) = (new(), new());
    let (mut noted, mut best) = (vec![None; size], vec![None; size]);
    now.add(program, text, start, 0, &mut noted);
    for at in start..=text.len() {
        for i in 0..now.list.len() {
            let pc = now.list[i];
            noted.copy_from_slice(&now.slots[pc * size..][..size]);
            if matches!(program.steps[pc], Step::Match) {
                best.copy_from_slice(&noted);
                break; // what comes after is less preferred
            }
            if takes(program, &program.steps[pc], text.get(at).copied()) {
                next.add(program, text, at + 1, pc + 1, &mut noted);
            }
        }
        std::mem::swap(&mut now, &mut next);
        next.list.clear();
        next.seen.fill(false);
        if now.list.is_empty() {
            break;
        }
    }
    best.chunks(2).map(|pair| pair[0].zip(pair[1])).collect()
}

fn holds(assert: Assert, text: &[char], at: usize) -> bool {
    let word = |i: usize| text.get(i).is_some_and(|c| WORD.has(*c));
    let boundary = || (at > 0 && word(at - 1)) != word(at);
    match assert {
        Assert::TextStart => at == 0,
        Assert::TextEnd => at == text.len(),
        Assert::LineStart => at == 0 || text[at - 1] == '\n',
        Assert::LineEnd => at == text.len() || text[at] == '\n',
        Assert::LastLineEnd => at == text.len() || (at + 1 == text.len() && text[at] == '\n'),
        Assert::Boundary => boundary(),
        // Python (before 3.14) has no boundary-less place in an empty text.
        Assert::NoBoundary => !text.is_empty() && !boundary(),
    }
}

impl Class {
    fn has(&self, c: char) -> bool {
        let mut found = self.lists(c);
        if self.ignore_case && !found {
            let folded = fold(c);
            let variants = [
                folded,
                single(c, c.to_lowercase()),
                single(c, c.to_uppercase()),
                single(folded, folded.to_uppercase()),
            ];
            found = variants.into_iter().any(|v| self.lists(v))
                || self.items.iter().any(|i| matches!(i, Item::Range(a, b) if a == b && fold(*a) == folded));
        }
        found != self.negated
    }

    fn lists(&self, c: char) -> bool {
        self.items.iter().any(|item| match item {
            Item::Range(a, b) => (*a..=*b).contains(&c),
            Item::Kind(kind, wanted) => {
                *wanted
                    == match kind {
                        Kind::Word => WORD.has(c),
                        Kind::Digit => DIGIT.has(c),
                        Kind::Space => is_space(c),
                    }
            }
        })
    }
}
