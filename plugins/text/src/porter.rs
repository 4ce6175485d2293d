//! Porter's stemmer as NLTK has it (mode NLTK_EXTENSIONS), which is what ROUGE
//! and METEOR use. It is not Porter's algorithm of 1980: what differs is said
//! where it differs.

/// Words that do not follow the rules.
const IRREGULAR: [(&str, &str); 16] = [
    ("sky", "sky"),
    ("skies", "sky"),
    ("dying", "die"),
    ("lying", "lie"),
    ("tying", "tie"),
    ("news", "news"),
    ("innings", "inning"),
    ("inning", "inning"),
    ("outings", "outing"),
    ("outing", "outing"),
    ("cannings", "canning"),
    ("canning", "canning"),
    ("howe", "howe"),
    ("proceed", "proceed"),
    ("exceed", "exceed"),
    ("succeed", "succeed"),
];

/// A suffix and what takes its place. The first suffix of a list that the word
/// ends in decides, also when its condition fails.
type Rules = &'static [(&'static str, &'static str)];

const STEP_1A: Rules = &[("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", "")];

const STEP_2: Rules = &[
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"), // 1980: abli
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("fulli", "ful"), // not in 1980
    ("logi", "log"),  // not in 1980; its l belongs to the measured stem
];

const STEP_3: Rules =
    &[("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", "")];

const STEP_4: Rules = &[
    ("al", ""),
    ("ance", ""),
    ("ence", ""),
    ("er", ""),
    ("ic", ""),
    ("able", ""),
    ("ible", ""),
    ("ant", ""),
    ("ement", ""),
    ("ment", ""),
    ("ent", ""),
    ("ion", ""), // only after s or t
    ("ou", ""),
    ("ism", ""),
    ("ate", ""),
    ("iti", ""),
    ("ous", ""),
    ("ive", ""),
    ("ize", ""),
];

/// Returns the stem of a word in lower case. Lengths count code points, and a
/// letter outside `a-z` is a consonant.
pub fn stem(word: &str) -> String {
    let mut out = String::with_capacity(word.len() + 1);
    stem_into(word, &mut out);
    out
}

/// Appends the stem of a word in lower case to `out`.
pub fn stem_into(word: &str, out: &mut String) {
    if let Some((_, stem)) = IRREGULAR.iter().find(|(w, _)| *w == word) {
        return out.push_str(stem);
    }
    let mut w = Word(word.chars().collect());
    if w.0.len() <= 2 {
        return out.push_str(word);
    }
    w.step_1a();
    w.step_1b();
    w.step_1c();
    w.step_2();
    w.apply(STEP_3, |stem, _| measure(stem) > 0);
    w.apply(STEP_4, |stem, suffix| measure(stem) > 1 && (suffix != "ion" || matches!(stem.last(), Some('s' | 't'))));
    w.step_5();
    out.extend(w.0);
}

struct Word(Vec<char>);

impl Word {
    fn ends(&self, suffix: &str) -> bool {
        let n = self.0.len();
        n >= suffix.len() && self.0.iter().rev().zip(suffix.bytes().rev()).all(|(&c, s)| c == s as char)
    }

    fn stem(&self, suffix: &str) -> &[char] {
        &self.0[..self.0.len() - suffix.len()]
    }

    fn replace(&mut self, suffix: &str, with: &str) {
        self.0.truncate(self.0.len() - suffix.len());
        self.0.extend(with.chars());
    }

    fn apply(&mut self, rules: Rules, condition: impl Fn(&[char], &str) -> bool) {
        if let Some((suffix, with)) = rules.iter().find(|(suffix, _)| self.ends(suffix)) {
            if condition(self.stem(suffix), suffix) {
                self.replace(suffix, with);
            }
        }
    }

    fn step_1a(&mut self) {
        if self.ends("ies") && self.0.len() == 4 {
            return self.replace("ies", "ie"); // not in 1980: dies, not flies
        }
        self.apply(STEP_1A, |_, _| true);
    }

    fn step_1b(&mut self) {
        if self.ends("ied") {
            let with = if self.0.len() == 4 { "ie" } else { "i" };
            return self.replace("ied", with); // not in 1980
        }
        if self.ends("eed") {
            return self.apply(&[("eed", "ee")], |stem, _| measure(stem) > 0);
        }
        let Some(suffix) = ["ed", "ing"].into_iter().find(|s| self.ends(s) && has_vowel(self.stem(s))) else {
            return;
        };
        self.replace(suffix, "");
        for (suffix, with) in [("at", "ate"), ("bl", "ble"), ("iz", "ize")] {
            if self.ends(suffix) {
                return self.replace(suffix, with);
            }
        }
        // The rule's name is also a suffix to NLTK.
        if ends_double(&self.0) || self.ends("*d") {
            if let Some(&last) = self.0.last().filter(|c| !matches!(c, 'l' | 's' | 'z')) {
                self.replace("xx", "");
                self.0.push(last);
            }
        } else if measure(&self.0) == 1 && ends_cvc(&self.0) {
            self.0.push('e');
        }
    }

    fn step_1c(&mut self) {
        // 1980: the stem has a vowel.
        self.apply(&[("y", "i")], |stem, _| stem.len() > 1 && ends_consonant(stem));
    }

    fn step_2(&mut self) {
        // Not in 1980: alli goes first, and the result once more.
        while self.ends("alli") && measure(self.stem("alli")) > 0 {
            self.replace("alli", "al");
        }
        let whole = &self.0;
        let log = whole.len() >= 3 && measure(&whole[..whole.len() - 3]) > 0;
        self.apply(STEP_2, |stem, suffix| if suffix == "logi" { log } else { measure(stem) > 0 });
    }

    fn step_5(&mut self) {
        if self.ends("e") {
            let stem = self.stem("e");
            let m = measure(stem);
            if m > 1 || m == 1 && !ends_cvc(stem) {
                self.0.pop();
            }
        }
        if self.ends("ll") && measure(&self.0[..self.0.len() - 1]) > 1 {
            self.0.pop();
        }
    }
}

/// Calls `see` with whether each letter is a consonant. A y is one at the
/// beginning and after a vowel.
fn letters(word: &[char], mut see: impl FnMut(bool)) {
    let mut consonant = false;
    for &c in word {
        consonant = match c {
            'a' | 'e' | 'i' | 'o' | 'u' => false,
            'y' => !consonant,
            _ => true,
        };
        see(consonant);
    }
}

/// How often a vowel is followed by a consonant.
fn measure(stem: &[char]) -> usize {
    let (mut m, mut after_vowel) = (0, false);
    letters(stem, |consonant| {
        m += usize::from(consonant && after_vowel);
        after_vowel = !consonant;
    });
    m
}

fn has_vowel(stem: &[char]) -> bool {
    let mut found = false;
    letters(stem, |consonant| found |= !consonant);
    found
}

fn ends_consonant(word: &[char]) -> bool {
    let mut last = false;
    letters(word, |consonant| last = consonant);
    last
}

fn ends_double(word: &[char]) -> bool {
    matches!(word, [.., a, b] if a == b) && ends_consonant(word)
}

/// The word ends consonant, vowel, consonant other than w, x, y; or it is
/// vowel, consonant (not in 1980).
fn ends_cvc(word: &[char]) -> bool {
    let mut last = (false, false, false);
    letters(word, |consonant| last = (last.1, last.2, consonant));
    match word.len() {
        0 | 1 => false,
        2 => !last.1 && last.2,
        _ => last == (true, false, true) && !matches!(word.last(), Some('w' | 'x' | 'y')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::Lines;

    #[test]
    fn stems_as_nltk_does() {
        let lines = Lines::read("porter");
        for line in lines.iter() {
            let word = line.get("candidate").unwrap().as_str().unwrap();
            let want = line.get("expected").unwrap().get("stem").unwrap().as_str().unwrap();
            assert_eq!(stem(word), want, "{word}");
        }
        assert_eq!(lines.len(), 2598);
    }

    #[test]
    fn odd_words() {
        // Values of nltk 3.8.
        for (word, want) in [
            ("", ""),
            ("y", "y"),
            ("a*ding", "ad"),
            ("ed", "ed"),
            ("eing", "e"),
            ("eed", "eed"),
            ("ieds", "i"),
            ("allialli", "allial"),
            ("ggggged", "ggggged"),
            ("yyyyed", "yyyi"),
            ("ionion", "ionion"),
            ("ſſing", "ſſing"),
        ] {
            assert_eq!(stem(word), want, "{word}");
        }
    }
}
