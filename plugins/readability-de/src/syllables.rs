//! Spoken syllables of German words, by rule: each vowel is one, a diphthong
//! and a doubled vowel too.

use rubric_host_prose::{Known, Language};

/// German.
pub struct German;

impl Language for German {
    fn look_up(word: &str) -> Known {
        let word: Vec<char> = word.chars().map(|c| c.to_ascii_lowercase()).collect();
        Known { syllables: count(&word), easy: false }
    }
}

fn vowel(c: char) -> bool {
    "aeiouyäöüáàâéèêëíîïóòôúùûåæøœ".contains(c)
}

/// Two vowels that sound as one.
const PAIRS: [[char; 2]; 14] = [
    ['a', 'a'],
    ['a', 'i'],
    ['a', 'u'],
    ['ä', 'u'],
    ['a', 'y'],
    ['e', 'e'],
    ['e', 'i'],
    ['e', 'u'],
    ['e', 'y'],
    ['i', 'e'],
    ['o', 'i'],
    ['o', 'o'],
    ['o', 'u'],
    ['o', 'y'],
];

/// At least 1: abbreviations and numbers have no vowels, and are words nonetheless.
fn count(word: &[char]) -> usize {
    let (mut n, mut at) = (0, 0);
    while at < word.len() {
        let before = at.checked_sub(1).map(|b| word[b]);
        let silent = match word[at] {
            'u' => before == Some('q'),
            'y' => at == 0 && word.get(1).is_some_and(|c| vowel(*c)),
            c => !vowel(c),
        };
        if silent {
            at += 1;
            continue;
        }
        let pair = word.get(at..at + 2).is_some_and(|p| PAIRS.iter().any(|q| q == p)) && !apart(word, at, n);
        n += 1;
        at += 1 + usize::from(pair);
    }
    n.max(1)
}

/// Whether the pair of vowels at a place is two syllables: after the prefixes be- and ge- (be-urteilen,
/// ge-ehrt), in the endings -ien (Medi-en) and -eum (Muse-um). `n` syllables came before.
fn apart(word: &[char], at: usize, n: usize) -> bool {
    let rest = &word[at + 2..];
    let begins = |text: &str| text.chars().eq(rest.iter().copied().take(text.len()));
    match word[at..at + 2] {
        ['e', 'e'] => prefix(word, at) && ["h", "i", "n"].iter().any(|s| begins(s)),
        ['e', 'u'] => {
            rest == ['m'] || rest == ['m', 's'] || prefix(word, at) && ["rt", "rl", "nr"].iter().any(|s| begins(s))
        }
        ['e', 'i'] => {
            prefix(word, at)
                && word[0] == 'b'
                && rest != ['n', 'd', 'e']
                && ["nh", "nd", "rr"].iter().any(|s| begins(s))
        }
        ['i', 'e'] => rest == ['n'] && n > 0 && !vowel(word[at - 1]),
        _ => false,
    }
}

/// Whether the e at a place is that of be- or ge-.
fn prefix(word: &[char], at: usize) -> bool {
    at == 1 && matches!(word[0], 'b' | 'g')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syllables_are_the_spoken_ones() {
        for (word, want) in [
            ("aber", 2),
            ("oder", 2),
            ("einen", 2),
            ("deutschland", 2),
            ("europa", 3),
            ("millionen", 4),
            ("qualität", 3),
            ("medien", 3),
            ("wien", 1),
            ("museum", 3),
            ("neue", 2),
            ("häuser", 2),
            ("beurteilen", 4),
            ("beute", 2),
            ("geehrt", 2),
            ("beere", 2),
            ("beinhalten", 4),
            ("beinen", 2),
            ("yoga", 2),
            ("typ", 1),
            ("see", 1),
            ("ideen", 2),
            ("knie", 1),
            ("fußgängerübergänge", 7),
            ("straße", 2),
            ("hm", 1),
            ("2024", 1),
            ("e", 1),
            ("ie", 1),
            ("be", 1),
            ("geographie", 4),
            ("israel", 3),
            ("naïv", 2),
            ("café", 2),
            ("ßß", 1),
            ("überraschend", 4),
            ("donaudampfschifffahrt", 5),
            ("quelle", 2),
        ] {
            assert_eq!(German::look_up(word).syllables, want, "{word}");
        }
    }
}
