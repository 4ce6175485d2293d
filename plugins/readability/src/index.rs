//! textstat's formulas. W words, S sentences, Y syllables; nothing is rounded,
//! and what would divide by nothing is 0.

use crate::syllables::English;
use rubric_host_prose::{over, Unit, Word};
use rubric_host_sdk::{Error, Object, Result};
use std::borrow::Cow;
use std::cell::LazyCell;

/// A text in English.
pub type Text<'t> = rubric_host_prose::Text<'t, English>;

/// One index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Index(usize);

type Formula = fn(&Text) -> f64;

#[cold]
fn unknown(what: &str, name: &str, known: impl Iterator<Item = &'static str>) -> Error {
    Error::new(format!("unknown {what} \"{name}\"; use one of {}", known.collect::<Vec<_>>().join(", ")))
}

/// Every index, in textstat's order; the last is the only one whose details are not a number alone.
const INDICES: [(&str, Unit, Formula); 15] = [
    ("flesch_reading_ease", Unit::Ease, flesch_reading_ease),
    ("flesch_kincaid_grade", Unit::Grade, flesch_kincaid_grade),
    ("gunning_fog", Unit::Grade, gunning_fog),
    ("smog_index", Unit::Grade, smog_index),
    ("coleman_liau_index", Unit::Grade, coleman_liau_index),
    ("automated_readability_index", Unit::Grade, automated_readability_index),
    ("dale_chall_readability_score", Unit::Grade, dale_chall),
    ("dale_chall_readability_score_v2", Unit::Grade, dale_chall_v2),
    ("lix", Unit::Other, |text| text.lix()),
    ("rix", Unit::Other, |text| text.rix()),
    ("linsear_write_formula", Unit::Grade, linsear_write),
    ("spache_readability", Unit::Grade, spache),
    ("mcalpine_eflaw", Unit::Other, mcalpine_eflaw),
    ("reading_time", Unit::Other, reading_time),
    ("text_standard", Unit::Grade, text_standard),
];

impl Index {
    pub fn read(name: &str) -> Result<Self> {
        let at = INDICES.iter().position(|(n, _, _)| *n == name);
        at.map(Index).ok_or_else(|| unknown("index", name, INDICES.iter().map(|i| i.0)))
    }

    pub fn name(self) -> &'static str {
        INDICES[self.0].0
    }

    pub fn unit(self) -> Unit {
        INDICES[self.0].1
    }

    pub fn of(self, text: &Text) -> f64 {
        INDICES[self.0].2(text)
    }
}

/// How a detail is computed and written.
enum Detail {
    Count(fn(&Text) -> usize),
    Number(Formula),
    /// The grade of `text_standard`, as a number and in words.
    Grade,
    Grades,
    /// The difficult words.
    Words,
}

/// Every detail under textstat's name for it, in the order in which they are written.
const DETAILS: [(&str, Detail); 33] = [
    ("lexicon_count", Detail::Count(|text| text.words.len())),
    ("sentence_count", Detail::Count(|text| text.sentences)),
    ("syllable_count", Detail::Count(|text| text.syllables)),
    ("char_count", Detail::Count(|text| text.chars)),
    ("letter_count", Detail::Count(|text| text.letters)),
    ("polysyllabcount", Detail::Count(|text| text.of_syllables[3])),
    ("monosyllabcount", Detail::Count(|text| text.of_syllables[1])),
    ("long_word_count", Detail::Count(|text| text.long)),
    ("miniword_count", Detail::Count(|text| text.mini)),
    ("flesch_reading_ease", Detail::Number(flesch_reading_ease)),
    ("flesch_kincaid_grade", Detail::Number(flesch_kincaid_grade)),
    ("gunning_fog", Detail::Number(gunning_fog)),
    ("smog_index", Detail::Number(smog_index)),
    ("coleman_liau_index", Detail::Number(coleman_liau_index)),
    ("automated_readability_index", Detail::Number(automated_readability_index)),
    ("dale_chall_readability_score", Detail::Number(dale_chall)),
    ("dale_chall_readability_score_v2", Detail::Number(dale_chall_v2)),
    ("lix", Detail::Number(|text| text.lix())),
    ("rix", Detail::Number(|text| text.rix())),
    ("linsear_write_formula", Detail::Number(linsear_write)),
    ("spache_readability", Detail::Number(spache)),
    ("mcalpine_eflaw", Detail::Number(mcalpine_eflaw)),
    ("reading_time", Detail::Number(reading_time)),
    ("avg_syllables_per_word", Detail::Number(|text| text.syllables_per_word())),
    ("avg_character_per_word", Detail::Number(chars_per_word)),
    ("avg_letter_per_word", Detail::Number(|text| text.letters_per_word())),
    ("avg_sentence_per_word", Detail::Number(|text| text.sentences_per_word())),
    ("words_per_sentence", Detail::Number(|text| text.words_per_sentence())),
    ("text_standard_float", Detail::Grade),
    ("text_standard", Detail::Grades),
    ("difficult_words_unique_ge2", Detail::Words),
    ("difficult_words_all_ge0", Detail::Count(|text| of_at_least(text, 0))),
    ("difficult_words_all_ge3", Detail::Count(|text| of_at_least(text, 3))),
];

/// Some of the details: a bit for each.
#[derive(Clone, Copy, PartialEq)]
pub struct Choice(u64);

impl Choice {
    pub const NONE: Self = Choice(0);
    pub const ALL: Self = Choice(u64::MAX);

    pub fn read(names: &[&str]) -> Result<Self> {
        let (mut bits, mut next) = (0, 0);
        for name in names {
            // Most lists are in the order of DETAILS. Each search starts where the last one ended, which saves 3 % of a line's time.
            let place = |from: usize| Some(from + DETAILS[from..].iter().position(|(n, _)| n == name)?);
            let at = place(next).or_else(|| place(0)).ok_or_else(|| unknown("detail", name, DETAILS.iter().map(|d| d.0)))?;
            bits |= 1 << at;
            next = at + 1;
        }
        Ok(Choice(bits))
    }

    pub fn of(self, text: &Text) -> Object {
        let mut o = Object::new();
        let standard = LazyCell::new(|| text_standard(text));
        for (at, (name, detail)) in DETAILS.iter().enumerate() {
            if self.0 >> at & 1 == 0 {
                continue;
            }
            match detail {
                Detail::Count(count) => o.int(name, count(text) as u64),
                Detail::Number(formula) => o.num(name, formula(text)),
                Detail::Grade => o.num(name, *standard),
                Detail::Grades => o.text(name, &grades(*standard as i64)),
                Detail::Words => o.texts(name, &difficult_words(text)),
            };
        }
        o
    }
}

/// The most bytes of the list of difficult words.
const MOST_LISTED: usize = 50_000;

/// The different difficult words of two syllables and more, those of up to 200 bytes, the first in
/// the order of the alphabet.
fn difficult_words<'t>(text: &Text<'t>) -> Vec<Cow<'t, str>> {
    let mut words: Vec<Cow<str>> =
        text.words.iter().filter(|w| w.difficult.is_some_and(|n| n >= 2)).map(Word::spelling).collect();
    words.sort_unstable();
    words.dedup();
    // Details have 64 KiB: a data URL is a word, and a long text has many.
    let mut room = MOST_LISTED;
    words.retain(|word| {
        let fits = word.len() <= 200 && word.len() + 3 <= room;
        room -= if fits { word.len() + 3 } else { 0 };
        fits
    });
    words
}

/// Characters of all kinds over stretches of all kinds.
fn chars_per_word(text: &Text) -> f64 {
    over(text.chars, text.tokens)
}

/// How many difficult words have at least so many syllables.
fn of_at_least(text: &Text, least: usize) -> usize {
    text.difficult[least..].iter().sum()
}

/// Per cent of the words that are difficult.
fn difficult(text: &Text, least: usize) -> f64 {
    100.0 * of_at_least(text, least) as f64 / text.words.len() as f64
}

fn flesch_reading_ease(text: &Text) -> f64 {
    let (length, syllables) = (text.words_per_sentence(), text.syllables_per_word());
    if length == 0.0 || syllables == 0.0 {
        return 0.0;
    }
    206.835 - 1.015 * length - 84.6 * syllables
}

fn flesch_kincaid_grade(text: &Text) -> f64 {
    let (length, syllables) = (text.words_per_sentence(), text.syllables_per_word());
    if length == 0.0 || syllables == 0.0 {
        return 0.0;
    }
    0.39 * length + 11.8 * syllables - 15.59
}

fn gunning_fog(text: &Text) -> f64 {
    if text.words.is_empty() {
        return 0.0;
    }
    0.4 * (text.words_per_sentence() + difficult(text, 3))
}

/// Without the minimum of thirty sentences of McLaughlin's paper.
fn smog_index(text: &Text) -> f64 {
    if text.sentences == 0 {
        return 0.0;
    }
    1.043 * (30.0 * (text.of_syllables[3] as f64 / text.sentences as f64)).sqrt() + 3.1291
}

/// With textstat's 0.058, where the paper has 0.0588.
fn coleman_liau_index(text: &Text) -> f64 {
    let letters = text.letters_per_word() * 100.0;
    let sentences = text.sentences_per_word() * 100.0;
    if letters == 0.0 || sentences == 0.0 {
        return 0.0;
    }
    0.058 * letters - 0.296 * sentences - 15.8
}

fn automated_readability_index(text: &Text) -> f64 {
    let (chars, length) = (chars_per_word(text), text.words_per_sentence());
    if chars == 0.0 || length == 0.0 {
        return 0.0;
    }
    4.71 * chars + 0.5 * length - 21.43
}

fn dale_chall(text: &Text) -> f64 {
    if text.words.is_empty() {
        return 0.0;
    }
    let difficult = difficult(text, 0);
    let score = 0.1579 * difficult + 0.0496 * text.words_per_sentence();
    if difficult > 5.0 {
        score + 3.6365
    } else {
        score
    }
}

fn dale_chall_v2(text: &Text) -> f64 {
    if text.words.is_empty() {
        return 0.0;
    }
    let score = 0.1579 * difficult(text, 2) + 0.0496 * text.words_per_sentence();
    if score > 0.05 {
        score + 3.6365
    } else {
        score
    }
}

/// Over the first hundred words; those without a syllable do not count.
fn linsear_write(text: &Text) -> f64 {
    let ([_, one, two, more], sentences) = text.first_hundred();
    if sentences == 0 {
        return 0.0;
    }
    let number = (one + two + 3 * more) as f64 / sentences as f64;
    (if number <= 20.0 { number - 2.0 } else { number }) / 2.0
}

/// With the Dale-Chall list, as textstat has it.
fn spache(text: &Text) -> f64 {
    if text.words.is_empty() {
        return 0.0;
    }
    0.141 * text.words_per_sentence() + 0.086 * difficult(text, 2) + 0.839
}

fn mcalpine_eflaw(text: &Text) -> f64 {
    over(text.words.len() + text.mini, text.sentences)
}

/// Seconds, at 14.69 milliseconds a character (Demberg and Keller 2008).
fn reading_time(text: &Text) -> f64 {
    14.69 * text.chars as f64 / 1000.0
}

/// The grade that most of eight indices come to, rounded down, up and to the
/// nearest; the first seen of several.
fn text_standard(text: &Text) -> f64 {
    let mut grades = Grades(Vec::with_capacity(24));
    grades.round(flesch_kincaid_grade(text));
    ease_grades(flesch_reading_ease(text)).iter().for_each(|&grade| grades.add(grade, 1));
    for formula in [smog_index, coleman_liau_index, automated_readability_index, dale_chall, linsear_write, gunning_fog] {
        grades.round(formula(text));
    }
    let best = grades.0.into_iter().reduce(|a, b| if b.1 > a.1 { b } else { a }).unwrap_or((0.0, 0));
    best.0 + 0.0 // no negative zero
}

/// Different grades and how often each was seen, in the order of their first.
struct Grades(Vec<(f64, u32)>);

impl Grades {
    fn add(&mut self, grade: f64, times: u32) {
        match self.0.iter_mut().find(|g| g.0 == grade) {
            Some(seen) => seen.1 += times,
            None => self.0.push((grade, times)),
        }
    }

    /// Adds a score rounded down, up and to the nearest.
    fn round(&mut self, score: f64) {
        let (down, near) = (score.floor(), score.round_ties_even());
        self.add(down, 1 + u32::from(near == down));
        self.add(score.ceil(), 1 + u32::from(near != down));
    }
}

fn ease_grades(ease: f64) -> &'static [f64] {
    match ease {
        e if (90.0..100.0).contains(&e) => &[5.0],
        e if (80.0..90.0).contains(&e) => &[6.0],
        e if (70.0..80.0).contains(&e) => &[7.0],
        e if (60.0..70.0).contains(&e) => &[8.0, 9.0],
        e if (50.0..60.0).contains(&e) => &[10.0],
        e if (40.0..50.0).contains(&e) => &[11.0],
        e if (30.0..40.0).contains(&e) => &[12.0],
        _ => &[13.0],
    }
}

/// The grade below and the grade itself in words: "4th and 5th grade".
fn grades(standard: i64) -> String {
    let mut words = String::with_capacity(64);
    for (n, after) in [(standard - 1, " and "), (standard, " grade")] {
        // std's way for all numbers takes several times as long.
        match u8::try_from(n) {
            Ok(n @ 0..=9) => words.push(char::from(b'0' + n)),
            Ok(n @ 10..=99) => words.extend([n / 10, n % 10].map(|n| char::from(b'0' + n))),
            _ => words.push_str(&n.to_string()),
        }
        words.push_str(match (n.rem_euclid(100), n.rem_euclid(10)) {
            (11..=13, _) => "th",
            (_, 1) => "st",
            (_, 2) => "nd",
            (_, 3) => "rd",
            _ => "th",
        });
        words.push_str(after);
    }
    words
}
