//! A reader of the automata that tables.py writes: sets of words with a value
//! each, searched letter by letter where they lie.

/// An automaton and the alphabet of its labels.
pub struct Automaton {
    edges: &'static [u8],
    ascii: [u8; 128],
    others: &'static [(char, u8)],
}

/// A node: the number of its first edge.
pub type Node = usize;

/// The number of edges of the root, one for each label.
const ROOT: usize = 64;

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
        Automaton { edges, ascii, others }
    }

    /// The label of a character, for [`Self::first`] and [`Self::next`].
    #[inline]
    pub fn label(&self, c: char) -> u8 {
        match self.ascii.get(c as usize) {
            Some(&label) => label,
            None => self.others.iter().find(|(o, _)| *o == c).map_or(STRANGE, |(_, label)| *label),
        }
    }

    #[inline]
    fn edge(&self, number: usize) -> u32 {
        match self.edges.get(3 * number..3 * number + 4) {
            Some(&[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]) & 0xff_ffff, // one read of memory
            _ => LAST,
        }
    }

    /// The node that the first letter of a word leads to.
    #[inline]
    pub fn first(&self, label: u8) -> Option<Node> {
        let edge = self.edge(usize::from(label) % ROOT);
        (edge != 0).then_some((edge >> 7) as Node)
    }

    /// The node that the next letter leads to.
    #[inline]
    pub fn next(&self, node: Node, label: u8) -> Option<Node> {
        let mut number = node;
        loop {
            let edge = self.edge(number);
            if edge & 63 == u32::from(label) {
                return Some((edge >> 7) as Node);
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
        (edge & 63 == 0).then_some((edge >> 7) as usize)
    }

    /// The value of a word, for an alphabet within ASCII.
    pub fn get(&self, word: &str) -> Option<usize> {
        let mut letters = word.bytes().map(|c| *self.ascii.get(usize::from(c)).unwrap_or(&STRANGE));
        let first = self.first(letters.next()?)?;
        let end = letters.try_fold(first, |node, label| self.next(node, label))?;
        self.value(end)
    }
}

/// The bit of the last edge of a node.
const LAST: u32 = 64;
