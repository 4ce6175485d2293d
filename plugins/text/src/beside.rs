//! What stands beside a number and makes more of it: operations, functions, letters, LaTeX.

use crate::number::{joins, Link, Number, Sure};
use crate::numeral::{scale, Reader};

/// Mathematics that makes more of the number behind it.
const BEFORE: [&str; 23] = [
    "\\Delta", "\\delta", "\\nabla", "\\partial", "\\alpha", "\\beta", "\\gamma", "\\lambda", "\\theta", "\\sigma",
    "\\overline", "\\bar", "\u{b1}", "\\pm", "+/-", "\u{2213}", "\\mp", "\u{2260}", "\\ne", "\\neq", "\\infty,", "\u{221e},", "\\setminus",
];

/// The same, of the number before it.
const AFTER: [&str; 2] = ["\\infty", "\u{221e}"];

impl Reader<'_> {
    /// Past a word; past the argument of a function, which is a number that is not read.
    pub fn function(&self, at: usize, end: usize, found: &mut Vec<Number>) -> usize {
        let open = self.space(end);
        let from = open + usize::from(self.get(open) == '(');
        let from = from + usize::from(matches!(self.get(from), '-' | '\u{2212}'));
        if !self.digit(from) {
            return end;
        }
        let name: String = self.chars[at..end.min(at + 6)].iter().collect();
        if !matches!(name.as_str(), "sqrt" | "cbrt" | "log" | "log2" | "log10" | "ln" | "exp" | "sin" | "cos" | "tan") {
            return end;
        }
        let to = self.argument(from);
        found.push(Number { value: f64::NAN, percent: false, bare: f64::NAN, sure: Sure::Part, bound: None, span: (at, to), link: Link::Other });
        to
    }

    /// Whether a sign or letter beside a number makes another one of it: 5!, 2x, 5C2, 5x3, f(5), |-5|, 7'.
    pub fn symbolic(&self, from: usize, end: usize, before: &str) -> bool {
        let (last, next) = (from.checked_sub(1).map_or(' ', |i| self.chars[i]), self.get(end));
        // Not the end of a sentence.
        let factorial = next == '!' && (!matches!(self.get(end + 1), ' ' | '\n' | '\0') || !before.trim_end().ends_with(|c: char| c.is_alphabetic() || c == ':'));
        let letter = self.space(end);
        let alone = !self.get(self.space(letter + 1)).is_alphanumeric();
        let unknown = alone && matches!(self.get(letter), 'x' | 'y' | 'z') || letter == end && matches!(next, 'x' | 'y' | 'z' | 'n' | 'i' | 'e' | 'X' | 'Y');
        let coefficient = unknown && !joins(self.get(letter + 1));
        let code = next.is_ascii_alphabetic() && next != 'm' && self.digit(end + 1);
        let bracket = last == '(' && next == ')' && from > 1;
        let function = bracket && self.chars[from - 2].is_ascii_lowercase() && !(from > 2 && joins(self.chars[from - 3])) || bracket && matches!(self.chars[from - 2], '-' | '\u{2212}');
        // |-5|, |12| - x, |x| = 8
        let braced = from > 1 && last == '{' && next == '}' && self.chars[from - 2] == '|' && self.get(end + 1) == '|';
        let within = braced || last == '|' && next == '|' && (self.get(from) == '-' || self.operation(end + 1).is_some() || self.lone(end + 1));
        let size = before.contains('|') && before.trim_end_matches([' ', '=', '$']).strip_suffix('|').is_some_and(|b| b.ends_with(['x', 'y', 'z'])) && before.contains('=');
        // 7', but not '7'
        let prime = matches!(next, '\'' | '\u{2032}') && !self.get(end + 1).is_alphanumeric() && !before.contains(['\'', '\u{2018}']);
        factorial || coefficient || code || function || within || size || prime
    }

    /// Whether a number is in brackets with a power or base: (-3)^2, (372)_8.
    pub fn raised(&self, from: usize, end: usize) -> bool {
        from > 0 && self.get(from - 1) == '(' && self.get(end) == ')' && matches!(self.get(end + 1), '^' | '_' | '\u{b2}' | '\u{b3}')
    }

    /// Whether mathematics beside a number makes more of it: ±3, (3, ∞), x ≠ 3, 3/x, 3_5, 3\sin x.
    pub fn formula(&self, end: usize, before: &str) -> bool {
        let next = self.space(end);
        // Prose has none of them.
        let prose = |c: char| c.is_ascii() && !matches!(c, '\\' | '{' | '}' | '/' | '_' | ',' | ']');
        if prose(self.get(next)) && before.bytes().all(|c| prose(c.into())) {
            return false;
        }
        let braced = self.braced(end, before);
        let before = before.trim_end_matches([' ', '{', '$', '\\']);
        let listed = self.space(self.eat(next, ",").unwrap_or(next));
        let lone = |at: usize| self.get(at).is_ascii_lowercase() && !joins(self.get(at + 1));
        let over = self.eat(end, "/").is_some_and(|e| matches!(self.get(e), 'x' | 'y' | 'z' | 'n') && lone(e));
        let times = self.eat_any(next, &["\\times", "\\cdot"]).is_some_and(|e| lone(self.space(e)));
        // \sqrt[3]{8}
        let index = || self.chars[end.saturating_sub(40)..end].iter().collect::<String>().contains("\\sqrt[");
        let root = before.ends_with("\\sqrt[") || before.ends_with(']') && index();
        let base = self.get(end) == '_' && (self.digit(end + 1) || self.get(end + 1) == '{');
        let scale = self.eat_any(next, &["\\text{", "\\mathrm{"]).is_some_and(|e| {
            let word = self.word(self.space(e)).0;
            word == "dozen" || scale(&word).is_some()
        });
        let marked = before.ends_with("+/-") || !before.is_ascii() || before.contains('\\');
        over || times || root || base || scale || marked && BEFORE.iter().any(|w| before.ends_with(w)) || AFTER.iter().any(|w| self.eat(listed, w).is_some()) || self.symbol(next) || braced
    }

    /// Whether LaTeX at a place multiplies the number before it: `\lambda`, `\sin`, `\left(`; or a Greek letter.
    fn symbol(&self, at: usize) -> bool {
        // Texts, units, spaces, relations and ends.
        #[rustfmt::skip]
        const OTHER: [&str; 85] = [
            "text", "textrm", "textbf", "textit", "textsf", "texttt", "textnormal", "textup", "mathrm", "mathsf", "mathit", "mathbin", "rm", "mbox", "hbox",
            "unit", "units", "si", "degree", "degrees", "celsius", "circ", "percent", "euro", "pounds", "mu", "Omega", "AA", "ohm", "ell", "quad", "qquad", "space", "hspace",
            "hfill", "enspace", "thinspace", "approx", "simeq", "sim", "cong", "equiv", "neq", "ne", "le", "leq", "leqslant", "ge", "geq", "geqslant", "lt", "gt", "implies", "Rightarrow",
            "Longrightarrow", "rightarrow", "longrightarrow", "Leftrightarrow", "iff", "therefore", "because", "qed", "blacksquare", "square", "Box", "checkmark",
            "end", "right", "bigr", "Bigr", "biggr", "rbrace", "rangle", "rfloor", "rceil", "tag", "ldots", "dots", "mod", "pmod", "bmod", "times", "cdot", "div", "par",
        ];
        let at = self.eat(at, "\\}").map_or(at, |end| self.space(end));
        match self.get(at) {
            '\\' => {
                let end = (at + 1..at + 16).find(|i| !self.get(*i).is_ascii_alphabetic()).unwrap_or(at + 16);
                let name: String = self.chars[(at + 1).min(self.chars.len())..end.min(self.chars.len())].iter().collect();
                // `\n` and `\nSo` are a line end that was escaped twice.
                let line = name.strip_prefix('n').is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_lowercase()));
                !name.is_empty() && !line && !OTHER.contains(&name.as_str())
            }
            // But for units and words.
            c @ '\u{391}'..='\u{3c9}' => !matches!(c, '\u{3a9}' | '\u{3bc}') && !joins(self.get(at + 1)),
            _ => false,
        }
    }

    /// Whether a number in braces has a letter behind them: {3}x.
    fn braced(&self, end: usize, before: &str) -> bool {
        let opened = before.strip_suffix('{').is_some_and(|b| !b.ends_with(|c: char| c.is_alphabetic() || matches!(c, '}' | '\\')));
        opened && self.get(end) == '}' && self.get(end + 1).is_alphabetic()
    }

    /// Whether a number heads an item of a list: 2 of `2. Then`, at the start of a line.
    pub fn heads_item(&self, from: usize, end: usize) -> bool {
        let first = self.chars[..from].iter().rev().take(8).find(|c| !matches!(c, ' ' | '*' | '#'));
        let after = self.chars[end..].iter().skip(1).find(|c| **c != '*');
        first.is_none_or(|c| *c == '\n') && matches!(self.get(end), '.' | ')') && after == Some(&' ')
    }

    /// The operand after a sign of operation at a place: 3 of + 3.
    pub fn operation(&self, at: usize) -> Option<usize> {
        let spaced = self.space(at);
        if self.get(spaced).is_ascii() && !matches!(self.get(spaced), '+' | '-' | '*' | '/' | 'x' | '\\') {
            return None;
        }
        // 3-x, but not 3-D
        let unspaced = self.eat_any(at, &["-", "\u{2212}"]).filter(|e| matches!(self.get(*e), 'k' | 'n' | 'x' | 'y' | 'z') && self.lone(*e));
        if unspaced.is_some() {
            return unspaced;
        }
        let (wide, narrow) = (["+", "\u{d7}", "\u{b7}", "\u{22c5}", "\u{f7}", "*", "/", "\\times", "\\cdot", "\\div"], ["-", "\u{2212}", "\u{2013}", "x"]);
        let sign = self.eat_any(spaced, &wide).or_else(|| self.eat_any(spaced, &narrow).filter(|e| spaced > at && self.space(*e) > *e))?;
        let next = self.space(sign);
        // 3 + x, but not 5 * a day.
        let letter = !matches!(self.get(next), 'a' | 'A' | 'I') && self.lone(next);
        let absolute = self.get(next) == '|' && (self.digit(next + 1) || self.lone(next + 1));
        (self.digit(next) || letter || absolute || matches!(self.get(next), '(' | '$' | '€' | '£' | '\\')).then_some(next)
    }

    /// Whether a letter stands by itself, with no word behind it.
    fn lone(&self, at: usize) -> bool {
        matches!(self.get(at), c if c.is_ascii_alphabetic() || matches!(c, '\u{3b1}'..='\u{3c9}')) && !joins(self.get(at + 1)) && !joins(self.get(self.space(at + 1)))
    }

    /// Whether an operation at a place has a letter before it: x + 3.
    pub fn operates(&self, at: usize) -> bool {
        let sign = if matches!(self.get(at), '+' | '-' | '\u{2212}') { Some(at) } else { (at.saturating_sub(2)..at).rev().find(|i| self.get(*i) != ' ') };
        let Some(sign) = sign.filter(|i| matches!(self.get(*i), '+' | '*' | '\u{d7}' | '\u{b7}' | '\u{22c5}' | '\u{f7}' | '-' | '\u{2212}')) else { return false };
        let Some(letter) = (sign.saturating_sub(2)..sign).rev().find(|i| self.get(*i) != ' ') else { return false };
        self.get(letter).is_ascii_lowercase() && !(letter > 0 && (joins(self.get(letter - 1)) || matches!(self.get(letter - 1), '\'' | '\u{2019}')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{numbers, Comma};

    #[test]
    fn each_sign_of_a_formula_passes_its_guard() {
        let sure = |text: String| numbers(&text, Comma::Thousands)[0].sure;
        for sign in BEFORE {
            assert_eq!(sure(format!("It is ({sign} 5)")), Sure::Part, "{sign}");
        }
        for sign in AFTER {
            assert_eq!(sure(format!("It is (5, {sign})")), Sure::Part, "{sign}");
        }
    }
}
