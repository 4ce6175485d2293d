//! A reader of the automata that tables.py writes: sets of words with a value
//! each, searched letter by letter where they lie.

/// An automaton and the alphabet of its labels.
pub struct Automaton {
    edges: &'static [u8],
    ascii: [u8; 256],
    others: &'static [(char, u8)],
}

/// A node: twice the place of its edges, each of which lies as much further as its label says, and
/// one more if a word ends there.
pub type Node = usize;

/// Where words begin.
pub const ROOT: Node = 0;

/// The label of a character that no word has.
const STRANGE: u8 = 62;

/// No edge: one with label 63.
const NONE: u32 = 63;

impl Automaton {
    /// `alphabet` holds the ASCII characters of labels 1 and up, lower case for both, `others` the
    /// rest with their labels.
    pub const fn new(edges: &'static [u8], alphabet: &str, others: &'static [(char, u8)]) -> Self {
        let mut ascii = [STRANGE; 256];
        let letters = alphabet.as_bytes();
        let mut i = 0;
        while i < letters.len() {
            ascii[letters[i] as usize] = i as u8 + 1;
            ascii[letters[i].to_ascii_uppercase() as usize] = i as u8 + 1;
            i += 1;
        }
        Automaton { edges, ascii, others }
    }

    /// The label of a character.
    #[inline]
    pub fn label(&self, c: char) -> u8 {
        match u8::try_from(c) {
            Ok(c) if c.is_ascii() => self.ascii[usize::from(c)],
            _ => self.others.iter().find(|(o, _)| *o == c).map_or(STRANGE, |(_, label)| *label),
        }
    }

    /// The edge at a place; one of another label if none is there. Its highest byte is not its own:
    /// masked here, it would be two reads of memory in the module.
    #[inline]
    fn edge(&self, place: usize) -> usize {
        let bytes = self.edges.get(3 * place..3 * place + 4).and_then(|e| e.try_into().ok());
        bytes.map_or(NONE, u32::from_le_bytes) as usize
    }

    /// The node that a letter leads to.
    #[inline]
    pub fn next(&self, node: Node, label: u8) -> Option<Node> {
        let edge = self.edge(node / 2 + usize::from(label));
        (edge % 64 == usize::from(label)).then_some(edge / 64 % (1 << 18))
    }

    /// The value of the word that ends at a node.
    #[inline]
    pub fn value(&self, node: Node) -> Option<usize> {
        (node % 2 == 1).then(|| self.edge(node / 2) / 128 % (1 << 17))
    }

    /// The value of a word, for an alphabet within ASCII.
    #[inline]
    pub fn get(&self, word: &str) -> Option<usize> {
        let end = word.bytes().try_fold(ROOT, |node, c| self.next(node, self.ascii[usize::from(c)]))?;
        self.value(end)
    }
}
