//! Lizard's state machines, which hand their tokens to machines inside them.

use super::context::Context;

/// One of lizard's classes of machines.
pub trait Machine: Sized {
    type State: Copy;
    /// What a machine does when the one inside it has ended.
    type Then: Copy;

    /// Takes a token in a state. True: the state has ended, and the saved one goes on.
    fn step(stack: &mut Stack<Self>, at: usize, state: Self::State, token: &str, context: &mut Context) -> bool;
    fn then(stack: &mut Stack<Self>, at: usize, then: Self::Then, context: &mut Context);
    /// Sees a machine inside this one that has ended.
    fn ended(&mut self, _inner: &Self) {}
}

/// One machine.
pub struct Level<M: Machine> {
    pub state: M::State,
    saved: M::State,
    then: Option<M::Then>,
    pub last: String,
    pub exit: bool,
    brackets: i64,
    pub own: M,
}

/// How deep machines nest. Lizard itself ends at Python's limit of recursion, at some hundreds.
const MOST: usize = 200;

/// Machines inside each other: the first is the outermost.
pub struct Stack<M: Machine> {
    pub levels: Vec<Level<M>>,
    pub too_deep: bool,
}

impl<M: Machine> Level<M> {
    pub fn new(state: M::State, own: M) -> Self {
        Level { state, saved: state, then: None, last: String::new(), exit: false, brackets: 0, own }
    }
}

impl<M: Machine> Stack<M> {
    pub fn new(state: M::State, own: M) -> Self {
        Stack { levels: vec![Level::new(state, own)], too_deep: false }
    }

    /// Gives a token to a machine, which gives it to the one inside it. True: it has ended.
    pub fn call(&mut self, at: usize, token: &str, context: &mut Context) -> bool {
        let top = self.levels.len() - 1;
        let mut ended = M::step(self, top, self.levels[top].state, token, context);
        for at in (at..=top).rev() {
            if ended {
                if self.levels.len() > at + 1 {
                    let inner = self.levels.swap_remove(at + 1);
                    self.levels[at].own.ended(&inner.own);
                }
                let saved = self.levels[at].saved;
                self.next(at, saved);
                if let Some(then) = self.levels[at].then {
                    M::then(self, at, then, context);
                    self.levels[at].then = None; // even if it has just been set
                }
            }
            let level = &mut self.levels[at];
            level.last.clear();
            level.last.push_str(token);
            ended = level.exit;
        }
        ended
    }

    /// Goes to a state, and drops the states inside.
    pub fn next(&mut self, at: usize, state: M::State) {
        self.levels.truncate(at + 1);
        self.levels[at].state = state;
    }

    /// Goes to a state with a token.
    pub fn next_with(&mut self, at: usize, state: M::State, token: &str, context: &mut Context) -> bool {
        self.next(at, state);
        self.call(at, token, context)
    }

    /// Puts a machine inside.
    pub fn sub(&mut self, at: usize, inner: Level<M>, then: Option<M::Then>) {
        self.levels.truncate(at + 1);
        let level = &mut self.levels[at];
        level.saved = level.state;
        level.then = then;
        if at < MOST {
            self.levels.push(inner);
        } else {
            self.too_deep = true;
        }
    }

    /// Counts brackets: true where as many are closed as are open.
    pub fn brackets(&mut self, at: usize, open: &str, shut: &str, token: &str) -> bool {
        let level = &mut self.levels[at];
        level.brackets += i64::from(token == open) - i64::from(token == shut);
        level.brackets == 0
    }

    /// Goes to a state where as many brackets are closed as are open.
    pub fn skip(&mut self, at: usize, open: &str, shut: &str, token: &str, next: M::State) {
        if self.brackets(at, open, shut, token) {
            self.next(at, next);
        }
    }

    /// Whether no bracket is open.
    pub fn closed(&self, at: usize) -> bool {
        self.levels[at].brackets == 0
    }
}
