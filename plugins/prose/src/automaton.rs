//! A reader of the automata that tables.py writes: sets of words with a value
//! each, searched letter by letter where they lie.

/// An automaton and the alphabet of its labels.
pub struct Automaton {
    edges: &'static [u8],
    ascii: [u8; 128],
    others: &'static [(char, u8)],
    /// One more than the labels.
    side: usize,
}

/// A node: the number of its first edge.
pub type Node = usize;

/// The label of a character that no word has.
const STRANGE: u8 = 63;

impl Automaton {
    /// `alphabet` holds the ASCII characters of labels 1 and up, `others` the
    /// rest with their labels.
    pub const fn new(edges: &'static [u8], alphabet: &str, others: &'static [(char, u8)]) -> Self {
        let mut ascii = [STRANGE; 128];
        let letters = alphabet.as_bytes();
        let mut i = 0;
        while i < letters.len() {
            ascii[letters[i] as usize] = i as u8 + 1;
            i += 1;
        }
        Automaton { edges, ascii, others, side: letters.len() + others.len() + 1 }
    }

    /// The label of a character, for [`Self::pair`] and [`Self::next`].
    #[inline]
    pub fn label(&self, c: char) -> u8 {
        match self.ascii.get(c as usize) {
            Some(&label) => label,
            None => self.others.iter().find(|(o, _)| *o == c).map_or(STRANGE, |(_, label)| *label),
        }
    }

    /// An edge, and above its 24 bits some of the next one: masked here, it would be two reads of
    /// memory in the module.
    #[inline]
    fn edge(&self, number: usize) -> u32 {
        match self.edges.get(3 * number..3 * number + 4) {
            Some(&[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]),
            _ => LAST,
        }
    }

    /// The node that the first two letters of a word lead to.
    #[inline]
    pub fn pair(&self, first: u8, second: u8) -> Option<Node> {
        let (first, second) = (usize::from(first), usize::from(second));
        if first >= self.side || second >= self.side {
            return None;
        }
        let edge = self.edge(first * self.side + second);
        (edge & EDGE != 0).then_some(target(edge))
    }

    /// The value of the word that is one letter.
    #[inline]
    pub fn single(&self, label: u8) -> Option<usize> {
        self.pair(label, 0)
    }

    /// The node that the next letter leads to.
    #[inline]
    pub fn next(&self, node: Node, label: u8) -> Option<Node> {
        let mut number = node;
        loop {
            let edge = self.edge(number);
            if edge & 63 == u32::from(label) {
                return Some(target(edge));
            }
            if edge & LAST != 0 {
                return None;
            }
            number += 1;
        }
    }

    /// The value of the word that ends at a node.
    #[inline]
    pub fn value(&self, node: Node) -> Option<usize> {
        let edge = self.edge(node);
        (edge & 63 == 0).then_some(target(edge))
    }

    /// The value of a word, for an alphabet within ASCII.
    pub fn get(&self, word: &str) -> Option<usize> {
        let mut letters = word.bytes().map(|c| *self.ascii.get(usize::from(c)).unwrap_or(&STRANGE));
        let first = letters.next()?;
        let Some(second) = letters.next() else { return self.single(first) };
        let end = letters.try_fold(self.pair(first, second)?, |node, label| self.next(node, label))?;
        self.value(end)
    }
}

/// The bit of the last edge of a node.
const LAST: u32 = 64;

/// All bits of an edge.
const EDGE: u32 = 0xff_ffff;

/// Where an edge leads, or its value.
#[inline]
fn target(edge: u32) -> usize {
    (edge >> 7 & 0x1_ffff) as usize
}
