//! What the words around something say of it: that it is denied, or a bound.

use crate::{lower, Sure};
use crate::unicode::{heads, Pairs};

/// Words between a denial and what it denies.
const FILLERS: [&str; 8] = ["be", "on", "equal to", "equal", "exactly", "just", "simply", "the number"];

/// Words that deny what follows them.
const INSTEAD: [&str; 20] = [
    "instead of", "rather than", "as opposed to", "non è", "ei ole", "nu este", "δεν είναι", "không phải", "không phải là", "ไม่ใช่", "ليس", "ليست", "לא", "אינו", "אינה", "不是", "不为", "不等于", "并非", "並非",
];
const NOT: [&str; 17] = ["not", "cannot", "never", "neither", "nor", "nicht", "pas", "não", "не", "niet", "inte", "ikke", "nie", "no", "non", "tidak", "bukan"];

/// Marks between a denial and its number. A comma ends the denial: believe it or not, 42.
fn mark(c: char) -> bool {
    c.is_whitespace() || matches!(c, '*' | '_' | '`' | '"' | '$' | '(' | '\\' | '/')
}

/// Whether a text ends with one of `INSTEAD`: `instead of`, `non è`.
pub fn instead(before: &str) -> bool {
    static ENDS: Pairs = Pairs::NONE.lasts(INSTEAD);
    let rest = before.trim_end_matches(mark);
    // Not as the end of another word.
    let word = |w: &str| rest.strip_suffix(w).is_some_and(|less| joined(w) || !less.ends_with(char::is_alphanumeric));
    ENDS.end(rest) && INSTEAD.iter().any(|w| word(w))
}

/// Whether a text ends with a word that denies what follows: `not`, `isn't`, `cannot be equal to`.
pub fn negated(before: &str) -> bool {
    static ENDS: Pairs = Pairs::NONE.lasts(FILLERS).lasts(MINUS).lasts(INSTEAD).lasts(NOT).lasts(["n't"]);
    let trimmed = before.trim_end_matches(mark);
    // She said "no" 5 times.
    if !ENDS.end(trimmed) || before.ends_with(' ') && before.trim_end().ends_with(['"', '`']) {
        return false;
    }
    let lower = lower(trimmed);
    let lower = if lower.contains('\u{2019}') { lower.replace('\u{2019}', "'").into() } else { lower };
    let mut rest = &*lower;
    let ends = |rest: &str, w: &str| w.bytes().next_back() == rest.bytes().next_back() && rest.ends_with(w);
    while let Some(w) = FILLERS.iter().chain(&MINUS).find(|w| ends(rest, w)) {
        let less = &rest[..rest.len() - w.len()];
        if !joined(w) && !less.ends_with(mark) {
            break;
        }
        rest = less.trim_end_matches(mark);
    }
    let last = rest.rsplit(|c: char| !c.is_alphabetic() && c != '\'').next().unwrap_or("");
    instead(rest) || last.ends_with("n't") || NOT.contains(&last)
}

/// Words that deny what stands before them.
const DENIED: [&str; 28] = [
    "değil", "ではな", "ではあり", "じゃな", "じゃあり", "가 아니", "이 아니", "는 아니", "은 아니", "가 아닙", "이 아닙", "는 아닙", "은 아닙", "नहीं", "نیست", "নয়",
    "was wrong", "was incorrect", "is wrong", "is incorrect", "is not corr", "is not right", "is not the an", "isn't the ans", "不对", "不正确", "は間違", "は不正解",
];

/// Words of Japanese that begin as a denial does, and say the contrary: it may be 42, it is 42 without doubt.
const AFFIRMED: [&str; 5] = ["ではないかと", "ではないでしょうか", "じゃないかと", "は間違いな", "は間違いあり"];

/// Whether a text begins with words that deny what stands before it: `42 değil`, `42ではない`, `42 is wrong`.
pub fn denied_before(after: &str) -> bool {
    static FIRSTS: Pairs = Pairs::NONE.firsts(DENIED);
    let rest = after.trim_start_matches([' ', '*', ')', '`', '"', '$', '}']);
    FIRSTS.begin(rest) && DENIED.iter().any(|w| rest.strip_prefix(w).is_some_and(|r| !r.starts_with("ly"))) && !AFFIRMED.iter().any(|w| rest.starts_with(w))
}

/// Whether a word stands among others without spaces, as those of Chinese, Japanese, Korean and Thai do.
fn joined(word: &str) -> bool {
    word.starts_with(|c| c >= '\u{3000}' || matches!(c, '\u{e00}'..='\u{e7f}'))
}

/// Words between two numbers that make alternatives, a range or one quantity of them.
const WORDS: [&str; 26] = [
    "or", "to", "through", "and/or", "or maybe", "or perhaps", "or possibly", "oder", "ou", "out of", "of", "per", "times", "choose", "plus", "plus or minus", "more than", "less than",
    "divided by", "by", "over", "in", "of the", "of every", "in every", "give or take",
];

/// Whether the words between two numbers make alternatives of them, a range, or one quantity: `5 to 6`, `12 out of 15`,
/// `5 feet 3 inches`.
pub fn joins_numbers(between: &str) -> bool {
    const UNITS: [&str; 14] = ["feet", "foot", "ft", "hours", "hour", "hrs", "minutes", "min", "pounds", "lbs", "years", "degrees", "weeks", "days"];
    static FIRSTS: Pairs = Pairs::NONE.firsts(WORDS).firsts(UNITS);
    if !FIRSTS.begin(between) {
        return false;
    }
    let unit = between.strip_suffix(" and").or(between.strip_suffix(',')).unwrap_or(between);
    WORDS.contains(&between) || UNITS.contains(&unit)
}

/// Words for the sign of the number behind them.
const MINUS: [&str; 19] = [
    "minus", "negative", "минус", "мінус", "mínusz", "miinus", "eksi", "μείον", "מינוס", "سالب", "माइनस", "マイナス", "负", "負", "負の", "마이너스", "零下", "氷点下", "영하",
];

/// Words with which those make both signs of it: `plus or minus 5`.
const PLUS: [&str; 9] = ["plus", "plus or", "positive or", "плюс", "плюс или", "正", "プラス", "플러스", "प्लस"];

/// What the sign of the number is to which a text leads by words: All of a negative one, Part where they may say something else,
/// Operand between two numbers.
pub fn minus(before: &str, second: bool) -> Option<Sure> {
    static LASTS: Pairs = Pairs::NONE.lasts(MINUS);
    let trimmed = before.trim_end_matches([' ', '*', '_', '`', '$', '"', '(', '{']);
    // She said "negative" 5 times.
    if !LASTS.end(trimmed) || before.ends_with(' ') && before.trim_end().ends_with(['"', '`']) {
        return None;
    }
    let lower = lower(trimmed);
    let (word, less) = MINUS.iter().find_map(|w| Some((*w, lower.strip_suffix(w)?)))?;
    let rest = less.trim_end_matches([' ', '-', '\u{2013}', '/']);
    let one = matches!(word, "负" | "負");
    let last = rest.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    Some(match if one { less.trim_end_matches(' ') } else { less }.chars().next_back() {
        _ if second && rest.is_empty() => Sure::Operand,
        _ if PLUS.iter().any(|w| rest.ends_with(w)) => Sure::Part,
        // Terminus 5, non-negative 5, but not the prefixes of Hebrew and Arabic; what a person bears of a cost
        Some(c) if c.is_alphabetic() && c < '\u{590}' && !joined(word) || one && c == '自' => return None,
        _ if last == "non" => return None,
        // x minus 5, an A minus; not: it gives a minus 5
        _ if last.len() == 1 && last.as_bytes()[0].is_ascii_alphabetic() && (last != "a" || trimmed.get(..rest.len()).is_some_and(|t| t.ends_with('A'))) => Sure::Part,
        // The end of another word, unless a verb is before it; a match that is lost.
        Some(c) if one && (c.is_alphabetic() && (c >= '\u{3000}' || !less.ends_with(' ')) && !"是為为于於得到".contains(c) || matches!(c, '，' | ',' | '、' | '；')) => Sure::Part,
        Some(c) if c.is_alphabetic() && word == "영하" => Sure::Part,
        _ => Sure::All,
    })
}

/// What makes another number of that behind it, or may say that it is a bound.
const OPERATES: [&str; 17] = [
    "half of", "half", "twice", "double", "triple", "root of", "log", "ln", "log of", "moins", "menos", "meno", "almeno", "au plus", "negativo", "âm", "ناقص",
];

/// What makes another number of that before it.
const OPERATED: [&str; 8] = ["squared", "cubed", "below zero", "below freezing", "in binary", "binary)", "in hexadecimal", "hexadecimal)"];

/// The same, if a digit follows.
const BETWEEN: [&str; 8] = ["times", "choose", "point", "over", "divided by", "more than", "less than", "fewer than"];

/// Whether the text before a number, or that after it, makes another number of it: `half of 12`, `au moins 12`, `12 squared`.
pub fn operated(before: &str, after: &str) -> bool {
    let (before, after) = (before.trim_end_matches([' ', '*', '$', '(']), after.trim_start_matches([' ', '*', '$', '(']));
    static LASTS: Pairs = Pairs::NONE.lasts(OPERATES);
    static FIRSTS: Pairs = Pairs::NONE.firsts(OPERATED).firsts(BETWEEN);
    let first = |w: &&&str| w.as_bytes()[0] == after.as_bytes()[0];
    let ends = |lower: &str, w: &str| lower.strip_suffix(w).is_some_and(|less| !less.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '\\' | '-')));
    let starts = |w: &str| after.strip_prefix(w).is_some_and(|more| !more.starts_with(char::is_alphanumeric));
    let digit = |w: &str| after.strip_prefix(w).is_some_and(|more| more.trim_start_matches([' ', '$', '*']).starts_with(|c: char| c.is_ascii_digit()));
    if LASTS.end(before) && OPERATES.iter().any(|w| ends(&lower(before), w)) {
        return true;
    }
    if !FIRSTS.begin(after) {
        return false;
    }
    OPERATED.iter().filter(first).any(|w| starts(w)) || BETWEEN.iter().filter(first).any(|w| digit(w))
}

/// What follows `to 2` and says how exact a number is.
const DIGITS: [&str; 5] = ["decimal", "d.p", "dp", "significant", "sig"];

/// What follows `90%` and says how sure one is.
const SURE: [&str; 3] = ["sure", "certain", "confident"];

/// Whether a number says how exact or sure another one is: `to 2 decimal places`, `90% sure`.
pub fn precision(before: &str, after: &str) -> bool {
    static FIRSTS: Pairs = Pairs::NONE.firsts(DIGITS).firsts(SURE);
    let after = after.trim_start_matches([' ', '-', '\\', '%']);
    FIRSTS.begin(after) && (before.trim_end().ends_with("to") && DIGITS.iter().any(|w| after.starts_with(w)) || SURE.iter().any(|w| after.starts_with(w)))
}

/// What a number is a bound of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// `at least`, ≥
    Least,
    /// `at most`, ≤
    Most,
    /// `more than`, >
    Above,
    /// `less than`, <
    Below,
    /// `almost`, `close to`
    Near,
}

impl Bound {
    /// What `not` makes of it: `not more than` is `at most`.
    fn denied(self) -> Bound {
        match self {
            Bound::Least => Bound::Below,
            Bound::Most => Bound::Above,
            Bound::Above => Bound::Most,
            Bound::Below => Bound::Least,
            Bound::Near => Bound::Near,
        }
    }
}

/// What makes a bound of the number behind it.
const BEFORE: [(&str, Bound); 120] = [
    ("at least", Bound::Least), ("a minimum of", Bound::Least), ("≥", Bound::Least), (">=", Bound::Least), ("\\ge", Bound::Least),
    ("\\geq", Bound::Least), ("\\geqslant", Bound::Least), ("at most", Bound::Most), ("up to", Bound::Most), ("a maximum of", Bound::Most), ("≤", Bound::Most),
    ("<=", Bound::Most), ("\\le", Bound::Most), ("\\leq", Bound::Most), ("\\leqslant", Bound::Most), ("more than", Bound::Above),
    ("greater than", Bound::Above), ("larger than", Bound::Above), ("bigger than", Bound::Above), ("higher than", Bound::Above), ("over", Bound::Above),
    ("above", Bound::Above), ("exceeds", Bound::Above), ("\\gt", Bound::Above), ("less than", Bound::Below), ("fewer than", Bound::Below),
    ("smaller than", Bound::Below), ("lower than", Bound::Below), ("under", Bound::Below), ("below", Bound::Below), ("\\lt", Bound::Below),
    ("upwards of", Bound::Least), ("as few as", Bound::Least), ("as little as", Bound::Least), ("as many as", Bound::Most), ("as much as", Bound::Most),
    ("almost", Bound::Near), ("nearly", Bound::Near), ("close to", Bound::Near),
    ("mindestens", Bound::Least), ("höchstens", Bound::Most), ("mehr als", Bound::Above), ("weniger als", Bound::Below),
    ("plus de", Bound::Above), ("moins de", Bound::Below), ("presque", Bound::Near), ("como máximo", Bound::Most), ("más de", Bound::Above),
    ("menos de", Bound::Below), ("casi", Bound::Near), ("no máximo", Bound::Most), ("mais de", Bound::Above), ("quase", Bound::Near), ("al massimo", Bound::Most),
    ("più di", Bound::Above), ("meno di", Bound::Below), ("quasi", Bound::Near),
    ("более", Bound::Above), ("больше", Bound::Above), ("менее", Bound::Below), ("меньше", Bound::Below),
    ("почти", Bound::Near), ("至少", Bound::Least), ("最少", Bound::Least), ("最多", Bound::Most), ("至多", Bound::Most),
    ("超过", Bound::Above), ("大于", Bound::Above), ("高于", Bound::Above), ("多于", Bound::Above), ("大於", Bound::Above), ("小于", Bound::Below), ("低于", Bound::Below), ("小於", Bound::Below), ("超過", Bound::Above), ("高於", Bound::Above), ("多於", Bound::Above), ("低於", Bound::Below), ("少於", Bound::Below), ("大于等于", Bound::Least), ("小于等于", Bound::Most),
    ("少于", Bound::Below), ("不到", Bound::Below), ("接近", Bound::Near),
    ("少なくとも", Bound::Least), ("最大", Bound::Most), ("최소", Bound::Least), ("최대", Bound::Most), ("거의", Bound::Near), ("en az", Bound::Least),
    ("en fazla", Bound::Most), ("co najmniej", Bound::Least), ("أكثر من", Bound::Above), ("أقل من", Bound::Below), ("לפחות", Bound::Least), ("לכל היותר", Bound::Most),
    ("कम से कम", Bound::Least), ("τουλάχιστον", Bound::Least), ("więcej niż", Bound::Above), ("mniej niż", Bound::Below), ("meer dan", Bound::Above), ("minder dan", Bound::Below),
    ("minstens", Bound::Least), ("hoogstens", Bound::Most), ("mer än", Bound::Above), ("mindre än", Bound::Below), ("minst", Bound::Least), ("högst", Bound::Most),
    ("lebih dari", Bound::Above), ("kurang dari", Bound::Below), ("nhiều hơn", Bound::Above), ("ít nhất", Bound::Least), ("більше", Bound::Above), ("менше", Bound::Below),
    ("более чем", Bound::Above), ("больше чем", Bound::Above), ("менее чем", Bound::Below), ("меньше чем", Bound::Below), ("більше ніж", Bound::Above), ("менше ніж", Bound::Below),
];

/// What makes a bound of the number before it.
const AFTER: [(&str, Bound); 23] = [
    ("or more", Bound::Least), ("or greater", Bound::Least), ("or higher", Bound::Least), ("or larger", Bound::Least), ("and above", Bound::Least),
    ("or above", Bound::Least), ("or less", Bound::Most), ("or fewer", Bound::Most), ("or lower", Bound::Most), ("or below", Bound::Most),
    ("at least", Bound::Least), ("minimum", Bound::Least), ("and counting", Bound::Least), ("and up", Bound::Least), ("at most", Bound::Most), ("maximum", Bound::Most), ("max", Bound::Most),
    ("以上", Bound::Least), ("以下", Bound::Most), ("未満", Bound::Below), ("이상", Bound::Least), ("이하", Bound::Most), ("미만", Bound::Below),
];

/// Signs that make a bound of the number before them.
const SIGNS: [(&str, Bound); 12] = [
    ("\\leq", Bound::Least), ("\\le", Bound::Least), ("\\lt", Bound::Above), ("\\geq", Bound::Most), ("\\ge", Bound::Most), ("\\gt", Bound::Below),
    ("<=", Bound::Least), (">=", Bound::Most), ("\u{2264}", Bound::Least), ("\u{2265}", Bound::Most), ("<", Bound::Above), (">", Bound::Below),
];

/// What the number before a sign and a letter is a bound of: 3 of `3 < x`.
fn turned(after: &str) -> Option<Bound> {
    static FIRSTS: Pairs = Pairs::NONE.firsts(heads(SIGNS));
    let sign = |(sign, bound): &(&str, Bound)| Some((after.strip_prefix(sign)?.trim_start(), *bound));
    let (rest, bound) = FIRSTS.begin(after).then(|| SIGNS.iter().find_map(sign))??;
    let mut chars = rest.chars();
    let letter = chars.next().is_some_and(char::is_alphabetic);
    // No element of HTML, no word.
    let lone = !chars.next().is_some_and(|c| c.is_alphanumeric() || c == '>');
    (letter && lone || rest.starts_with('\\')).then_some(bound)
}

/// Whether the text before a number, or that after it, makes a bound of it: `at least 5`, `> 5`, `5 or more`.
pub fn bound(before: &str, after: &str) -> Option<Bound> {
    static LASTS: Pairs = Pairs::NONE.lasts(heads(BEFORE)).lasts(["<", ">"]);
    static FIRSTS: Pairs = Pairs::NONE.firsts(heads(AFTER));
    let mark = |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '"' | '$' | '~');
    let rest = after.trim_start_matches(['*', '$', '%']);
    if let Some(next) = rest.strip_prefix('+') {
        return (!next.trim_start().starts_with(|c: char| c.is_alphanumeric() || matches!(c, '(' | '\\' | '$' | '-'))).then_some(Bound::Least);
    }
    let rest = rest.trim_start_matches(mark);
    if let Some(found) = turned(rest) {
        return Some(found);
    }
    // 以上 on a line of its own ends the text.
    let below = after[..after.len() - rest.len()].contains('\n');
    let whole = |word: &str, of: &str| if joined(word) { !below } else { !of[word.len()..].starts_with(char::is_alphanumeric) };
    let last = |t: &str| t.bytes().next_back();
    let follows = |rest: &str| FIRSTS.begin(rest).then(|| AFTER.iter().find(|(word, _)| rest.starts_with(word) && whole(word, rest))).flatten();
    // 5人以上: one sign for what is counted
    let mut counted = rest.chars();
    let sign = counted.next().is_some_and(|c| c >= '\u{3000}' && c.is_alphabetic());
    if let Some(found) = follows(rest).or_else(|| sign.then(|| follows(counted.as_str().trim_start_matches(' ')))?) {
        return Some(found.1);
    }
    // 至少有5, 至少需要5
    let trimmed = before.trim_end_matches(mark).trim_end_matches(['有', '需', '要']);
    if !LASTS.end(trimmed) {
        return None;
    }
    let lower = lower(trimmed);
    let word = |w: &str| {
        let less = lower.strip_suffix(w)?;
        (joined(w) || !w.starts_with(char::is_alphabetic) || !less.ends_with(char::is_alphanumeric)).then_some(less)
    };
    if let Some((less, bound)) = BEFORE.iter().filter(|(w, _)| last(w) == last(&lower)).find_map(|(w, bound)| Some((word(w)?, *bound))) {
        // 不得超过, 没有超过
        let chinese = less.trim_end_matches(['得', '能', '会', '會', '可', '应', '應', '有']).ends_with(['不', '未', '没', '沒']);
        return Some(if chinese || negated(less) { bound.denied() } else { bound });
    }
    if let Some(less) = lower.strip_suffix('<') {
        return (!less.ends_with('<')).then_some(Bound::Below);
    }
    let less = lower.strip_suffix('>')?;
    // <b>, ->, =>, >>, and a quotation of Markdown
    let tag = less.rsplit_once('<').is_some_and(|(_, name)| name.starts_with(|c: char| c.is_alphabetic() || c == '/'));
    let quotation = before.ends_with(' ') && matches!(less.trim_end_matches([' ', '\t']).chars().next_back(), None | Some('\n'));
    (!tag && !quotation && !less.ends_with(['-', '=', '>', '<', '/'])).then_some(Bound::Above)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_make_another_number() {
        for (before, after, want) in [
            ("half of ", "", true), ("Half of $", "", true), ("behalf of ", "", false), ("twice ", ".", true), ("log ", "", true), ("catalog ", "", false), ("\\log ", "", false),
            ("", " squared", true), ("", " times 2", true), ("", " times.", false), ("", " more than 3", true), ("", " more than you", false), ("the answer is ", " apples", false),
        ] {
            assert_eq!(operated(before, after), want, "{before}5{after}");
        }
        for (between, want) in [("or", true), ("out of", true), ("feet", true), ("hours and", true), ("apples and", false), ("", false)] {
            assert_eq!(joins_numbers(between), want, "{between}");
        }
    }

    #[test]
    fn minus_is_a_sign_an_operation_or_open() {
        for (before, second, want) in [
            ("It is minus **", false, Some(Sure::All)), ("minus ", true, Some(Sure::Operand)), ("Terminus ", false, None), ("said \"minus\" ", false, None), ("minus \"", false, Some(Sure::All)), ("答案是负", false, Some(Sure::All)),
            ("станция Терминус ", false, None), ("non-negative ", false, None), ("Lebanon minus ", false, Some(Sure::All)),
            ("Grade: A minus ", false, Some(Sure::Part)), ("an A-minus (", false, Some(Sure::Part)), ("it gives a minus ", false, Some(Sure::All)), ("x minus ", false, Some(Sure::Part)), ("2 minus ", false, Some(Sure::All)),
            ("个人自负", false, None), ("胜负", false, Some(Sure::Part)), ("场，负", false, Some(Sure::Part)), ("场 负", false, Some(Sure::Part)),
            ("是 负", false, Some(Sure::All)), ("is 负", false, Some(Sure::All)), ("김영하 ", false, Some(Sure::Part)), ("負の", false, Some(Sure::All)), ("плюс-минус ", false, Some(Sure::Part)), ("the minus: ", false, None),
        ] {
            assert_eq!(minus(before, second), want, "{before}5");
        }
    }

    /// Guards and windows before the lists must not hide a word that is added to one.
    #[test]
    fn each_word_of_the_lists_is_found() {
        let read = |text: String| crate::numbers(&text, crate::Comma::Thousands)[0];
        for word in OPERATES {
            assert_ne!(read(format!("It is {word} 5.")).sure, crate::Sure::All, "{word}");
        }
        for word in MINUS {
            let (one, both) = (read(format!("It is {word} 5.")), read(format!("It is {} {word} 5.", PLUS[0])));
            assert_eq!((one.value, one.sure, both.sure), (-5.0, Sure::All, Sure::Part), "{word}");
        }
        for word in PLUS {
            assert_eq!(read(format!("It is {word} minus 5.")).sure, Sure::Part, "{word}");
        }
        for word in OPERATED {
            assert_ne!(read(format!("It is 5 {word}.")).sure, crate::Sure::All, "{word}");
        }
        for word in BETWEEN {
            assert_ne!(read(format!("It is 5 {word} 2.")).sure, crate::Sure::All, "{word}");
        }
        for (word, bound) in BEFORE {
            assert_eq!(read(format!("It is {word} 5.")).bound, Some(bound), "{word}");
        }
        for (word, bound) in AFTER {
            assert_eq!(read(format!("It is 5 {word}.")).bound, Some(bound), "{word}");
        }
        for (word, bound) in SIGNS {
            assert_eq!(read(format!("5 {word} x")).bound, Some(bound), "{word}");
        }
        for word in WORDS {
            assert_eq!(crate::link(&format!(" {word} ")), crate::Link::Or, "{word}");
        }
        for word in NOT {
            assert_eq!(crate::link(&format!(" it is {word} ")), crate::Link::Not, "{word}");
            for filler in FILLERS {
                assert_eq!(crate::link(&format!(" it is {word} {filler} ")), crate::Link::Not, "{word} {filler}");
            }
        }
        for word in INSTEAD {
            assert_eq!(crate::link(&format!(" it is {word} ")), crate::Link::Not, "{word}");
        }
        for word in DENIED {
            assert_eq!(read(format!("It: **5** {word}")).sure, Sure::Part, "{word}");
        }
        for word in DIGITS {
            assert!(precision("rounded to ", &format!(" {word} places")), "{word}");
        }
        for word in SURE {
            assert!(precision("I am ", &format!("% {word}")), "{word}");
        }
    }

    #[test]
    fn bounds_are_told_from_tags_and_arrows() {
        for (before, after, want) in [
            ("It is at least ", ".", Some(Bound::Least)),
            ("It is at most **", "**", Some(Bound::Most)),
            ("no more than ", "", Some(Bound::Most)),
            ("more than ", " km", Some(Bound::Above)),
            ("x > ", "", Some(Bound::Above)),
            (">", "", Some(Bound::Above)),
            ("x \\geq ", "", Some(Bound::Least)),
            ("x<", "", Some(Bound::Below)),
            ("", " or more", Some(Bound::Least)),
            ("", "+", Some(Bound::Least)),
            ("", " or moreover", None),
            ("", "+3", None),
            ("", " + 3", None),
            ("<answer>", "</answer>", None),
            ("</b>", "", None),
            ("so ->", "", None),
            ("so => ", "", None),
            ("> ", "", None),
            ("text\n> ", "", None),
            ("<<5*3=15>>", "", None),
            ("moreover ", "", None),
            ("至少有", "个", Some(Bound::Least)),
            ("没有", "个", None),
            ("不大于", "", Some(Bound::Most)),
            ("not less than ", "", Some(Bound::Least)),
            ("pas plus de ", "", Some(Bound::Most)),
            ("不得超过", "", Some(Bound::Most)),
            ("没有超过", "", Some(Bound::Most)),
            ("只有超过", "", Some(Bound::Above)),
            ("不超過", "", Some(Bound::Most)),
            ("tidak lebih dari ", "", Some(Bound::Most)),
            ("не больше чем ", "", Some(Bound::Most)),
            ("не более ", "", Some(Bound::Most)),
            ("nie więcej niż ", "", Some(Bound::Most)),
            ("terminst ", "", None),
            ("No, more than ", "", Some(Bound::Above)),
            ("Like it or not, more than ", "", Some(Bound::Above)),
            ("", "人以上です", Some(Bound::Least)),
            ("", "개 이하", Some(Bound::Most)),
            ("", "人。以上", None),
            ("", " a more", None),
            ("the answer is ", "", None),
        ] {
            assert_eq!(bound(before, after), want, "{before}5{after}");
        }
    }
}
