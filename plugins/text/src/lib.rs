//! What the text metrics share. Every reference implementation is Python on
//! Unicode code points: what Python takes for white space, for a word
//! character and for lower case decides scores, so it is written down once,
//! here.
//!
//! Stability: internal to the built-in plugins.

mod beside;
mod breaks;
mod doubt;
pub mod edit;
pub mod equal;
mod given;
mod graphemes;
mod matching;
mod negated;
mod ngram;
mod number;
mod numeral;
mod overlap;
mod porter;
mod reasoning;
mod segments;
mod stated;
mod tables;
mod texts;
mod treebank;
mod unicode;
mod visible;
#[cfg(any(test, feature = "vectors"))]
pub mod vectors;

pub use doubt::{clause_ends, conditional, denied, denies, doubted, negative, turn, words, words_before};
pub use given::{announcement, asked, boxed, case_of_box, explanation, first_turn, given, Given, ANSWERS};
pub use graphemes::graphemes;
pub use matching::Matching;
pub use negated::{bound, denied_before, instead, joins_numbers, minus, negated, operated, precision, Bound};
pub use ngram::{key, place, Counts, NONE, SHORT};
pub use number::{decimals, digit, fraction, joins, link, number_word, numbers, worded_line, Comma, Link, Number, Sure, BEFORE, NUMBERS};
pub use overlap::Overlap;
pub use porter::{stem, stem_cased};
pub use reasoning::after_reasoning;
pub use segments::{counts, References, Segments};
pub use stated::{concludes, second_part, undenied};
pub use tables::{DIGIT, NUMBER, PUNCTUATION, SYMBOL, WORD};
pub use texts::{one_if, Texts};
pub use treebank::treebank;
pub use visible::visible;
pub use unicode::{
    alphanumerics, ascii_lower, casefold, each_word, find_any, folded, has_any, is_space, lower, split, strip, strip_end, Set,
};
