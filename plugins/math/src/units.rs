//! Units behind a value.

use crate::tokens::Token;

/// Units that may follow a number without `\text`.
const UNITS: [&str; 107] = [
    "cm", "mm", "km", "m", "dm", "ft", "feet", "foot", "in", "inch", "inches", "mile", "miles", "mph", "kmph", "kg",
    "g", "mg", "gm", "lb", "lbs", "pound", "pounds", "ounce", "ounces", "liter", "liters", "litre", "litres", "ml",
    "gallon", "gallons", "second", "seconds", "sec", "s", "minute", "minutes", "min", "hour", "hours", "hr", "hrs",
    "h", "day", "days", "week", "weeks", "month", "months", "year", "years", "cent", "cents", "dollar", "dollars",
    "unit", "units", "meter", "meters", "metre", "metres", "square", "cubic", "sq", "way", "ways", "student",
    "students", "people", "point", "points", "yard", "yards", "ppm", "ppb", "st", "nd", "rd", "th", "usd", "eur", "gbp",
    "inr", "jpy", "cny", "chf", "mol", "kb", "mb", "gb", "tb", "hz", "khz", "mhz", "ghz", "oz", "kw", "kwh", "mw", "kj", "kpa", "kv", "ohm",
    "ohms", "volts", "watts",
];

/// Separates a unit at the end from what it belongs to.
pub fn without_unit(tokens: &[Token]) -> (&[Token], String) {
    if let Some(found) = compound(tokens) {
        return found;
    }
    let mut body = tokens;
    let mut unit = String::new();
    loop {
        while let [rest @ .., Token::Space] = body {
            body = rest;
        }
        // 5 °C
        if let [rest @ .., Token::Letter(c @ ('C' | 'F'))] = body {
            let degrees = rest.iter().rev().find(|t| !matches!(t, Token::Space | Token::Mark('}')));
            if unit.is_empty() && degrees == Some(&Token::Command("circ")) {
                unit.push(*c);
                body = rest;
                continue;
            }
        }
        // A power of a unit, such as \text{cm}^2.
        let bare = match body {
            [rest @ .., Token::Mark('^'), Token::Number(n)] if n == "2" || n == "3" => rest,
            [rest @ .., Token::Mark('^'), Token::Mark('{'), Token::Number(n), Token::Mark('}')] if n == "2" || n == "3" => rest,
            [rest @ .., Token::Mark('^'), Token::Mark('{'), Token::Mark('-'), Token::Number(n), Token::Mark('}')] if n.len() == 1 && matches!(rest, [.., Token::Text(_)]) => rest,
            _ => body,
        };
        let power = if bare.len() < body.len() {
            body.iter().rev().find_map(|t| if let Token::Number(n) = t { Some(n.as_str()) } else { None }).unwrap_or("")
        } else {
            ""
        };
        let sign = if power.is_empty() || !matches!(body, [.., Token::Mark('-'), _, _]) { "" } else { "-" };
        let (rest, name) = match bare {
            [rest @ .., Token::Text(t)] => (rest, t.clone()),
            _ => {
                let letters = bare.iter().rev().take_while(|t| matches!(t, Token::Letter(_))).count();
                let (rest, run) = bare.split_at(bare.len() - letters);
                let name: String = run.iter().map(|t| if let Token::Letter(c) = t { *c } else { ' ' }).collect();
                // 5 m with a space is a length; 5m is a product. Words after a number are
                // what it counts.
                let space = rest.last() == Some(&Token::Space);
                let foreign = name.starts_with(|c: char| c > '\u{3ff}' && c.is_alphabetic());
                let word = foreign || space && (letters > 3 || letters > 1 && !unit.is_empty());
                match word || (letters > 1 || space) && UNITS.contains(&name.to_lowercase().as_str()) {
                    true => (rest, name),
                    false => return (body, unit),
                }
            }
        };
        let values = rest.iter().any(|t| matches!(t, Token::Number(_) | Token::Command(_)));
        let last = rest.iter().rev().find(|t| **t != Token::Space);
        // Words of their own: , or a dozen.
        let article = name.chars().count() > 3 && last == Some(&Token::Letter('a'));
        if article || last == Some(&Token::Mark(',')) {
            return (tokens, String::new());
        }
        let ends = !matches!(last, Some(Token::Mark('=' | '+' | '-' | '*' | '^' | '_' | '(')) | None);
        if !values || !ends {
            return (body, unit);
        }
        unit = format!("{}{sign}{power}{unit}", name.to_lowercase());
        body = rest;
        if let [less @ .., Token::Space] = body {
            body = less;
        }
        if let [less @ .., Token::Mark('/')] = body {
            body = less;
            unit.insert(0, '/');
        }
    }
}

/// A number and a unit over another: 10 m/s, 10\,\frac{m}{s^2}.
fn compound(tokens: &[Token]) -> Option<(&[Token], String)> {
    let at = (0..tokens.len()).rev().find(|&i| matches!(tokens[i], Token::Number(_)) && !matches!(tokens[..i], [.., Token::Mark('^' | '{')]))?;
    let (body, tail) = tokens.split_at(at + 1);
    let mut unit = String::new();
    let mut fraction = false;
    for token in tail {
        match token {
            Token::Space | Token::Mark('{') => {}
            Token::Command("frac") if unit.is_empty() => fraction = true,
            Token::Mark('}') if fraction && !unit.contains('/') => unit.push('/'),
            Token::Mark('}') => {}
            Token::Mark(c @ ('/' | '^')) => unit.push(*c),
            Token::Letter(c) => unit.extend(c.to_lowercase()),
            Token::Text(t) => unit += &t.to_lowercase(),
            Token::Number(n) if n == "2" || n == "3" => unit += n,
            _ => return None,
        }
    }
    let spaced = fraction || matches!(tail, [Token::Space | Token::Text(_), ..]);
    let known = |part: &str| UNITS.contains(&part.trim_end_matches(['2', '3']).trim_end_matches('^'));
    (spaced && unit.contains('/') && unit.split('/').all(known)).then_some((body, unit))
}
