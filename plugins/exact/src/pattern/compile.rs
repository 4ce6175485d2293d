//! From the tree of a pattern to a program for [`super::run`].

use super::parse::{Assert, Class, Node};

/// The longest program: it and the text bound the time.
const MAX_PROGRAM: usize = 20_000;

#[derive(Clone, Debug)]
pub enum Step {
    Char(char),
    Any(bool),
    Class(usize),
    Assert(Assert),
    /// Go on at both places; the first is preferred.
    Split(usize, usize),
    Jump(usize),
    /// Note the place: the start of group n at 2n, its end at 2n + 1.
    Save(usize),
    Match,
}

#[derive(Debug)]
pub struct Program {
    pub steps: Vec<Step>,
    pub classes: Vec<Class>,
    /// Whether groups are noted.
    captures: bool,
}

pub fn compile(node: &Node, captures: bool) -> Result<Program, &'static str> {
    let mut program = Program { steps: Vec::new(), classes: Vec::new(), captures };
    program.add(node)?;
    program.push(Step::Match)?;
    Ok(program)
}

impl Program {
    fn push(&mut self, step: Step) -> Result<usize, &'static str> {
        if self.steps.len() == MAX_PROGRAM {
            return Err("its repeats make it too large");
        }
        self.steps.push(step);
        Ok(self.steps.len() - 1)
    }

    fn add(&mut self, node: &Node) -> Result<(), &'static str> {
        match node {
            Node::Char(c) => self.push(Step::Char(*c)).map(drop),
            Node::Any(all) => self.push(Step::Any(*all)).map(drop),
            Node::Assert(a) => self.push(Step::Assert(*a)).map(drop),
            Node::Class(class) => {
                let index = self.classes.iter().position(|c| c == class).unwrap_or_else(|| {
                    self.classes.push(class.clone());
                    self.classes.len() - 1
                });
                self.push(Step::Class(index)).map(drop)
            }
            Node::Group(_, node) if !self.captures => self.add(node),
            Node::Group(n, node) => {
                self.push(Step::Save(2 * n))?;
                self.add(node)?;
                self.push(Step::Save(2 * n + 1)).map(drop)
            }
            Node::Concat(parts) => parts.iter().try_for_each(|p| self.add(p)),
            Node::Either(arms) => self.either(arms),
            Node::Repeat { node, least, most, greedy } => self.repeat(node, *least, *most, *greedy),
        }
    }

    fn either(&mut self, arms: &[Node]) -> Result<(), &'static str> {
        let mut jumps = Vec::new();
        for (i, arm) in arms.iter().enumerate() {
            if i + 1 == arms.len() {
                self.add(arm)?;
                break;
            }
            let split = self.push(Step::Split(0, 0))?;
            self.add(arm)?;
            jumps.push(self.push(Step::Jump(0))?);
            self.steps[split] = Step::Split(split + 1, self.steps.len());
        }
        for jump in jumps {
            self.steps[jump] = Step::Jump(self.steps.len());
        }
        Ok(())
    }

    fn repeat(&mut self, node: &Node, least: u32, most: Option<u32>, greedy: bool) -> Result<(), &'static str> {
        let split = |into: usize, past: usize| if greedy { Step::Split(into, past) } else { Step::Split(past, into) };
        let Some(most) = most else {
            // x* is (x+)?, so that a turn that matches nothing ends the loop.
            let skip = if least == 0 { Some(self.push(Step::Split(0, 0))?) } else { None };
            for _ in 1..least {
                self.add(node)?;
            }
            let start = self.steps.len();
            self.add(node)?;
            let end = self.push(Step::Split(0, 0))?;
            self.steps[end] = split(start, end + 1);
            if let Some(skip) = skip {
                self.steps[skip] = split(skip + 1, end + 1);
            }
            return Ok(());
        };
        for _ in 0..least {
            self.add(node)?;
        }
        let mut splits = Vec::new();
        for _ in least..most {
            splits.push(self.push(Step::Split(0, 0))?);
            self.add(node)?;
        }
        for at in splits {
            self.steps[at] = split(at + 1, self.steps.len());
        }
        Ok(())
    }
}
