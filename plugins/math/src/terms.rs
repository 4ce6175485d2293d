//! Expressions from their tokens: sums, products, powers, functions, commands.

use crate::expr::Expr;
use crate::number::{common, Ratio};
use crate::parse::{outside, split, Read, Reader};
use crate::tokens::Token;

impl Reader {
    /// All tokens as one expression.
    pub fn whole(&mut self, tokens: &[Token]) -> Read<Expr> {
        self.deeper(|r| {
            if let [i] = outside(tokens, &|t| *t == Token::Command("choose"))[..] {
                return Ok(Expr::Binomial(Box::new(r.whole(&tokens[..i])?), Box::new(r.whole(&tokens[i + 1..])?)));
            }
            let mut at = 0;
            let value = r.sum(tokens, &mut at)?;
            match tokens.get(at) {
                None => Ok(value),
                Some(token) => Err(format!("{} is not understood", shown(token))),
            }
        })
    }

    fn sum(&mut self, tokens: &[Token], at: &mut usize) -> Read<Expr> {
        let mut terms = Vec::new();
        loop {
            let mut signs = 0;
            let mut both = false;
            loop {
                match tokens.get(*at) {
                    Some(Token::Mark('-')) => signs += 1,
                    Some(Token::Mark('+')) => {}
                    Some(Token::Command("pm")) => both = true,
                    Some(Token::Command("mp")) => return Err("\\mp is not understood".into()),
                    _ => break,
                }
                *at += 1;
            }
            let mut term = self.product(tokens, at)?;
            if both {
                term = Expr::PlusMinus(Box::new(term));
            }
            if signs % 2 == 1 {
                term = Expr::Negative(Box::new(term));
            }
            terms.push(term);
            if !matches!(tokens.get(*at), Some(Token::Mark('+' | '-') | Token::Command("pm" | "mp"))) {
                break;
            }
        }
        Ok(if terms.len() == 1 { terms.remove(0) } else { Expr::Sum(terms) })
    }

    fn product(&mut self, tokens: &[Token], at: &mut usize) -> Read<Expr> {
        let mut left = self.juxtaposed(tokens, at, false)?;
        loop {
            match tokens.get(*at) {
                Some(Token::Mark('*')) => {
                    *at += 1;
                    let right = self.signed(tokens, at)?;
                    left = Expr::Product(vec![left, right]);
                }
                Some(Token::Mark('/') | Token::Command("div")) => {
                    *at += 1;
                    let right = self.signed(tokens, at)?;
                    left = Expr::Quotient(Box::new(left), Box::new(right));
                }
                _ => return Ok(left),
            }
        }
    }

    /// A factor after a sign of multiplication or division, perhaps negative. After a
    /// slash, 1/2x is (1/2)x.
    fn signed(&mut self, tokens: &[Token], at: &mut usize) -> Read<Expr> {
        if tokens.get(*at) == Some(&Token::Mark('-')) {
            *at += 1;
            return Ok(Expr::Negative(Box::new(self.deeper(|r| r.signed(tokens, at))?)));
        }
        self.postfix(tokens, at, false)
    }

    /// Factors without a sign between them.
    fn juxtaposed(&mut self, tokens: &[Token], at: &mut usize, argument: bool) -> Read<Expr> {
        let from = *at;
        let mut factors = vec![self.postfix(tokens, at, argument)?];
        while let Some(token) = tokens.get(*at) {
            let starts = match token {
                Token::Letter(_) | Token::Mark('(' | '{') => true,
                // 2 3 is not a product, nor is (a)2, but 3!7! is one.
                Token::Number(_) => tokens[*at - 1] == Token::Mark('!'),
                Token::Command("pi" | "infty" | "frac" | "sqrt" | "binom" | "lfloor" | "lceil") => true,
                Token::Command(name) => !argument && function(name) || greek(name),
                // 2|x-1|; behind a letter, the bar may close another one.
                Token::Mark('|') => matches!(tokens[*at - 1], Token::Number(_)),
                _ => false,
            };
            if !starts {
                break;
            }
            // A whole number before a fraction of whole numbers is a mixed number.
            let mixed = factors.len() == 1 && *at == from + 1 && *token == Token::Command("frac");
            let factor = self.postfix(tokens, at, argument)?;
            if let (true, Some(whole), Expr::Quotient(a, b)) = (mixed, factors[0].plain_integer(), &factor) {
                if a.plain_integer().is_some() && b.plain_integer().is_some() && matches!(tokens[from], Token::Number(_)) {
                    let whole = Expr::Number(whole.to_string());
                    factors = vec![Expr::Sum(vec![whole, factor])];
                    continue;
                }
            }
            factors.push(factor);
        }
        Ok(if factors.len() == 1 { factors.remove(0) } else { Expr::Product(factors) })
    }

    /// A factor with its powers, factorials, percent and degrees.
    fn postfix(&mut self, tokens: &[Token], at: &mut usize, argument: bool) -> Read<Expr> {
        let mut value = self.atom(tokens, at, argument)?;
        loop {
            match tokens.get(*at) {
                Some(Token::Mark('^')) => {
                    *at += 1;
                    if let Some(end) = ordinal(tokens, *at).filter(|_| matches!(value, Expr::Number(_))) {
                        *at = end;
                        continue;
                    }
                    if let Some(end) = degree(tokens, *at) {
                        *at = end;
                        value = Expr::Degrees(Box::new(value));
                        continue;
                    }
                    let exponent = self.deeper(|r| r.exponent(tokens, at))?;
                    value = Expr::Power(Box::new(value), Box::new(exponent));
                }
                Some(Token::Command("circ")) => {
                    *at += 1;
                    value = Expr::Degrees(Box::new(value));
                }
                Some(Token::Mark('!')) => {
                    *at += 1;
                    value = Expr::Function("factorial", Box::new(value));
                }
                Some(Token::Mark('%')) => {
                    *at += 1;
                    value = Expr::Percent(Box::new(value));
                }
                _ => return Ok(value),
            }
        }
    }

    fn exponent(&mut self, tokens: &[Token], at: &mut usize) -> Read<Expr> {
        match tokens.get(*at) {
            Some(Token::Mark('-')) => {
                *at += 1;
                Ok(Expr::Negative(Box::new(self.deeper(|r| r.exponent(tokens, at))?)))
            }
            // In plain text, 2^3^2 is 2^(3^2).
            Some(Token::Number(_) | Token::Letter(_)) => {
                let base = self.atom(tokens, at, false)?;
                if tokens.get(*at) == Some(&Token::Mark('^')) {
                    *at += 1;
                    let power = self.deeper(|r| r.exponent(tokens, at))?;
                    return Ok(Expr::Power(Box::new(base), Box::new(power)));
                }
                Ok(base)
            }
            _ => self.atom(tokens, at, false),
        }
    }

    /// The tokens in braces, or the next digit or token; for arguments of commands.
    fn argument(&mut self, tokens: &[Token], at: &mut usize) -> Read<Expr> {
        match tokens.get(*at) {
            Some(Token::Mark('{' | '(')) => self.deeper(|r| r.atom(tokens, at, false)),
            Some(Token::Command(_)) => self.deeper(|r| r.atom(tokens, at, false)),
            Some(_) => self.atom(tokens, at, false),
            None => Err("an argument is missing".into()),
        }
    }

    fn inside(&mut self, tokens: &[Token], at: &mut usize, close: &Token) -> Read<Expr> {
        let open = *at;
        let end = outside(&tokens[open..], &|t| t == close).first().map(|i| open + i).ok_or("a bracket is not closed")?;
        *at = end + 1;
        self.whole(&tokens[open + 1..end])
    }

    fn atom(&mut self, tokens: &[Token], at: &mut usize, argument: bool) -> Read<Expr> {
        let Some(token) = tokens.get(*at) else { return Err("a value is missing".into()) };
        if let Some(counted) = self.chosen(tokens, at) {
            return Ok(counted);
        }
        match token {
            Token::Mark('(') => self.inside(tokens, at, &Token::Mark(')')),
            Token::Mark('[') => self.inside(tokens, at, &Token::Mark(']')),
            Token::Mark('{') => self.inside(tokens, at, &Token::Mark('}')),
            Token::Mark('|') => {
                let open = *at + 1;
                let end = outside(&tokens[open..], &|t| *t == Token::Mark('|')).first().map(|i| open + i).ok_or("a bar is not closed")?;
                *at = end + 1;
                Ok(Expr::Function("abs", Box::new(self.whole(&tokens[open..end])?)))
            }
            Token::Command(name @ ("lfloor" | "lceil")) => {
                let (close, function) = if *name == "lfloor" { ("rfloor", "floor") } else { ("rceil", "ceil") };
                Ok(Expr::Function(function, Box::new(self.inside(tokens, at, &Token::Command(close))?)))
            }
            Token::Number(text) => {
                *at += 1;
                if text.len() > 1000 {
                    return Err("a number has more than 1,000 digits".into());
                }
                match tokens.get(*at..) {
                    Some([Token::Mark('_'), ..]) => {
                        let base = self.subscript(tokens, at)?;
                        Ok(in_base(text, base.trim_matches(['(', ')'])).map_or_else(|| Expr::Symbol(format!("{text}_{base}")), |n| Expr::Number(n.to_string())))
                    }
                    Some([Token::Command("overline"), ..]) if text.contains('.') || tokens.get(*at - 2).is_none() => {
                        self.repeating(text, tokens, at)
                    }
                    _ => Ok(Expr::Number(text.clone())),
                }
            }
            Token::Letter('e') if tokens.get(*at + 1) != Some(&Token::Mark('_')) => {
                *at += 1;
                Ok(Expr::E)
            }
            Token::Letter('i') if tokens.get(*at + 1) != Some(&Token::Mark('_')) => {
                *at += 1;
                Ok(Expr::I)
            }
            Token::Letter(c) => {
                *at += 1;
                // P(5,2), but not BC(8,2), nor P(2,5), which is a point.
                let alone = *at == 1 || !matches!(tokens[*at - 2], Token::Letter(_));
                if let ('C' | 'P', [Token::Mark('('), Token::Number(n), Token::Mark(','), Token::Number(k), Token::Mark(')'), ..], true) = (c, &tokens[*at..], alone) {
                    if let Some(counted) = counted(*c, n, k) {
                        *at += 5;
                        return Ok(Expr::Function("count", Box::new(counted)));
                    }
                }
                self.symbol(c.to_string(), tokens, at)
            }
            Token::Text(words) => {
                *at += 1;
                self.symbol(words.to_lowercase(), tokens, at)
            }
            Token::Command(name) => {
                *at += 1;
                self.command(name, tokens, at, argument)
            }
            other => Err(format!("{} is not understood", shown(other))),
        }
    }

    /// {}_8C_3, {}^8P_3, _8C_3
    fn chosen(&mut self, tokens: &[Token], at: &mut usize) -> Option<Expr> {
        let mut end = match &tokens[*at..] {
            [Token::Mark('{'), Token::Mark('}'), Token::Mark('_' | '^'), ..] => *at + 2,
            [Token::Mark('_'), ..] => *at,
            _ => return None,
        };
        let n = self.subscript(tokens, &mut end).ok()?;
        let (Token::Letter(c @ ('C' | 'P')), Token::Mark('_')) = (tokens.get(end)?, tokens.get(end + 1)?) else { return None };
        end += 1;
        let k = self.subscript(tokens, &mut end).ok()?;
        let counted = counted(*c, &n, &k)?;
        *at = end;
        Some(counted)
    }

    fn symbol(&mut self, mut name: String, tokens: &[Token], at: &mut usize) -> Read<Expr> {
        while let Some(Token::Mark('\'') | Token::Command("prime")) = tokens.get(*at) {
            name.push('\'');
            *at += 1;
        }
        if tokens.get(*at) == Some(&Token::Mark('_')) {
            name.push('_');
            name += &self.subscript(tokens, at)?;
        }
        Ok(Expr::Symbol(name))
    }

    /// What is below a symbol or number, as text.
    fn subscript(&mut self, tokens: &[Token], at: &mut usize) -> Read<String> {
        *at += 1;
        let end = match tokens.get(*at) {
            Some(Token::Mark('{')) => {
                outside(&tokens[*at..], &|t| *t == Token::Mark('}')).first().map(|i| *at + i + 1).ok_or("a brace is not closed")?
            }
            Some(_) => *at + 1,
            None => return Err("a subscript is missing".into()),
        };
        let text = tokens[*at..end].iter().map(shown).filter(|t| !matches!(t.as_str(), "{" | "}")).collect();
        *at = end;
        Ok(text)
    }

    /// 0.1\overline{6}
    fn repeating(&mut self, text: &str, tokens: &[Token], at: &mut usize) -> Read<Expr> {
        let [_, Token::Mark('{'), Token::Number(digits), Token::Mark('}'), ..] = &tokens[*at..] else {
            return Err("\\overline is not understood".into());
        };
        let part = text.split_once('.').map_or("", |p| p.1);
        let (fixed, length) = (part.len() as u32, digits.len() as u32);
        let whole = |t: &str| t.replace('.', "").parse::<i128>().ok();
        let (Some(all), Some(before)) = (whole(&format!("{text}{digits}")), whole(text)) else {
            return Err("a repeating decimal is too long".into());
        };
        if fixed + length > 30 || !digits.bytes().all(|c| c.is_ascii_digit()) {
            return Err("a repeating decimal is too long".into());
        }
        *at += 4;
        Ok(Expr::Ratio(all - before, 10i128.pow(fixed + length) - 10i128.pow(fixed)))
    }

    fn command(&mut self, name: &'static str, tokens: &[Token], at: &mut usize, argument: bool) -> Read<Expr> {
        Ok(match name {
            "pi" => Expr::Pi,
            "infty" => Expr::Infinity,
            "frac" => {
                let over = self.argument(tokens, at)?;
                let under = self.argument(tokens, at)?;
                Expr::Quotient(Box::new(over), Box::new(under))
            }
            "binom" => {
                let n = self.argument(tokens, at)?;
                let k = self.argument(tokens, at)?;
                Expr::Binomial(Box::new(n), Box::new(k))
            }
            "sqrt" => {
                let mut root = Expr::Number("2".into());
                if tokens.get(*at) == Some(&Token::Mark('[')) {
                    root = self.inside(tokens, at, &Token::Mark(']'))?;
                }
                let inner = self.argument(tokens, at)?;
                let one = Box::new(Expr::Number("1".into()));
                let exact = |e: &Expr| e.exact(&|_| None);
                // \sqrt[3]{-8} is -2, where (-8)^{1/3} is complex; so is \sqrt[3]{-\pi}.
                let odd = exact(&root).and_then(|n| n.integer()).is_some_and(|n| n % 2 != 0);
                let (negative, inner) = match inner {
                    Expr::Negative(inner) if odd => (true, inner),
                    inner if odd && exact(&inner).is_some_and(|r| r.over < 0) => (true, Box::new(Expr::Negative(Box::new(inner)))),
                    inner => (false, Box::new(inner)),
                };
                let power = Expr::Power(inner, Box::new(Expr::Quotient(one, Box::new(root))));
                if negative { Expr::Negative(Box::new(power)) } else { power }
            }
            "gcd" | "lcm" | "max" | "min" => return self.combined(name, tokens, at),
            "absolute" => Expr::Function("abs", Box::new(self.argument(tokens, at)?)),
            "overline" => return self.repeating("0", tokens, { *at -= 1; at }).map_err(|_| "\\overline is not understood".into()),
            "log" | "lg" => {
                let mut base = Expr::Number("10".into());
                let mut natural = name == "log";
                if tokens.get(*at) == Some(&Token::Mark('_')) {
                    *at += 1;
                    base = self.argument(tokens, at)?;
                    natural = false;
                }
                let inner = self.applied(tokens, at)?;
                // sympy's log is natural.
                if natural { Expr::Function("ln", Box::new(inner)) } else { Expr::Log(Box::new(base), Box::new(inner)) }
            }
            name if function(name) => {
                let mut power = None;
                if tokens.get(*at) == Some(&Token::Mark('^')) {
                    *at += 1;
                    power = Some(self.deeper(|r| r.exponent(tokens, at))?);
                }
                let inner = self.applied(tokens, at)?;
                match power {
                    // \sin^{-1} is the inverse function.
                    Some(p) if p.plain_integer() == Some(-1) => match name {
                        "sin" => Expr::Function("arcsin", Box::new(inner)),
                        "cos" => Expr::Function("arccos", Box::new(inner)),
                        "tan" => Expr::Function("arctan", Box::new(inner)),
                        _ => return Err(format!("\\{name}^{{-1}} is not understood")),
                    },
                    Some(p) => Expr::Power(Box::new(Expr::Function(name, Box::new(inner))), Box::new(p)),
                    None => Expr::Function(name, Box::new(inner)),
                }
            }
            name if greek(name) => return self.symbol(name.into(), tokens, at),
            _ if argument => return Err(format!("\\{name} is not understood as an argument")),
            name => return Err(format!("\\{name} is not understood")),
        })
    }

    /// The greatest or least of numbers, or of their divisors and multiples: `\gcd(12, 18)`, `\max\{3, 7\}`.
    fn combined(&mut self, name: &str, tokens: &[Token], at: &mut usize) -> Read<Expr> {
        let unread = || format!("\\{name} is not understood");
        let open = *at + 1;
        let close = match tokens.get(*at) {
            Some(Token::Mark('(')) => Token::Mark(')'),
            Some(Token::Command("lset")) => Token::Command("rset"),
            _ => return Err(unread()),
        };
        let end = outside(&tokens[*at..], &|t| *t == close).first().map(|i| *at + i).ok_or_else(unread)?;
        *at = end + 1;
        let values = split(&tokens[open..end], &outside(&tokens[open..end], &|t| *t == Token::Mark(',')));
        let values = values.into_iter().map(|v| Ok(self.whole(v)?.exact(&|_| None))).collect::<Read<Option<Vec<Ratio>>>>()?.ok_or_else(unread)?;
        let found = if matches!(name, "max" | "min") {
            values.into_iter().reduce(|a, b| if (a.double() < b.double()) == (name == "max") { b } else { a })
        } else {
            let whole: Option<Vec<i128>> = values.into_iter().map(|v| v.integer().filter(|n| *n > 0)).collect();
            let joined = |a: i128, b: i128| if name == "gcd" { Some(common(a, b)) } else { (a / common(a, b)).checked_mul(b) };
            whole.and_then(|w| w.into_iter().map(Some).reduce(|a, b| joined(a?, b?)).flatten()).and_then(|n| Ratio::new(n, 1))
        };
        found.map(|r| Expr::Ratio(r.over, r.under)).ok_or_else(unread)
    }

    /// What a function is applied to: brackets, or factors up to the next sign.
    fn applied(&mut self, tokens: &[Token], at: &mut usize) -> Read<Expr> {
        self.deeper(|r| match tokens.get(*at) {
            Some(Token::Mark('(' | '{')) => {
                let inner = r.atom(tokens, at, false)?;
                // \sin(x)^2 is (\sin x)^2 to some, \sin(x^2) to none.
                if matches!(tokens.get(*at), Some(Token::Mark('^'))) && degree(tokens, *at + 1).is_none() {
                    return Err("a power after a function's brackets has two readings".into());
                }
                match degree(tokens, *at + 1).filter(|_| tokens.get(*at) == Some(&Token::Mark('^'))) {
                    Some(end) => {
                        *at = end;
                        Ok(Expr::Degrees(Box::new(inner)))
                    }
                    None => Ok(inner),
                }
            }
            Some(_) => r.juxtaposed(tokens, at, true),
            None => Err("a function has no argument".into()),
        })
    }
}

/// Where the raised end of an ordinal number ends: that of 5^{\text{th}}.
fn ordinal(tokens: &[Token], at: usize) -> Option<usize> {
    let end = |t: &str| matches!(t, "st" | "nd" | "rd" | "th");
    match tokens.get(at..)? {
        [Token::Mark('{'), Token::Text(t), Token::Mark('}'), ..] if end(t) => Some(at + 3),
        [Token::Mark('{'), Token::Letter(a), Token::Letter(b), Token::Mark('}'), ..] if end(&format!("{a}{b}")) => Some(at + 4),
        [Token::Text(t), ..] if end(t) => Some(at + 1),
        _ => None,
    }
}

/// Where `\circ` or `{\circ}` ends, if it is at a place.
fn degree(tokens: &[Token], at: usize) -> Option<usize> {
    match tokens.get(at..)? {
        [Token::Command("circ"), ..] => Some(at + 1),
        [Token::Mark('{'), Token::Command("circ"), Token::Mark('}'), ..] => Some(at + 3),
        _ => None,
    }
}

fn function(name: &str) -> bool {
    matches!(
        name,
        "sin" | "cos" | "tan" | "cot" | "sec" | "csc" | "arcsin" | "arccos" | "arctan" | "sinh" | "cosh" | "tanh"
            | "log" | "ln" | "lg" | "exp" | "cis" | "Re" | "Im" | "absolute"
    )
}

fn greek(name: &str) -> bool {
    matches!(
        name,
        "alpha" | "beta" | "gamma" | "delta" | "epsilon" | "theta" | "lambda" | "mu" | "nu" | "rho" | "sigma" | "tau"
            | "phi" | "psi" | "omega" | "Delta" | "Omega" | "ell"
    )
}

/// A token for a message, or as part of a subscript.
fn shown(token: &Token) -> String {
    match token {
        Token::Number(text) | Token::Text(text) => text.clone(),
        Token::Letter(c) | Token::Mark(c) => c.to_string(),
        Token::Command(name) => format!("\\{name}"),
        Token::Unknown(name) => format!("\\{name}"),
        Token::Space => " ".into(),
    }
}

/// The combinations of k of n things (`C`), or their permutations.
fn counted(letter: char, n: &str, k: &str) -> Option<Expr> {
    if !matches!((n.parse::<u32>(), k.parse::<u32>()), (Ok(n), Ok(k)) if k <= n) {
        return None;
    }
    let k = Box::new(Expr::Number(k.into()));
    let chosen = Expr::Binomial(Box::new(Expr::Number(n.into())), k.clone());
    Some(if letter == 'P' { Expr::Product(vec![chosen, Expr::Function("factorial", k)]) } else { chosen })
}

/// The value of digits and letters in a base of 2 to 36.
pub fn in_base(digits: &str, base: &str) -> Option<u128> {
    base.parse().ok().filter(|b| (2..=36).contains(b)).and_then(|b| u128::from_str_radix(digits, b).ok())
}
