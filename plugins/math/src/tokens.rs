//! LaTeX and plain mathematics as tokens, without what only looks.

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// Digits, perhaps with a decimal point; signs of thousands are gone.
    Number(String),
    /// A single letter.
    Letter(char),
    /// A command without its backslash, or a plain word that has a meaning.
    Command(&'static str),
    /// Words in `\text{...}`.
    Text(String),
    /// Any other character.
    Mark(char),
    /// A command that is not known.
    Unknown(String),
    /// White space, where it separates words.
    Space,
}

/// The longest answer that is read, in characters.
pub const LONGEST: usize = 4096;

/// Commands with a meaning, and what they are called here.
const COMMANDS: [(&str, &str); 113] = [
    ("frac", "frac"), ("dfrac", "frac"), ("tfrac", "frac"), ("cfrac", "frac"), ("sqrt", "sqrt"), ("binom", "binom"),
    ("dbinom", "binom"), ("tbinom", "binom"), ("cdot", "*"), ("times", "*"), ("ast", "*"), ("div", "div"),
    ("pm", "pm"), ("mp", "mp"), ("pi", "pi"), ("infty", "infty"), ("infinity", "infty"), ("cup", "cup"),
    ("bigcup", "cup"), ("cap", "cap"), ("setminus", "setminus"), ("in", "in"), ("le", "le"), ("leq", "le"),
    ("leqslant", "le"), ("ge", "ge"), ("geq", "ge"), ("geqslant", "ge"), ("lt", "lt"), ("gt", "gt"), ("ne", "ne"),
    ("neq", "ne"), ("approx", "="), ("equiv", "equiv"), ("emptyset", "emptyset"), ("varnothing", "emptyset"),
    ("sin", "sin"), ("cos", "cos"), ("tan", "tan"), ("cot", "cot"), ("sec", "sec"), ("csc", "csc"),
    ("arcsin", "arcsin"), ("arccos", "arccos"), ("arctan", "arctan"), ("sinh", "sinh"), ("cosh", "cosh"),
    ("tanh", "tanh"), ("asin", "arcsin"), ("acos", "arccos"), ("atan", "arctan"), ("log", "log"), ("ln", "ln"),
    ("lg", "lg"), ("exp", "exp"), ("abs", "absolute"), ("circ", "circ"), ("degree", "circ"), ("lvert", "|"),
    ("rvert", "|"), ("vert", "|"), ("mid", "mid"), ("lfloor", "lfloor"), ("rfloor", "rfloor"), ("lceil", "lceil"),
    ("rceil", "rceil"), ("langle", "("), ("rangle", ")"), ("lbrace", "{"), ("rbrace", "}"), ("lbrack", "["),
    ("rbrack", "]"), ("lparen", "("), ("rparen", ")"), ("prime", "prime"), ("overline", "overline"), ("bar", "overline"), ("Re", "Re"),
    ("Im", "Im"), ("imath", "i"), ("begin", "begin"), ("end", "end"), ("alpha", "alpha"), ("beta", "beta"),
    ("gamma", "gamma"), ("delta", "delta"), ("epsilon", "epsilon"), ("varepsilon", "epsilon"), ("theta", "theta"),
    ("lambda", "lambda"), ("mu", "mu"), ("nu", "nu"), ("rho", "rho"), ("sigma", "sigma"), ("tau", "tau"),
    ("phi", "phi"), ("varphi", "phi"), ("psi", "psi"), ("omega", "omega"), ("Delta", "Delta"), ("ell", "ell"),
    ("Omega", "Omega"), ("choose", "choose"), ("smallsetminus", "setminus"), ("backslash", "setminus"), ("pmod", "pmod"), ("bmod", "mod"),
    ("mod", "mod"), ("gcd", "gcd"), ("lcm", "lcm"), ("max", "max"), ("min", "min"), ("cis", "cis"),
];

/// Commands that change nothing.
const IGNORED: [&str; 36] = [
    "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "displaystyle", "textstyle",
    "limits", "mleft", "mright", "quad", "qquad", "boldsymbol", "mathbf", "bm", "mathit", "bf", "it", "rm", "large",
    "Large", "scriptstyle", "ensuremath", "mathstrut", "middle", "boxed", "fbox", "angle", "underline", "vec", "overrightarrow",
];

/// Commands whose braces have words.
const TEXTS: [&str; 12] =
    ["text", "textbf", "textit", "textrm", "texttt", "textnormal", "mathrm", "mathsf", "mathtt", "mbox", "hbox", "operatorname"];

/// Plain words that have a meaning.
const WORDS: [(&str, &str); 28] = [
    ("sqrt", "sqrt"), ("pi", "pi"), ("infinity", "infty"), ("inf", "infty"), ("oo", "infty"), ("sin", "sin"),
    ("cos", "cos"), ("tan", "tan"), ("cot", "cot"), ("sec", "sec"), ("csc", "csc"), ("log", "log"), ("ln", "ln"),
    ("exp", "exp"), ("abs", "absolute"), ("percent", "%"), ("percentage", "%"), ("pct", "%"), ("degrees", "circ"),
    ("degree", "circ"), ("arcsin", "arcsin"), ("arccos", "arccos"), ("arctan", "arctan"), ("theta", "theta"),
    ("mod", "mod"), ("gcd", "gcd"), ("lcm", "lcm"), ("cis", "cis"),
];

/// Words that multiply the number before them.
pub const SCALES: [(&str, &str); 6] =
    [("dozen", "12"), ("hundred", "100"), ("thousand", "1000"), ("million", "1000000"), ("billion", "1000000000"), ("trillion", "1000000000000")];

fn known(list: &[(&'static str, &'static str)], name: &str) -> Option<&'static str> {
    list.iter().find(|c| c.0 == name).map(|c| c.1)
}

/// A command as a token.
fn command(name: &str) -> Token {
    match known(&COMMANDS, name) {
        Some(mark) if mark.len() == 1 && !mark.starts_with(char::is_alphabetic) => {
            Token::Mark(mark.chars().next().unwrap_or(' '))
        }
        Some("i") => Token::Letter('i'),
        Some(name) => Token::Command(name),
        None => Token::Unknown(name.into()),
    }
}

/// Whether a number follows, or `of` one: out of 15.
fn digit_after(chars: &[char]) -> bool {
    let rest: String = chars.iter().take(8).collect();
    let rest = rest.trim_start();
    rest.strip_prefix("of ").unwrap_or(rest).trim_start_matches(['$', '(']).starts_with(|c: char| c.is_ascii_digit())
}

/// Reads the tokens of an answer; an error says what cannot be read.
pub fn read(text: &str) -> Result<Vec<Token>, String> {
    let chars: Vec<char> = text.chars().take(LONGEST + 1).fold(Vec::new(), plain);
    if chars.len() > LONGEST {
        return Err(format!("the answer is longer than {LONGEST} characters"));
    }
    let mut out = Vec::new();
    let mut at = 0;
    // Commas between the digits of a number in brackets separate elements.
    let mut depth = 0usize;
    while let Some(&c) = chars.get(at) {
        at += 1;
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match c {
            '\\' => at = backslash(&chars, at, &mut out)?,
            // √144 is a root of all digits, \sqrt144 of one.
            '√' => {
                out.push(Token::Command("sqrt"));
                if chars.get(at).is_some_and(char::is_ascii_digit) {
                    out.push(Token::Mark('{'));
                    at = number(&chars, at, depth, &mut out);
                    out.push(Token::Mark('}'));
                }
            }
            c if raised(c).is_some() => {
                let end = (at..chars.len()).find(|i| raised(chars[*i]).is_none()).unwrap_or(chars.len());
                let power: String = chars[at - 1..end].iter().filter_map(|c| raised(*c)).collect();
                let digits = power.trim_start_matches('-');
                out.extend([Token::Mark('^'), Token::Mark('{')]);
                out.extend((digits.len() < power.len()).then_some(Token::Mark('-')));
                out.extend([Token::Number(digits.into()), Token::Mark('}')]);
                at = end;
            }
            // 0xFF, 0b1010
            '0' if based(&chars[at..]).is_some() => {
                let (value, length) = based(&chars[at..]).unwrap_or_default();
                out.push(Token::Number(value.to_string()));
                at += length;
            }
            '0'..='9' if wants_digit(&out) => out.push(Token::Number(c.into())),
            '0'..='9' | '.' => at = number(&chars, at - 1, depth, &mut out),
            c if c.is_alphabetic() => {
                let end = (at..chars.len()).find(|i| !chars[*i].is_alphabetic()).unwrap_or(chars.len());
                let word: String = chars[at - 1..end].iter().collect();
                match known(&WORDS, &word.to_lowercase()) {
                    Some("%") => out.push(Token::Mark('%')),
                    Some(name) => out.push(Token::Command(name)),
                    // 5 x 10^3
                    None if matches!(&*word, "x" | "X") && times_ten(&out, &chars[end..]) => out.push(Token::Mark('*')),
                    // 12 or so, 12ish
                    None if word == "or" && [" so", " thereabouts"].iter().any(|w| chars[end..].iter().collect::<String>().trim_end_matches(['.', ' ']) == *w) => return Ok(out),
                    None if word == "ish" && matches!(out.last(), Some(Token::Number(_) | Token::Mark('-'))) => {
                        out.truncate(out.len() - usize::from(out.last() == Some(&Token::Mark('-'))));
                    }
                    None if word.len() > 1 && matches!(word.as_str(), "and" | "or") => out.push(Token::Mark(',')),
                    None if matches!(&*word, "of" | "out" | "per" | "in" | "point" | "over" | "take" | "to") && digit_after(&chars[end..]) => return Err("words join two numbers".into()),
                    None if matches!(&*word.to_lowercase(), "minus" | "negative") && digit_after(&chars[end..]) => out.push(Token::Mark('-')),
                    None if matches!(&*word, "plus") && digit_after(&chars[end..]) => out.push(Token::Mark('+')),
                    None if matches!(&*word, "times") && digit_after(&chars[end..]) => out.push(Token::Mark('*')),
                    None if matches!(&*word, "squared" | "cubed") && matches!(out.iter().rfind(|t| **t != Token::Space), Some(Token::Number(_))) => {
                        out.extend([Token::Mark('^'), Token::Number(if word == "squared" { "2" } else { "3" }.into())]);
                    }
                    None => out.extend(word.chars().map(Token::Letter)),
                }
                at = end;
            }
            c if c.is_whitespace() || c == '~' => {
                if out.last() != Some(&Token::Space) {
                    out.push(Token::Space);
                }
            }
            '$' | '"' | '&' if c != '&' || !out.contains(&Token::Command("begin")) => {}
            '*' if chars.get(at) == Some(&'*') => {
                at += 1;
                out.push(Token::Mark('^'));
            }
            c => out.push(Token::Mark(c)),
        }
    }
    Ok(out)
}

/// The value of what follows the 0 of `0xFF`, and its characters.
fn based(after: &[char]) -> Option<(u128, usize)> {
    let base = match after.first()? {
        'x' => 16,
        'b' => 2,
        'o' => 8,
        _ => return None,
    };
    let digits: String = after[1..].iter().take_while(|c| c.is_alphanumeric()).collect();
    Some((u128::from_str_radix(&digits, base).ok()?, 1 + digits.len()))
}

/// Whether a power of ten follows a number.
fn times_ten(before: &[Token], after: &[char]) -> bool {
    let after: String = after.iter().skip_while(|c| **c == ' ').take(3).collect();
    after == "10^" && matches!(before.iter().rev().find(|t| **t != Token::Space), Some(Token::Number(_)))
}

/// Whether a command takes a single digit here: \frac12 is 1/2.
fn wants_digit(before: &[Token]) -> bool {
    let mut last = before.iter().rev().filter(|t| **t != Token::Space);
    let (one, two) = (last.next(), last.next());
    let takes_two = |t: Option<&Token>| matches!(t, Some(Token::Command("frac" | "binom")));
    matches!(one, Some(Token::Command("sqrt"))) || takes_two(one) || (takes_two(two) && matches!(one, Some(Token::Number(n)) if n.len() == 1))
}

/// Adds a character, or those for which it stands.
fn plain(mut all: Vec<char>, c: char) -> Vec<char> {
    const LIST: [(char, &str); 43] = [
        ('−', "-"), ('–', "-"), ('×', "\\times "), ('·', "\\cdot "), ('⋅', "\\cdot "), ('÷', "\\div "),
        ('π', "\\pi "), ('∞', "\\infty "), ('≤', "\\le "), ('≥', "\\ge "), ('≠', "\\ne "),
        ('≡', "\\equiv "), ('∪', "\\cup "), ('∩', "\\cap "), ('∈', "\\in "), ('±', "\\pm "), ('°', "^\\circ "), ('∅', "\\emptyset "),
        ('≈', "\\approx "), ('⁄', "/"), ('\u{fe63}', "-"), ('\u{2011}', "-"), ('\u{ff0d}', "-"),
        ('½', "\\frac{1}{2}"), ('⅓', "\\frac{1}{3}"), ('⅔', "\\frac{2}{3}"), ('¼', "\\frac{1}{4}"),
        ('¾', "\\frac{3}{4}"), ('θ', "\\theta "), ('α', "\\alpha "), ('β', "\\beta "), ('λ', "\\lambda "),
        ('’', "'"), ('（', "("), ('）', ")"), ('，', ","), ('⟨', "("), ('⟩', ")"), ('％', "%"), ('＝', "="),
        ('€', ""), ('£', ""), ('ℝ', "\\mathbb{R}"),
    ];
    match LIST.iter().find(|p| !c.is_ascii() && p.0 == c) {
        Some((_, text)) => all.extend(text.chars()),
        None => all.push(c),
    }
    all
}

/// A sign of an exponent that is raised: ², ⁻
fn raised(c: char) -> Option<char> {
    match c {
        '\u{207b}' => Some('-'),
        c if c.is_ascii() => None,
        c => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|s| s == c).and_then(|n| char::from_digit(n as u32, 10)),
    }
}

/// What follows a backslash.
fn backslash(chars: &[char], at: usize, out: &mut Vec<Token>) -> Result<usize, String> {
    let Some(&c) = chars.get(at) else { return Ok(at) };
    if !c.is_ascii_alphabetic() {
        match c {
            '{' => out.push(Token::Command("lset")),
            '}' => out.push(Token::Command("rset")),
            '%' => out.push(Token::Mark('%')),
            '\\' => out.push(Token::Command("row")),
            '|' => out.push(Token::Unknown("|".into())),
            _ => {} // spaces, \$, brackets of mathematics
        }
        return Ok(at + 1);
    }
    let mut end = (at..chars.len()).find(|i| !chars[*i].is_ascii_alphabetic()).unwrap_or(chars.len());
    let name: String = chars[at..end].iter().collect();
    if TEXTS.contains(&name.as_str()) {
        while chars.get(end).is_some_and(|c| c.is_whitespace()) {
            end += 1;
        }
        if chars.get(end) == Some(&'{') {
            let close = closing(chars, end).ok_or("a brace is not closed")?;
            let words: String = chars[end + 1..close].iter().collect();
            text(&words, out)?;
            // 3\mathrm{e}{-5}
            if words == "e" && starts(chars, close + 1, "{-") {
                return Err("an e may stand for a power of ten".into());
            }
            // A function that is not known is not a factor.
            if let (Some(Token::Text(name)), "operatorname") = (out.last(), &*name) {
                let unknown = Token::Unknown(name.clone());
                out.pop();
                out.push(unknown);
            }
            return Ok(close + 1);
        }
        return Ok(end);
    }
    if matches!(name.as_str(), "color" | "textcolor") && chars.get(end) == Some(&'{') {
        return Ok(closing(chars, end).ok_or("a brace is not closed")? + 1);
    }
    if IGNORED.contains(&name.as_str()) {
        // \left. and \right. are brackets that are not there.
        let empty = matches!(name.as_str(), "left" | "right") && chars.get(end) == Some(&'.');
        return Ok(end + usize::from(empty));
    }
    // \mathbb{R}, \mathbb R
    let set: String = chars[end..].iter().filter(|c| !c.is_whitespace()).take(3).collect();
    if let Some(written) = ["{R}", "R"].iter().find(|s| name == "mathbb" && set.starts_with(**s)) {
        out.push(Token::Command("reals"));
        let mut left = written.len();
        return Ok(end + chars[end..].iter().take_while(|c| { left -= usize::from(left > 0 && !c.is_whitespace()); left > 0 }).count() + 1);
    }
    out.push(command(&name));
    Ok(end)
}

/// Words in braces: some have a meaning, some begin with a number.
fn text(words: &str, out: &mut Vec<Token>) -> Result<(), String> {
    let plain = words.replace("\\$", "").replace('$', "");
    let trimmed = plain.trim();
    let first = trimmed.split(' ').next().unwrap_or("");
    out.push(match trimmed {
        "" => return Ok(()),
        "and" | "or" | "," | ", and" | ", or" => Token::Mark(','),
        "%" => Token::Mark('%'),
        "e" => Token::Letter('e'),
        "i" => Token::Letter('i'),
        _ if first.starts_with(|c: char| c.is_ascii_digit()) && (!first.contains(char::is_alphabetic) || based(&first.chars().skip(1).collect::<Vec<_>>()).is_some()) => {
            out.extend(read(trimmed)?);
            return Ok(());
        }
        _ => match known(&WORDS, &trimmed.to_lowercase()) {
            Some("%") => Token::Mark('%'),
            Some(name) => Token::Command(name),
            None => Token::Text(trimmed.into()),
        },
    });
    Ok(())
}

/// The brace that closes the one at a place.
pub fn closing(chars: &[char], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut escaped = false;
    for (i, c) in chars.iter().enumerate().skip(open) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}

/// A number from its first digit: 1,234,567.8, 1{,}234, 1\,234, 12.5, 1.5e3, 0.333...
fn number(chars: &[char], from: usize, depth: usize, out: &mut Vec<Token>) -> usize {
    let digit = |i: usize| chars.get(i).is_some_and(char::is_ascii_digit);
    let mut text = String::new();
    let mut at = from;
    while digit(at) {
        text.push(chars[at]);
        at += 1;
    }
    if (1..=3).contains(&text.len()) && text != "0" {
        const SIGNS: [&str; 11] = ["{,}", ",\\!", "\\,", "\\;", ",", "'", "\\ ", " ", "\u{a0}", "\u{202f}", "\u{2009}"];
        let sign = SIGNS.iter().find(|s| starts(chars, at, s));
        if let Some(sign) = sign.filter(|s| !matches!(**s, "," | " ") || depth == 0) {
            let length = sign.chars().count();
            let (mut all, mut end) = (text.clone(), at);
            while starts(chars, end, sign)
                && (0..3).all(|i| digit(end + length + i))
                && !digit(end + length + 3)
            {
                all.extend(&chars[end + length..end + length + 3]);
                end += length + 3;
            }
            (text, at) = (all, end);
        }
    }
    // 0{,}25, but not 1{,}2{,}3
    let decimals = (at + 3..chars.len()).find(|i| !digit(*i)).unwrap_or(chars.len());
    let comma = at > from && at - from == text.len() && starts(chars, at, "{,}") && !starts(chars, decimals, "{,}");
    if comma && digit(at + 3) {
        at += 2;
    }
    if (comma || chars.get(at) == Some(&'.')) && digit(at + 1) {
        if text.is_empty() {
            text.push('0');
        }
        text.push('.');
        at += 1;
        while digit(at) {
            text.push(chars[at]);
            at += 1;
        }
    } else if text.is_empty() || (chars.get(at) == Some(&'.') && at == from) {
        out.push(Token::Mark('.'));
        return at + 1;
    } else if starts(chars, at, ".\\overline") || starts(chars, at, ".\\bar") || chars.get(at) == Some(&'.') && period(chars, at + 1).is_some() {
        text.push('.');
        at += 1;
    }
    if let Some((digits, end)) = period(chars, at).filter(|_| text.contains('.')) {
        out.extend([Token::Number(text), Token::Command("overline"), Token::Mark('{'), Token::Number(digits), Token::Mark('}')]);
        return end;
    }
    if let Some(end) = exponent(chars, at, &mut text) {
        at = end;
    }
    let dots = ["...", "\u{2026}", "\\ldots", "\\dots"].iter().find(|d| text.contains('.') && starts(chars, at, d));
    if let Some(dots) = dots {
        let fixed = repeating(&text);
        let period = text.split_off(fixed.unwrap_or(text.len()));
        out.push(Token::Number(text));
        match fixed {
            Some(_) => out.extend([Token::Command("overline"), Token::Mark('{'), Token::Number(period), Token::Mark('}')]),
            None => out.push(Token::Unknown("dots".into())),
        }
        return at + dots.chars().count();
    }
    out.push(Token::Number(text));
    at
}

/// The digits that repeat from a place, and where they end: `(142857)` behind the point, `\dot{1}4285\dot{7}`.
fn period(chars: &[char], at: usize) -> Option<(String, usize)> {
    let rest: String = chars[at..].iter().take(40).collect();
    let digits = |t: &str| t.bytes().take_while(u8::is_ascii_digit).count();
    if let Some(inner) = rest.strip_prefix('(').filter(|_| chars[at - 1] == '.') {
        let length = digits(inner);
        return (length > 0 && inner[length..].starts_with(')')).then(|| (inner[..length].to_string(), at + length + 2));
    }
    fn dotted(t: &str) -> Option<(&str, &str)> {
        let t = t.strip_prefix("\\dot")?.trim_start();
        let (digit, rest) = t.strip_prefix('{').unwrap_or(t).split_at_checked(1)?;
        digit.starts_with(|c: char| c.is_ascii_digit()).then(|| (digit, rest.strip_prefix('}').unwrap_or(rest)))
    }
    let (first, more) = dotted(&rest)?;
    let (middle, last) = more.split_at(digits(more));
    let (found, left) = dotted(last).map_or_else(|| (first.to_string(), more), |(last, left)| (format!("{first}{middle}{last}"), left));
    Some((found, at + rest.chars().count() - left.chars().count()))
}

fn starts(chars: &[char], at: usize, text: &str) -> bool {
    text.chars().enumerate().all(|(i, c)| chars.get(at + i) == Some(&c))
}

/// Moves the decimal point of a number by the exponent after it, as in 1.5e3; where it ends.
fn exponent(chars: &[char], at: usize, text: &mut String) -> Option<usize> {
    chars.get(at).filter(|c| matches!(c, 'e' | 'E'))?;
    let sign = usize::from(matches!(chars.get(at + 1), Some('+' | '-')));
    let from = at + 1 + sign;
    let end = (from..chars.len()).find(|i| !chars[*i].is_ascii_digit()).unwrap_or(chars.len());
    // 3E8, but not 3E8_{16}
    if end == from || chars.get(end).is_some_and(|c| c.is_alphabetic() || *c == '_') {
        return None;
    }
    let digits: String = chars[from..end].iter().collect();
    let power = digits.parse::<usize>().ok().filter(|p| *p <= 400)?;
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let zeros = "0".repeat(power);
    *text = if chars[at + 1] == '-' {
        let all = format!("{zeros}{whole}");
        let (whole, moved) = all.split_at(all.len() - power);
        format!("0{whole}.{moved}{part}")
    } else {
        let all = format!("{part}{zeros}");
        let (moved, part) = all.split_at(power);
        let part = part.trim_end_matches('0');
        format!("{whole}{moved}{}{part}", if part.is_empty() { "" } else { "." })
    };
    Some(end)
}

/// Where the digits begin that a decimal repeats at its end: three times one digit, or twice
/// several.
fn repeating(text: &str) -> Option<usize> {
    let from = text.find('.')? + 1;
    (1..=12).find_map(|length| {
        let times = if length == 1 { 3 } else { 2 };
        let start = text.len().checked_sub(length * times).filter(|s| *s >= from)?;
        let period = &text[text.len() - length..];
        (text[start..] == period.repeat(times)).then_some(text.len() - length)
    })
}
