//! What the words before an answer say of it: that it is doubted, or that another one follows.

/// Words with which an output turns to another answer.
const TURNS: [&str; 20] = [
    "wait", "actually", "correction", "scratch that", "second thought", "mistake", "kidding", "sorry", "i mean", "on reflection", ", no,", "no, ", "hmm", "but now", "now it",
    "otherwise", "could also", "alternatively", "oops", "or maybe",
];

/// Where a text turns to another answer.
pub fn turn(text: &str) -> Option<usize> {
    let lower = text.to_ascii_lowercase();
    TURNS.iter().filter_map(|w| lower.find(w)).min()
}

/// Whether a clause ends so that what follows is denied: `I don't think the`, `it is wrong to say that the`.
/// `the old`, `I initially thought the`.
pub fn doubted(before: &str) -> bool {
    let words = words_before(before.chars().rev());
    let past = |w: &str| matches!(w, "initially" | "originally" | "earlier" | "previously" | "previous" | "first" | "old" | "former" | "formerly" | "initial" | "original" | "wrong" | "incorrect" | "if" | "suppose" | "supposing" | "whether" | "assume" | "assuming");
    let thought = |i: usize| words[i] == "thought" && (i == 0 || matches!(words[i - 1].as_str(), "the" | "that" | "my"));
    let possible = words.first().is_some_and(|w| matches!(w.as_str(), "possible" | "potential" | "candidate")) && words.get(1).is_none_or(|w| w != "only");
    possible || denied(&words) || words.iter().any(|w| past(w)) || (0..words.len()).any(thought)
}

/// Whether words, the nearest first, deny what follows them.
pub fn denied(before: &[String]) -> bool {
    let opinion = |w: &str| matches!(w, "think" | "believe" | "say" | "said" | "claim" | "that" | "agree" | "sure" | "convinced" | "true" | "to");
    let doubt = |w: &[String]| w[0] == "doubt" && !matches!(w[1].as_str(), "no" | "a" | "any" | "without" | "beyond" | "little");
    let says = |w: &str| matches!(w, "think" | "say" | "believe" | "guess" | "assume" | "expect" | "choose" | "pick" | "select" | "answer");
    let may = |w: &str| {
        matches!(w, "may" | "might" | "could" | "would" | "often" | "usually" | "commonly" | "many" | "some" | "most" | "everyone" | "people" | "others" | "students" | "they" | "you")
    };
    // One might think that it is A; not: I would say A.
    let others = |i: usize| says(&before[i]) && may(&before[i + 1]) && before.get(i + 2).is_none_or(|w| !matches!(w.as_str(), "i" | "we"));
    let hypothetical = (1..before.len()).any(|i| others(i - 1)) || before.iter().any(|w| matches!(w.as_str(), "tempted" | "tempting" | "mistake"));
    hypothetical || before.iter().any(|w| w == "disagree") || before.windows(2).any(doubt) || before.windows(2).any(|w| opinion(&w[0]) && negative(&w[1]))
}

/// Where a clause ends.
pub fn clause_ends(c: char) -> bool {
    matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '(' | ')' | '\n')
}

/// The words of a clause, in lower case.
pub fn words(clause: &str) -> Vec<String> {
    let words = clause.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '\u{2019}'));
    words.filter(|w| !w.is_empty()).map(|w| w.to_lowercase().replace('\u{2019}', "'")).collect()
}

/// The words of the clause before a place, the nearest first.
pub fn words_before(text: impl Iterator<Item = char>) -> Vec<String> {
    let reversed: String = text.take(60).take_while(|c| !clause_ends(*c)).collect();
    let clause: String = reversed.chars().rev().collect();
    words(&clause).into_iter().rev().take_while(|w| w != "but").collect()
}

/// Whether a word denies what is beside it.
pub fn negative(word: &str) -> bool {
    word.ends_with("n't") || matches!(word, "not" | "cannot" | "never" | "neither" | "nor" | "wrong" | "incorrect" | "false" | "impossible" | "invalid" | "eliminated" | "ruled" | "mistake" | "fails" | "trap" | "distractor" | "worse" | "inferior" | "loses")
}
