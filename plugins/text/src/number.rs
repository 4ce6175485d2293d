//! Numbers as they are written in prose.

use crate::numeral::{Reader, CURRENCIES};
use crate::{bound, denied_before, joins_numbers, lower, minus, negated, operated, precision, Bound};
use rubric_host_sdk::Value;
use std::borrow::Cow;

/// A number as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// Without the percent sign; NaN if it is not read.
    pub value: f64,
    /// Whether a percent sign follows.
    pub percent: bool,
    /// With another reading of the word behind it: without million or dozen, with k or bps.
    pub bare: f64,
    /// How much of it is read.
    pub sure: Sure,
    /// What it is a bound of.
    pub bound: Option<Bound>,
    /// Its characters in the text.
    pub span: (usize, usize),
    /// How it is linked to the number before.
    pub link: Link,
}

/// How much of a number is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sure {
    /// All of it.
    All,
    /// All, but it is one of several that are added or multiplied.
    Operand,
    /// What is beside it makes another number of it, or it has two readings.
    Part,
}

/// What a comma is.
#[derive(Clone, Copy, PartialEq)]
pub enum Comma {
    /// 1,234.5
    Thousands,
    /// 1.234,5
    Decimal,
}

/// The most numbers of a text that are looked at.
pub const NUMBERS: usize = 100_000;

/// What stands between two found things, or before the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Link {
    /// `or`, `to`: the second is an alternative to the first, or the other end of a range.
    Or,
    /// `not`: the second is ruled out.
    Not,
    /// By other words, or none.
    Other,
}

/// The most characters before a found thing that say what it is.
pub const BEFORE: usize = 40;

/// How a thing is linked to what is before it, by the end of the text between.
pub fn link(between: &str) -> Link {
    let mark = |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '"' | '$' | ',' | '(' | '\\' | '/');
    let rest = between.trim_matches(mark);
    // Other signs say nothing.
    if !rest.ends_with(|c: char| c.is_alphabetic() || matches!(c, '=' | '\u{e48}')) {
        return Link::Other;
    }
    let rest = lower(rest);
    // x = 5 or x = 6
    let or = rest.strip_prefix("or ").and_then(|r| r.strip_suffix('=')).is_some_and(|name| name.trim_end().len() < 3);
    if or || joins_numbers(&rest) {
        return Link::Or;
    }
    if negated(between) { Link::Not } else { Link::Other }
}

/// The numbers in a text.
pub fn numbers(text: &str, comma: Comma) -> Vec<Number> {
    let ascii = |c| match c {
        '\u{2010}' | '\u{2011}' | '\u{fe63}' => '-',
        '\u{ff05}'..='\u{ff0f}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        c => c,
    };
    let plain = text.is_ascii();
    let chars: Vec<char> = if plain { text.bytes().map(char::from).collect() } else { text.chars().map(ascii).collect() };
    let text: Cow<str> = if plain { text.into() } else { chars.iter().collect::<String>().into() };
    // Where each character begins, unless each is a byte.
    let bytes: Vec<usize> = if text.len() == chars.len() { Vec::new() } else { text.char_indices().map(|c| c.0).chain([text.len()]).collect() };
    let part = |from: usize, to: usize| if bytes.is_empty() { &text[from..to] } else { &text[bytes[from]..bytes[to]] };
    let reader = Reader { chars: &chars, comma };
    let mut found: Vec<Number> = Vec::new();
    let mut at = 0;
    // Those that number the items of a list, and the last of them.
    let (mut items, mut item): (Vec<usize>, Option<(usize, f64)>) = (Vec::new(), None);
    // Where an operand must start, after a sign of operation.
    let mut operand = None;
    let mut between_two = false;
    while at < chars.len() && found.len() < NUMBERS {
        let c = chars[at];
        if matches!(c, '^' | '_') && !reader.digit(at + 1) || c == '^' {
            // Exponents and subscripts are not numbers of their own.
            at = reader.argument(at + 1);
            continue;
        }
        let from = at;
        match if Reader::starts(c) { reader.read(at, false) } else { None } {
            Some((mut number, end)) => {
                number.span = (from, end);
                let between = found.last().map_or(0, |n| n.span.1).max(from.saturating_sub(BEFORE));
                let before = part(between, from);
                number.link = link(before);
                let bare = before.trim_matches([' ', '*', '_', '`', '$', '"']);
                // 12 and 13, 12~13, 12 (13 with the last)
                if !found.is_empty() && (matches!(bare, "and" | "&" | "~" | "\u{ff5e}") || bare == "(" && before != "(") {
                    number.link = Link::Or;
                }
                let after = part(end, chars.len().min(end + 16));
                let lower = lower(before);
                number.bound = bound(&lower, after);
                let trimmed = lower.trim_end_matches([' ', '{', '(', '$']);
                // The modulus of 2 (mod 7), and 5 mod 3.
                if trimmed.ends_with(['d', 'o']) && trimmed.rsplit(|c: char| !c.is_ascii_alphabetic()).next().is_some_and(|w| matches!(w, "mod" | "modulo" | "pmod" | "bmod")) {
                    if let Some(first) = found.last_mut().filter(|_| !before.contains(['(', 'p'])) {
                        first.sure = Sure::Part;
                    }
                    at = end;
                    continue;
                }
                if precision(before, after) {
                    at = end;
                    continue;
                }
                // Between 5 and 6.
                if between_two && trimmed.trim_start_matches(|c: char| !c.is_ascii_alphabetic()) == "and" {
                    number.link = Link::Or;
                }
                between_two = trimmed.ends_with("between");
                // 3 point 5, {1 \over 2}
                let joined = !found.is_empty() && matches!(bare, "point" | "over" | "\\over" | "divided by");
                if number.sure == Sure::All && (denied_before(after) || joined || reader.symbolic(from, end, before) || reader.formula(end, before) || reader.raised(from, end) || operated(&lower, after) || names(before, after)) {
                    number.sure = Sure::Part;
                }
                match minus(before, !found.is_empty()) {
                    Some(_) if after.starts_with(" times") => number.sure = Sure::Part, // a test that was negative 5 times
                    Some(Sure::All) => number.negate(),
                    Some(sure) => number.sure = sure,
                    None => {}
                }
                // 555-1234, GPT-4
                let hyphen = from > 1 && matches!(chars[from - 1], '-' | '\u{2013}');
                if hyphen && (digit(chars[from - 2]).is_some() || chars[from - 1] == '-' && joins(chars[from - 2])) {
                    number.sure = Sure::Part;
                    if let Some(first) = found.last_mut().filter(|n| n.span.1 + 1 == from) {
                        first.sure = Sure::Part;
                    }
                }
                if reader.heads_item(from, end) {
                    let next = item.filter(|(_, n)| number.value == n + 1.0);
                    items.extend(next.map(|(i, _)| i).filter(|i| items.last() != Some(i)));
                    items.extend(next.map(|_| found.len()));
                    item = (next.is_some() || number.value == 1.0).then_some((found.len(), number.value));
                }
                // (1,200) may be a point.
                if from > 0 && (chars[from - 1], chars.get(end)) == ('(', Some(&')')) && chars[from..end].contains(&',') {
                    number.sure = Sure::Part;
                }
                if number.sure == Sure::All && (operand == Some(from) || reader.operates(from)) {
                    number.sure = Sure::Operand;
                }
                operand = reader.operation(end);
                if operand.is_some() && number.sure == Sure::All {
                    number.sure = Sure::Operand;
                }
                at = end;
                found.push(number);
            }
            // The rest of a word such as B12 is not a number.
            None if digit(c).is_some() => at = reader.glued(at).1,
            None if joins(c) => {
                // That of USD18 is one.
                let end = (at..chars.len()).find(|i| !joins(chars[*i]) && chars[*i] != '_').unwrap_or(chars.len());
                let letters = (at..end).find(|i| !chars[*i].is_ascii_uppercase()).unwrap_or(end);
                let coded = letters > at + 1 && CURRENCIES.contains(&chars[at..letters.min(at + 4)].iter().collect::<String>().as_str());
                at = match coded.then(|| reader.read(letters, true)).flatten() {
                    Some((number, end)) => {
                        found.push(Number { span: (from, end), ..number });
                        end
                    }
                    None if chars[end - 1] == '_' => reader.argument(end),
                    None => reader.function(at, end, &mut found),
                };
            }
            None => at += 1,
        }
    }
    if found.len() < NUMBERS {
        let (mut at, mut items) = (0, items.into_iter().peekable());
        found.retain(|_| {
            at += 1;
            items.next_if_eq(&(at - 1)).is_none()
        });
    }
    if let [only] = &mut found[..] {
        if only.link == Link::Not && labelled(&lower(part(only.span.0.saturating_sub(BEFORE), only.span.0))) {
            (only.link, only.sure) = (Link::Other, Sure::Part);
        }
    }
    found
}

/// A number of a text in decimals, all of its digits: doubles do not tell 2^53 + 1 from 2^53. None of a fraction, a power or words.
pub fn decimals(text: &str, number: &Number, comma: Comma) -> Option<String> {
    let (from, to) = number.span;
    let decimals: String = text.chars().skip(from).take(to - from).filter_map(|c| match c {
        '-' | '\u{2212}' | '\u{2013}' => Some('-'),
        ',' if comma == Comma::Decimal => Some('.'),
        '.' if comma == Comma::Decimal => None,
        '$' | '+' | ',' | ' ' | '_' | '\'' | '\u{2019}' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '{' | '}' | '\\' | '!' => None,
        c => Some(digit(c).unwrap_or(c)),
    }).collect();
    (Value::Number(&decimals).as_f64() == Some(number.value)).then_some(decimals)
}

impl Number {
    pub(crate) fn negate(&mut self) {
        (self.value, self.bare) = (-self.value, -self.bare);
    }
}

/// Whether `no` before a number may stand for the word number: `question no 5`. Spanish has a comma or a short word before it.
fn labelled(before: &str) -> bool {
    let word = before.trim_end().strip_suffix(" no").and_then(|rest| rest.rsplit(|c: char| !c.is_alphabetic()).next());
    word.is_some_and(|w| w.len() > 2 && w != "pero")
}

/// Whether a number is the end of a name: `UA 212`, `iPhone 15`, `the mission Apollo 11`. Not `gives Tom 5 apples`.
fn names(before: &str, after: &str) -> bool {
    let Some(before) = before.strip_suffix(' ') else { return false };
    let rest = before.trim_end_matches(|c: char| c.is_alphanumeric());
    let word = &before[rest.len()..];
    let (upper, lower) = (|c: char| c.is_ascii_uppercase(), |c: char| c.is_ascii_lowercase());
    // Most words have no capitals.
    if !word.contains(upper) {
        return false;
    }
    let mixed = word.chars().zip(word.chars().skip(1)).any(|(a, b)| lower(a) && upper(b));
    // Not in a text of capitals, nor money, an era or a small word.
    let shouted = rest.trim_end().ends_with(upper);
    let code = word.len() == 2 && word.chars().all(upper) && !shouted && !matches!(word, "AD" | "CE" | "US" | "RS" | "RM" | "HK" | "NT" | "KR" | "TL" | "IS" | "OR" | "NO" | "TO" | "OF");
    let after_word = rest.strip_suffix(' ').is_some_and(|r| r.ends_with(lower));
    let title = word.len() > 2 && word.starts_with(upper) && word.chars().skip(1).all(lower) && after_word && !after.strip_prefix(' ').is_some_and(|a| a.starts_with(lower));
    mixed || code || title
}

/// Whether a character makes one word with a number beside it, as in B12. Scripts without
/// spaces between words do not.
pub fn joins(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    let spaceless = matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}');
    c.is_alphanumeric() && !(spaceless && digit(c).is_none())
}

/// A digit of any script that is read, as an ASCII digit.
pub fn digit(c: char) -> Option<char> {
    // Where the ten digits of a script begin: Arabic, Persian, Indian scripts, Thai, Lao, Myanmar, Khmer, full width.
    const ZEROS: [u32; 16] = [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0x1040, 0x17e0, 0xff10];
    if c.is_ascii() {
        return c.is_ascii_digit().then_some(c);
    }
    ZEROS.iter().find_map(|zero| char::from_digit((c as u32).checked_sub(*zero)?, 10))
}

/// The value of a fraction that is one character.
pub fn fraction(c: char) -> Option<f64> {
    const LIST: [(char, f64, f64); 18] = [
        ('½', 1.0, 2.0), ('⅓', 1.0, 3.0), ('⅔', 2.0, 3.0), ('¼', 1.0, 4.0), ('¾', 3.0, 4.0), ('⅕', 1.0, 5.0),
        ('⅖', 2.0, 5.0), ('⅗', 3.0, 5.0), ('⅘', 4.0, 5.0), ('⅙', 1.0, 6.0), ('⅚', 5.0, 6.0), ('⅐', 1.0, 7.0),
        ('⅛', 1.0, 8.0), ('⅜', 3.0, 8.0), ('⅝', 5.0, 8.0), ('⅞', 7.0, 8.0), ('⅑', 1.0, 9.0), ('⅒', 1.0, 10.0),
    ];
    LIST.iter().find(|f| !c.is_ascii() && f.0 == c).map(|f| f.1 / f.2)
}

/// Whether a word names a number: seven, seventh, half, zwölf, 十二, XII. Not one and its like, which
/// are articles elsewhere.
pub fn number_word(word: &str) -> bool {
    // English, German, French, Spanish, Italian, Portuguese, Dutch, Russian, as CLDR spells them out; not
    // those that are another word in English, such as once and elf.
    #[rustfmt::skip]
    const WORDS: [&str; 241] = [
        "zero", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen",
        "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred",
        "thousand", "million", "billion", "trillion", "dozen", "half", "halves", "quarter", "quarters", "third", "thirds", "fourth", "fifth",
        "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "hundredth", "thousandth", "zwei", "drei", "vier", "fünf", "sechs",
        "sieben", "neun", "zehn", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn", "zwanzig", "dreißig",
        "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig", "hundert", "tausend", "halb", "hälfte", "dutzend", "zéro", "deux", "trois",
        "quatre", "cinq", "sept", "huit", "neuf", "dix", "onze", "douze", "treize", "quatorze", "quinze", "vingt", "trente", "quarante",
        "cinquante", "soixante", "demi", "moitié", "douzaine", "cero", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez",
        "doce", "trece", "catorce", "quince", "dieciséis", "diecisiete", "dieciocho", "diecinueve", "veinte", "veintiuno", "veintidós", "treinta",
        "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa", "cien", "ciento", "mil", "millón", "mitad", "docena", "quattro",
        "cinque", "sette", "otto", "nove", "dieci", "undici", "dodici", "tredici", "quattordici", "quindici", "sedici", "diciassette", "diciotto",
        "diciannove", "venti", "trenta", "quaranta", "cinquanta", "sessanta", "settanta", "ottanta", "novanta", "cento", "milione", "metà", "dois",
        "duas", "três", "quatro", "sete", "oito", "dez", "doze", "treze", "catorze", "dezesseis", "dezessete", "dezoito", "dezenove", "vinte",
        "trinta", "quarenta", "cinquenta", "sessenta", "oitenta", "cem", "milhão", "metade", "twee", "drie", "vijf", "zes", "zeven", "negen", "tien",
        "twaalf", "dertien", "veertien", "vijftien", "zestien", "zeventien", "achttien", "negentien", "twintig", "dertig", "veertig", "vijftig",
        "zestig", "zeventig", "tachtig", "negentig", "honderd", "duizend", "ноль", "два", "две", "три", "четыре", "пять", "шесть", "семь", "восемь",
        "девять", "десять", "одиннадцать", "двенадцать", "тринадцать", "четырнадцать", "пятнадцать", "шестнадцать", "семнадцать", "восемнадцать",
        "девятнадцать", "двадцать", "тридцать", "сорок", "пятьдесят", "шестьдесят", "семьдесят", "восемьдесят", "девяносто", "сто", "тысяча",
        "миллион", "половина",
    ];
    const CJK: &str = "二三四五六七八九十百千万億亿零両两";
    let roman = word.chars().count() > 1 && word.chars().all(|c| "IVXLCDM".contains(c));
    let lower = word.to_lowercase();
    roman || word.contains(|c| CJK.contains(c)) || lower.ends_with("teenth") || lower.ends_with("ieth") || lower.ends_with("zig") || WORDS.contains(&lower.as_str())
}

/// Whether the last line is a number in words and nothing else: `**Seven.**`
pub fn worded_line(text: &str) -> bool {
    let line = text.trim_end().rsplit_once('\n').map_or("", |(_, line)| line);
    let mut words = line.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty()).peekable();
    line.len() < 100 && words.peek().is_some() && words.all(|w| number_word(w) || matches!(w, "and" | "a" | "one" | "point" | "minus" | "negative"))
}
