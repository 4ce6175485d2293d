//! What the readability plugins share: textstat's words, sentences and counts,
//! hyphenation, and how an index becomes a score. A plugin adds its language:
//! the syllables of a word, and the formulas.

mod automaton;
mod hyphen;
mod index;
mod scale;
mod text;

pub use automaton::Automaton;
pub use hyphen::Hyphenation;
pub use index::{readability, Index, Unit};
pub use scale::Scale;
pub use text::{over, Known, Language, Text, Word};
