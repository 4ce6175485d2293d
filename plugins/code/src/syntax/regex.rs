//! Whether the pattern of a JavaScript regular expression is well formed, as far as
//! brackets and quantifiers go.

/// Returns what is wrong with a pattern.
pub fn check(pattern: &str) -> Result<(), &'static str> {
    let mut chars = pattern.chars().peekable();
    let mut open = 0;
    let mut class = false;
    let mut quantifiable = false;
    while let Some(c) = chars.next() {
        if class {
            match c {
                '\\' => {
                    chars.next();
                }
                ']' => (class, quantifiable) = (false, true),
                _ => {}
            }
            continue;
        }
        match c {
            '\\' => {
                let what = chars.next().ok_or("\\ at the end of the pattern")?;
                quantifiable = !matches!(what, 'b' | 'B');
            }
            '[' => class = true,
            '(' => {
                open += 1;
                let special = chars.next_if_eq(&'?').is_some();
                if special && chars.next_if_eq(&'<').is_some() {
                    if chars.next_if(|c| matches!(c, '=' | '!')).is_none() {
                        chars.by_ref().take_while(|&c| c != '>').for_each(drop); // the name
                    }
                } else if special && chars.next_if(|c| matches!(c, ':' | '=' | '!')).is_none() {
                    let flags: String = chars.by_ref().take_while(|&c| c != ':').collect();
                    let twice = flags.char_indices().any(|(i, c)| !"ims-".contains(c) || flags[..i].contains(c));
                    if twice || matches!(flags.as_str(), "" | "-") {
                        return Err("invalid group");
                    }
                }
                quantifiable = false;
            }
            ')' => {
                open -= 1;
                if open < 0 {
                    return Err("unmatched )");
                }
                quantifiable = true;
            }
            '*' | '+' | '?' => {
                if !quantifiable {
                    return Err("nothing to repeat");
                }
                chars.next_if_eq(&'?');
                quantifiable = false;
            }
            '{' if !quantifiable => {
                let inside: String = chars.clone().take_while(|&c| c != '}').take(20).collect();
                let (least, most) = inside.split_once(',').unwrap_or((&inside, ""));
                if !least.is_empty() && least.chars().chain(most.chars()).all(|c| c.is_ascii_digit()) && chars.clone().nth(inside.len()) == Some('}') {
                    return Err("nothing to repeat");
                }
                quantifiable = true;
            }
            '|' | '^' | '$' => quantifiable = false,
            _ => quantifiable = true,
        }
    }
    match (class, open) {
        (true, _) => Err("unterminated character class"),
        (_, 1..) => Err("unterminated group"),
        _ => Ok(()),
    }
}

/// Flags that change what a pattern means.
#[derive(Clone, Copy)]
struct Flags {
    unicode: bool,
    sets: bool,
}

/// Returns what ECMAScript's early errors refuse in a pattern that [`check`] accepts.
pub fn early(pattern: &str, flags: &str) -> Result<(), &'static str> {
    let unicode = flags.contains('u') || flags.contains('v');
    let sets = flags.contains('v');
    let mode = Flags { unicode, sets };
    let (groups, names) = groups(pattern)?;
    let mut rest = pattern;
    let mut open: Vec<Option<bool>> = Vec::new(); // of groups: whether it looks back, if it looks
    let mut looked: Option<bool> = None; // the assertion that ends here
    let mut class = 0;
    let mut before = Before::Nothing;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        let assertion = looked.take();
        if c == '\\' {
            let escaped = escape(&mut rest, mode, class > 0, groups, &names)?;
            if class > 0 {
                before = escaped;
            }
            continue;
        }
        if class > 0 {
            match c {
                ']' => class -= 1,
                '[' if sets => class += 1,
                '(' | ')' | '{' | '}' | '/' | '|' if sets => return Err("this character needs an escape with the flag v"),
                '&' if sets && rest.starts_with("&]") => return Err("nothing behind &&"),
                _ if sets && "!#$%*+,.:;<=>?@^`~".contains(c) && rest.starts_with(c) => return Err("two of this character need an escape with the flag v"),
                '-' if !sets && !matches!(before, Before::Nothing) && !rest.starts_with(']') => {
                    let Some(next) = rest.chars().next() else { continue };
                    rest = &rest[next.len_utf8()..];
                    let last = match next {
                        '\\' => escape(&mut rest, mode, true, groups, &names)?,
                        _ => Before::Char(next),
                    };
                    match (before, last) {
                        (Before::Char(a), Before::Char(b)) if a > b => return Err("range out of order"),
                        (Before::Set, _) | (_, Before::Set) if unicode => return Err("a class of characters in a range"),
                        _ => {}
                    }
                    before = Before::Nothing;
                    continue;
                }
                _ => {}
            }
            before = Before::Char(c);
            continue;
        }
        match c {
            '[' => {
                (class, before) = (1, Before::Nothing);
                rest = rest.strip_prefix('^').unwrap_or(rest);
            }
            '(' => open.push(if rest.starts_with("?=") || rest.starts_with("?!") {
                Some(false)
            } else if rest.starts_with("?<=") || rest.starts_with("?<!") {
                Some(true)
            } else {
                None
            }),
            ')' => looked = open.pop().flatten(),
            '{' => match braces(rest) {
                Some((least, most, length)) => {
                    if most.is_some_and(|m| m < least) {
                        return Err("numbers out of order");
                    }
                    refuse_repeat(assertion, unicode)?;
                    rest = &rest[length..];
                }
                None if unicode => return Err("lone {"),
                None => {}
            },
            '}' | ']' if unicode => return Err("lone bracket"),
            '*' | '+' | '?' => refuse_repeat(assertion, unicode)?,
            _ => {}
        }
    }
    Ok(())
}

/// What an element of a class is that may begin or end a range.
#[derive(Clone, Copy)]
enum Before {
    Nothing,
    /// A class such as \d.
    Set,
    Char(char),
    /// A character that is escaped.
    Escaped,
}

/// Nothing repeats a lookbehind, and with the flag u no lookahead.
fn refuse_repeat(assertion: Option<bool>, unicode: bool) -> Result<(), &'static str> {
    match assertion {
        Some(behind) if behind || unicode => Err("nothing to repeat"),
        _ => Ok(()),
    }
}

/// The bounds of {2,3} after the {, and the length with the }.
fn braces(text: &str) -> Option<(f64, Option<f64>, usize)> {
    let (inside, _) = text.split_once('}')?;
    let (least, most) = inside.split_once(',').unwrap_or((inside, inside));
    let number = |s: &str| s.bytes().all(|c| c.is_ascii_digit()).then(|| s.parse::<f64>().ok()).flatten();
    let most = if most.is_empty() && inside.contains(',') { None } else { Some(number(most)?) };
    Some((number(least)?, most, inside.len() + 1))
}

/// How many groups capture, and their names. Groups of different alternatives may have the same name.
fn groups(pattern: &str) -> Result<(usize, Vec<&str>), &'static str> {
    let (mut count, mut class, mut at) = (0, false, 0);
    let mut names: Vec<(&str, Vec<(usize, usize)>)> = Vec::new();
    let mut around = vec![(0, 0)]; // the places of the groups, and the numbers of their alternatives
    let bytes = pattern.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'[' => class = true,
            b']' => class = false,
            b'|' if !class => around.last_mut().into_iter().for_each(|a| a.1 += 1),
            b')' if !class => drop(around.pop()),
            b'(' if !class => {
                let rest = &pattern[at + 1..];
                if !rest.starts_with('?') {
                    count += 1;
                } else if rest.starts_with("?<") && !rest.starts_with("?<=") && !rest.starts_with("?<!") {
                    count += 1;
                    let name = rest[2..].split('>').next().unwrap_or("");
                    let valid = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '\\' | '{' | '}' | '\u{200c}' | '\u{200d}');
                    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(valid) {
                        return Err("invalid name of a group");
                    }
                    let apart = |other: &[(usize, usize)]| around.iter().zip(other).any(|(a, b)| a.0 == b.0 && a.1 != b.1);
                    if names.iter().any(|(n, other)| *n == name && !apart(other)) {
                        return Err("a name of two groups");
                    }
                    names.push((name, around.clone()));
                }
                around.push((at + 1, 0));
            }
            _ => {}
        }
        at += 1;
    }
    Ok((count, names.into_iter().map(|n| n.0).collect()))
}

/// Reports whether there is a property of characters. Names of scripts are not checked.
fn is_property(text: &str, negated: bool, sets: bool) -> bool {
    let one_of = |names: &str, name: &str| names.split(' ').any(|n| n == name);
    match text.split_once('=') {
        Some(("General_Category" | "gc", value)) => one_of(CATEGORIES, value),
        Some((key, value)) => matches!(key, "Script" | "sc" | "Script_Extensions" | "scx") && value.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_') && !value.is_empty(),
        None => one_of(CATEGORIES, text) || one_of(PROPERTIES, text) || sets && !negated && one_of(SEQUENCES, text),
    }
}

/// General categories of Unicode.
const CATEGORIES: &str = "Cased_Letter LC Close_Punctuation Pe Connector_Punctuation Pc Control Cc cntrl Currency_Symbol Sc Dash_Punctuation Pd Decimal_Number Nd \
    digit Enclosing_Mark Me Final_Punctuation Pf Format Cf Initial_Punctuation Pi Letter L Letter_Number Nl Line_Separator Zl Lowercase_Letter \
    Ll Mark M Combining_Mark Math_Symbol Sm Modifier_Letter Lm Modifier_Symbol Sk Nonspacing_Mark Mn Number N Open_Punctuation Ps Other C \
    Other_Letter Lo Other_Number No Other_Punctuation Po Other_Symbol So Paragraph_Separator Zp Private_Use Co Punctuation P punct Separator Z \
    Space_Separator Zs Spacing_Mark Mc Surrogate Cs Symbol S Titlecase_Letter Lt Unassigned Cn Uppercase_Letter Lu";

/// Binary properties that ECMAScript has.
const PROPERTIES: &str = "ASCII ASCII_Hex_Digit AHex Alphabetic Alpha Any Assigned Bidi_Control Bidi_C Bidi_Mirrored Bidi_M Case_Ignorable CI Cased \
    Changes_When_Casefolded CWCF Changes_When_Casemapped CWCM Changes_When_Lowercased CWL Changes_When_NFKC_Casefolded CWKCF \
    Changes_When_Titlecased CWT Changes_When_Uppercased CWU Dash Default_Ignorable_Code_Point DI Deprecated Dep Diacritic Dia Emoji \
    Emoji_Component EComp Emoji_Modifier EMod Emoji_Modifier_Base EBase Emoji_Presentation EPres Extended_Pictographic ExtPict Extender Ext \
    Grapheme_Base Gr_Base Grapheme_Extend Gr_Ext Hex_Digit Hex IDS_Binary_Operator IDSB IDS_Trinary_Operator IDST ID_Continue IDC ID_Start IDS \
    Ideographic Ideo Join_Control Join_C Logical_Order_Exception LOE Lowercase Lower Math Noncharacter_Code_Point NChar Pattern_Syntax Pat_Syn \
    Pattern_White_Space Pat_WS Quotation_Mark QMark Radical Regional_Indicator RI Sentence_Terminal STerm Soft_Dotted SD Terminal_Punctuation \
    Term Unified_Ideograph UIdeo Uppercase Upper Variation_Selector VS White_Space space XID_Continue XIDC XID_Start XIDS";

/// Properties of strings, of the flag v.
const SEQUENCES: &str = "Basic_Emoji Emoji_Keycap_Sequence RGI_Emoji RGI_Emoji_Flag_Sequence RGI_Emoji_Modifier_Sequence RGI_Emoji_Tag_Sequence \
    RGI_Emoji_ZWJ_Sequence";

/// Takes an escape off the text behind its backslash.
fn escape(rest: &mut &str, flags: Flags, class: bool, groups: usize, names: &[&str]) -> Result<Before, &'static str> {
    let Some(c) = rest.chars().next() else { return Ok(Before::Escaped) };
    *rest = &rest[c.len_utf8()..];
    let Flags { unicode, sets } = flags;
    let hex = |n: usize, text: &str| text.len() >= n && text.as_bytes()[..n].iter().all(u8::is_ascii_hexdigit);
    match c {
        'k' if !class && (unicode || !names.is_empty()) => {
            let name = rest.strip_prefix('<').and_then(|r| r.split_once('>')).map(|(name, _)| name);
            return if name.is_some_and(|n| names.contains(&n)) { Ok(Before::Escaped) } else { Err("no such group") };
        }
        _ if matches!(c, 'd' | 'D' | 's' | 'S' | 'w' | 'W') => return Ok(Before::Set),
        _ if !unicode => return Ok(Before::Escaped), // anything goes
        'u' => {
            if let Some((code, _)) = rest.strip_prefix('{').and_then(|r| r.split_once('}')) {
                let good = u32::from_str_radix(code, 16).is_ok_and(|n| n <= 0x10_ffff);
                *rest = &rest[code.len() + 2..];
                return if good { Ok(Before::Escaped) } else { Err("invalid escape") };
            }
            if !hex(4, rest) {
                return Err("invalid escape");
            }
        }
        'x' if !hex(2, rest) => return Err("invalid escape"),
        'c' if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) => return Err("invalid escape"),
        'p' | 'P' => {
            let Some((name, _)) = rest.strip_prefix('{').and_then(|r| r.split_once('}')) else { return Err("invalid property") };
            if !is_property(name, c == 'P', sets) {
                return Err("invalid property");
            }
            *rest = &rest[name.len() + 2..];
            return Ok(Before::Set);
        }
        '0' if rest.starts_with(|c: char| c.is_ascii_digit()) => return Err("invalid escape"),
        '1'..='9' => {
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let number = format!("{c}{}", &rest[..digits]);
            *rest = &rest[digits..];
            if class || number.parse::<usize>().map_or(true, |n| n > groups) {
                return Err("no such group");
            }
        }
        'q' if class && sets && rest.starts_with('{') => {
            *rest = rest.find('}').map_or("", |end| &rest[end + 1..]);
            return Ok(Before::Set);
        }
        'b' | 'f' | 'n' | 'r' | 't' | 'v' | '0' | 'x' | 'c' | 'k' => {}
        'B' if !class => {}
        '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '/' => return Ok(Before::Char(c)),
        '-' if class => return Ok(Before::Char(c)),
        // The flag v allows more punctuation in classes.
        _ if class && c.is_ascii_punctuation() => return Ok(Before::Char(c)),
        _ => return Err("invalid escape"),
    }
    Ok(Before::Escaped)
}

#[cfg(test)]
mod tests {
    use super::{check, early};

    #[test]
    fn patterns() {
        for good in ["{", "{a}", "a{2}", "a+?", "[(]\\(", "(?<y>\\d+)", "(?:a|b)*", "^$", "[/]\\/", "a{1,2}", "(?=x)y", "[^]]"] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in ["(", "a)", "[a", "*a", "a**", "(?x)", "+", "(?:*a)", "(?i-i:a)", "(?mm:a)", "(?-:a)", "(?i)a", "{2}", "a|{2,}", "(?<n>*a)", "(?<=*a)"] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn early_errors() {
        let good = [("a{2}", ""), ("(?<a>x)|(?<a>y)", ""), ("(?:(?<a>x)|b(?<a>y))|(?<a>z)", "u"), ("a{", ""), ("\\k<a>", ""), ("(?<a>x)\\k<a>", "u"), ("[a-z-]", "u"), ("[-a]", "u"), ("[^-a]", "u"), ("[^- ]", ""), ("[\\d-a]", ""), ("(?=a)*", ""), ("(a)\\1", "u"), ("\\p{Script=Greek}", "u"), ("[[a-z]&&[aeiou]]", "v"), ("[\\w.-]", "u"), ("[\\w-]", "u"), ("\\u{1F600}", "u"), ("a{2,}?", "u"), ("[+--]", ""), ("[\\0-\\x20\"]", "u"), ("[\\-z]", "u"), ("(?!a)*", ""), ("\\p{L}\\P{gc=Lu}\\p{Emoji}\\p{scx=Han}", "u"), ("\\p{RGI_Emoji}", "v"), ("[\\q{abc|d}&&\\p{L}]", "v"), ("[\\(a--b]", "v")];
        for (pattern, flags) in good {
            assert_eq!(early(pattern, flags), Ok(()), "{pattern} {flags}");
        }
        let bad = [("a{2,1}", ""), ("a{", "u"), ("]", "u"), ("\\k<a>", "u"), ("(?<a>x)(?<a>y)", ""), ("(?<a>x|(?<a>y))", ""), ("(?:(?<a>x)|b)(?<a>y)", ""), ("[b-a]", ""), ("[\\d-a]", "u"), ("(?=a)*", "u"), ("(?<=a)*", ""), ("\\1", "u"), ("\\-", "u"), ("(?<1a>x)", ""), ("\\u{110000}", "u"), ("\\k<a>(?<b>x)", ""), ("\\p{Foo}", "u"), ("\\p{Greek}", "u"), ("\\p{gc=Foo}", "u"), ("\\p{Script}", "u"), ("\\p{RGI_Emoji}", "u"), ("\\P{RGI_Emoji}", "v"), ("[(]", "v"), ("[a-z&&]", "v"), ("[a!!b]", "v")];
        for (pattern, flags) in bad {
            assert!(early(pattern, flags).is_err(), "{pattern} {flags}");
        }
    }
}
