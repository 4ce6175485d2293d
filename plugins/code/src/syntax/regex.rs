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
                if chars.next_if_eq(&'?').is_some() && !matches!(chars.peek(), Some(':' | '=' | '!' | '<' | 'i' | 'm' | 's' | '-')) {
                    return Err("invalid group");
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

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn patterns() {
        for good in ["a+?", "[(]\\(", "(?<y>\\d+)", "(?:a|b)*", "^$", "[/]\\/", "a{1,2}", "(?=x)y", "[^]]"] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in ["(", "a)", "[a", "*a", "a**", "(?x)", "+"] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }
}
