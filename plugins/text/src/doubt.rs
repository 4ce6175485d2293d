//! What the words before an answer say of it: that it is doubted, or that another one follows.

/// Words with which an output turns to another answer.
const TURNS: [&str; 23] = [
    "wait", "actually", "correction", "scratch that", "second thought", "mistake", "kidding", "sorry", "i mean", "on reflection", ", no,", "no, ", "hmm", "but now", "now it",
    "otherwise", "could also", "alternatively", "oops", "or maybe",
    "edit:", "misread", "changed to",
];

/// Where a text turns to another answer.
pub fn turn(text: &str) -> Option<usize> {
    let lower = text.to_ascii_lowercase();
    crate::find_any(&lower, &TURNS)
}

/// Whether a clause ends so that what follows is denied: `I don't think the`, `it is wrong to say that the`.
/// `the old`, `I initially thought the`.
pub fn doubted(before: &str) -> bool {
    let words = words_before(before.chars().rev());
    let past = |w: &str| matches!(w, "initially" | "originally" | "earlier" | "previously" | "previous" | "first" | "old" | "former" | "formerly" | "initial" | "original" | "wrong" | "incorrect" | "if" | "suppose" | "supposing" | "whether" | "assume" | "assuming" | "verify" | "check" | "verifying" | "checking");
    let thought = |i: usize| words[i] == "thought" && (i == 0 || matches!(words[i - 1].as_str(), "the" | "that" | "my"));
    let wrong = |w: &str| WRONG.contains(&w);
    let east = ["错误", "错误的", "错的", "誤った", "間違った", "틀린", "不"].iter().any(|w| before.trim_end().ends_with(w));
    let possible = words.first().is_some_and(|w| matches!(w.as_str(), "possible" | "potential" | "candidate")) && words.get(1).is_none_or(|w| w != "only");
    possible || east || words.first().is_some_and(|w| wrong(w)) || denied(&words) || words.iter().any(|w| past(w)) || (0..words.len()).any(thought)
}

/// Whether an answer is said of another case, or is another's: `if n were 5, the answer would be`, `your answer:`.
/// `before` is the text before the word for it, `after` what stands between that and the answer.
pub fn conditional(before: &str, after: &str) -> bool {
    const CASES: [&str; 33] = [
        "for example", "for instance", "e.g.", "if", "had", "were", "in general", "more generally", "similarly", "suppose", "zum beispiel", "wenn", "falls", "par exemple", "si", "por ejemplo", "si",
        "por exemplo", "se", "ad esempio", "per esempio", "als", "bijvoorbeeld", "если", "например", "jeśli", "gdyby", "eğer", "om", "jika", "nếu", "another", "otherwise",
    ];
    const VERBS: [&str; 11] = ["would", "could", "wäre", "serait", "sería", "seria", "sarebbe", "zou", "был бы", "byłaby", "skulle"];
    // Without spaces between words.
    const PARTS: [&str; 8] = ["如果", "若", "例如", "假如", "例えば", "場合", "라면", "예를 들"];
    const OWNERS: [&str; 8] = ["your", "student", "student's", "students", "submitted", "unrounded", "his", "her"];
    let from = before.char_indices().rev().nth(200).map_or(0, |(at, _)| at);
    let start = |t: &str| [". ", "! ", "? ", "\n", "; ", "。", ".\u{a0}"].iter().filter_map(|m| t.rfind(m).map(|at| at + m.len())).max().unwrap_or(0);
    let clause = &before[from..];
    let clause = clause[start(clause)..].to_lowercase();
    let after = after.to_lowercase();
    // One pass over the words of a text: a search for each word costs more.
    fn has(text: &str, words: &[&str], then: impl Fn(&str) -> bool) -> bool {
        let mut inside = false;
        let starts = text.char_indices().filter(|(_, c)| !std::mem::replace(&mut inside, c.is_alphanumeric()));
        starts.map(|(at, _)| &text[at..]).any(|rest| words.iter().any(|w| w.as_bytes()[0] == rest.as_bytes()[0] && rest.strip_prefix(w).is_some_and(&then)))
    }
    let ends = |more: &str| !more.starts_with(char::is_alphanumeric);
    // For n = 5 the answer is 20.
    let value = has(&clause, &["for ", "when ", "with ", "where ", "für ", "bei ", "pour ", "para ", "voor ", "для ", "dla ", "per "], |rest| {
        rest.trim_start_matches(['$', ' ']).split_once('=').is_some_and(|(name, _)| name.trim().len() == 1)
    });
    value || has(&clause, &CASES, ends) || !clause.is_ascii() && PARTS.iter().any(|w| clause.contains(w)) || has(&after, &VERBS, ends)
        || clause.trim_end().rsplit(' ').next().is_some_and(|w| OWNERS.contains(&w.trim_start_matches(['*', '(', '"'])))
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
    hypothetical || before.iter().any(|w| w == "disagree") || before.windows(2).any(|w| matches!(w[0].as_str(), "refuse" | "decline") && matches!(w[1].as_str(), "i" | "we" | "must")) || before.windows(2).any(doubt) || before.windows(2).any(|w| opinion(&w[0]) && negative(&w[1]) && w[1] != "loses")
}

/// Whether a text denies anything, so that what it names may not be its answer: `I can't tell from the 3 receipts`,
/// `none of the 12 is left`.
pub fn denies(text: &str) -> bool {
    // No. of days: 31
    let text = text.strip_prefix("No. of ").unwrap_or(text);
    words(text).iter().any(|w| denial(w) || matches!(&**w, "no" | "none" | "nothing" | "unable" | "insufficient" | "unaware" | "cutoff"))
}

/// Where a clause ends.
pub fn clause_ends(c: char) -> bool {
    matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '(' | ')' | '\n' | '\u{2192}')
}

/// The words of a clause, in lower case.
pub fn words(clause: &str) -> Vec<String> {
    let words = clause.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '\u{2019}'));
    words.filter(|w| !w.is_empty()).map(|w| if w.is_ascii() { w.to_ascii_lowercase() } else { w.to_lowercase().replace('\u{2019}', "'") }).collect()
}

/// The words of the clause before a place, the nearest first.
pub fn words_before(text: impl Iterator<Item = char>) -> Vec<String> {
    let reversed: String = text.take(60).take_while(|c| !clause_ends(*c)).collect();
    let clause: String = reversed.chars().rev().collect();
    words(&clause).into_iter().rev().take_while(|w| w != "but").collect()
}

/// Words for wrong and not in other languages than English.
const WRONG: [&str; 41] = [
    "falsch", "falsche", "falsches", "nicht", "keine", "faux", "fausse", "fausses", "pas", "incorrecte", "incorrecta", "incorrecto", "incorrectas", "falsa", "falso", "falsas", "errada", "errado", "erradas",
    "não", "sbagliata", "sbagliato", "errata", "fout", "foute", "onjuist", "niet", "неверен", "неверна", "неверный", "неправильный", "не", "błędna", "yanlış", "yanlıştır", "salah", "bukan", "sai", "fel",
    "inte", "ikke",
];

/// Whether a word denies what follows it.
fn denial(word: &str) -> bool {
    WRONG.contains(&word) || word.ends_with("n't") || matches!(word, "not" | "cannot" | "never" | "neither" | "nor")
}

/// Whether a word denies what is beside it.
pub fn negative(word: &str) -> bool {
    denial(word) || matches!(word, "wrong" | "incorrect" | "false" | "impossible" | "invalid" | "eliminated" | "ruled" | "mistake" | "fails" | "trap" | "distractor" | "worse" | "inferior" | "loses")
}
