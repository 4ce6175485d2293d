//! Whether two answers are the same.

use crate::expr::Expr;
use crate::number::{Complex, Ratio};
use crate::parse::{Answer, Kind};
use crate::terms::in_base;
use crate::Verdict::{self, Different, Open, Same};
use rubric_host_text::number_word;
use std::borrow::Cow;

/// The most elements of sets and matrices that are compared.
const ELEMENTS: usize = 200;

/// The most parts of an expression.
const PARTS: usize = 2000;

/// Whether two answers are spelt alike, but for space and signs that only look.
pub fn same_text(a: &str, b: &str) -> bool {
    let plain = |t: &str| {
        let t = &*if t.contains("{:}") { Cow::Owned(t.replace("{:}", ":")) } else { Cow::Borrowed(t) };
        let t = if t.contains("\\text{") { untexted(t).into() } else { Cow::Borrowed(t) };
        let mut kept = String::with_capacity(t.len());
        let mut chars = t.trim().chars().filter(|c| *c != '$').peekable();
        while let Some(c) = chars.next() {
            // The next row of a matrix.
            if c == '\\' && chars.next_if_eq(&'\\').is_some() {
                kept.push_str("\\\\");
                continue;
            }
            let spaced = c == '\\' && chars.next_if(|c| matches!(c, ' ' | ',' | ';' | ':' | '!')).is_some();
            // 1 1/2 is not 11/2.
            let apart = kept.ends_with(|d: char| d.is_ascii_digit()) && chars.peek().is_some_and(char::is_ascii_digit);
            if !(spaced || c == '~' || c.is_whitespace()) || apart {
                kept.push(if spaced { ' ' } else { c });
            }
        }
        kept
    };
    let (a, b) = (plain(a), plain(b));
    !a.is_empty() && a == b
}

/// A text with the words of `\text{words}` in its place.
pub fn untexted(text: &str) -> String {
    let mut parts = text.split("\\text{");
    let first = parts.next().unwrap_or("").to_string();
    parts.fold(first, |all, part| all + &part.replacen('}', "", 1))
}

/// Compares the expected answer with the given one.
pub fn compare(want: &Answer, got: &Answer, digits: i32) -> Verdict {
    if !want.letters.is_empty() && !got.letters.is_empty() {
        let (a, b) = (letters(&want.letters), letters(&got.letters));
        let sorted = |t: &str| {
            let mut letters: Vec<char> = t.chars().collect();
            letters.sort_unstable();
            letters
        };
        // yx is xy; on is not no.
        if a == b {
            return Same;
        } else if sorted(&a) == sorted(&b) && a.contains(['a', 'e', 'i', 'o', 'u']) {
            return Open("the letters may be words, or products".into());
        }
    }
    let mut verdict = kinds(&scaled(want), &scaled(got), digits);
    if verdict == Different && want.scale != got.scale && kinds(&want.kind, &got.kind, digits) == Same {
        verdict = Open("one of two equal numbers counts in hundreds, thousands or millions".into());
    }
    if !matches!(verdict, Open(_)) && !want.unit.is_empty() && !got.unit.is_empty() && want.unit != got.unit {
        return Open(format!("the units differ: {} and {}", crate::clip(&want.unit), crate::clip(&got.unit)));
    }
    verdict
}

/// A value with its hundreds, thousands or millions.
fn scaled(answer: &Answer) -> Cow<'_, Kind> {
    match (&answer.kind, &answer.scale) {
        (Kind::Value(e), Some(by)) => Cow::Owned(Kind::Value(Expr::Product(vec![e.clone(), by.clone()]))),
        (kind @ (Kind::Words(_) | Kind::Unread(_)), _) | (kind, None) => Cow::Borrowed(kind),
        _ => Cow::Owned(Kind::Unread("a word may multiply one or all of its numbers".into())),
    }
}

fn kinds(want: &Kind, got: &Kind, digits: i32) -> Verdict {
    use Kind::{Interval, Matrix, Proportion, Relation, Residue, Set, Tuple, Union, Unread, Value, Words};
    match (want, got) {
        (Unread(why), _) => Open(format!("the reference cannot be read: {why}")),
        (_, Unread(why)) => Open(format!("the answer cannot be read: {why}")),
        (Relation(..), _) | (_, Relation(..)) => relations(want, got, digits),
        (Interval { .. } | Tuple(_), Set(list)) | (Set(list), Interval { .. } | Tuple(_)) if bounded(list).is_some() => {
            bounded(list).map_or(Different, |interval| kinds(&interval, if matches!(want, Set(_)) { got } else { want }, digits))
        }
        (Residue(a), Residue(b)) => match [&a[0], &a[1], &b[0], &b[1]].map(integer) {
            [Some(x), Some(m), Some(y), Some(n)] if m != 0 => if m.abs() == n.abs() && x.checked_sub(y).is_some_and(|d| d % m == 0) { Same } else { Different },
            _ => match all(a.iter().zip(b.iter()).map(|(x, y)| values(x, y, digits))) {
                Same => Same,
                _ => Open("two congruences are written differently".into()),
            },
        },
        // 3 is 3 mod 7; 10 may be.
        (Residue(a), Value(b)) | (Value(b), Residue(a)) => match (values(&a[0], b, digits), [&a[0], &a[1], b].map(integer)) {
            (Different, [Some(x), Some(m), Some(y)]) if m != 0 && x.checked_sub(y).is_some_and(|d| d % m == 0) => Open("a number is compared with its residue".into()),
            (verdict, _) => verdict,
        },
        (Residue(_), Set(_) | Union(_)) | (Set(_) | Union(_), Residue(_)) => Open("a congruence is compared with a set".into()),
        (Words(a), Words(b)) => if letters(a) == letters(b) { Same } else { Different },
        (Words(words), other) | (other, Words(words)) => worded(words, other),
        (Value(a), Value(b)) if infinite(a) && no_value(b) || infinite(b) && no_value(a) => Open(NO_VALUE.into()),
        // The point C(8, 2), or a number of combinations.
        (Tuple(_), Value(Expr::Function("count", _))) | (Value(Expr::Function("count", _)), Tuple(_)) => Open("combinations may be a point".into()),
        (Value(a @ Expr::Function("count", _)), Value(b @ Expr::Function("count", _))) if a != b && values(a, b, digits) == Same => Open("combinations may be points".into()),
        (Value(a), Value(b)) => values(a, b, digits),
        (Set(a), Set(b)) => match unordered(a, b, digits) {
            // 1, 5 (mod 6) and 1, 5, 7, 11 (mod 12)
            Different if matches!((a.first(), b.first()), (Some(Residue(x)), Some(Residue(y))) if integer(&x[1]) != integer(&y[1])) => Open("two sets of congruences are written differently".into()),
            verdict => verdict,
        },
        (Tuple(a), Set(b)) if assigned(b).is_some() => assignments(b, a, digits),
        (Set(a), Tuple(b)) if assigned(a).is_some() => assignments(a, b, digits),
        // Without braces, the given elements of a tuple are in their order.
        (Tuple(a), Tuple(b) | Set(b)) => ordered(a, b, digits),
        (Set(a), Tuple(b)) => unordered(a, b, digits),
        (Set(a), other) if a.len() == 1 => kinds(&a[0], other, digits),
        (other, Set(b)) if b.len() == 1 => kinds(other, &b[0], digits),
        // 7/2 or 3.5
        (Value(_), Set(b)) if b.iter().all(|e| matches!(e, Value(_)) && kinds(want, e, digits) == Same) && !b.is_empty() => Same,
        (Interval { ends: a, closed: x }, Interval { ends: b, closed: y }) => {
            // An end at infinity is open, whatever is written.
            let same = |i: usize| x[i] == y[i] || infinite(&a[i]) || infinite(&b[i]);
            if !(same(0) && same(1)) {
                return Different;
            }
            both(values(&a[0], &b[0], digits), || values(&a[1], &b[1], digits))
        }
        (Interval { ends, closed }, Tuple(pair)) | (Tuple(pair), Interval { ends, closed }) => match &pair[..] {
            [Value(low), Value(high)] => {
                let open = |i: usize, end: &Expr| !closed[i] || (infinite(&ends[i]) && infinite(end));
                if !(open(0, low) && open(1, high)) {
                    return Different;
                }
                both(values(&ends[0], low, digits), || values(&ends[1], high, digits))
            }
            _ => Different,
        },
        (Union(a), Union(b)) => match unordered(a, b, digits) {
            Different => Open("two unions of sets are written differently".into()),
            verdict => verdict,
        },
        (Union(_), Value(_) | Matrix(_)) | (Value(_) | Matrix(_), Union(_)) => Different,
        // x < 1 or x > 4
        (Union(parts), Set(list)) | (Set(list), Union(parts)) if intervals(list).is_some() => match intervals(list).map(|l| unordered(parts, &l, digits)) {
            Some(Same) => Same,
            _ => Open("two unions of sets are written differently".into()),
        },
        // An interval of numbers is not a list of them.
        (Union(parts), Set(list)) | (Set(list), Union(parts))
            if parts.iter().any(|p| matches!(p, Interval { .. } | Tuple(_))) && list.iter().all(|e| matches!(e, Value(_))) =>
        {
            Different
        }
        (Union(_), _) | (_, Union(_)) => Open("a union is compared with another set".into()),
        (Matrix(a), Matrix(b)) => {
            if a.len() != b.len() || a[0].len() != b[0].len() {
                return if a.len() * a[0].len() == b.len() * b[0].len() && (a.len() == 1 || a[0].len() == 1) {
                    Open("a row and a column are compared".into())
                } else {
                    Different
                };
            }
            all(a.iter().flatten().zip(b.iter().flatten()).map(|(x, y)| values(x, y, digits)))
        }
        (Matrix(m), Tuple(_) | Set(_)) | (Tuple(_) | Set(_), Matrix(m)) if m.len() == 1 || m[0].len() == 1 => {
            Open("a vector is compared with a list".into())
        }
        (Proportion(a), Proportion(b)) => proportions(a, b, digits),
        (Proportion(a), Value(v)) | (Value(v), Proportion(a)) => match &a[..] {
            [x, y] => values(&Expr::Quotient(Box::new(x.clone()), Box::new(y.clone())), v, digits),
            _ => Different,
        },
        _ => Different,
    }
}

pub fn integer(e: &Expr) -> Option<i128> {
    e.exact(&|_| None)?.integer()
}

/// An interval without some of its numbers.
pub fn without(from: Kind, points: &Kind) -> Option<Kind> {
    let (Kind::Interval { ends, closed }, Kind::Set(points)) = (from, points) else { return None };
    let number = |e: &Expr| e.value(&|_| Complex::real(f64::NAN)).map(|n| n.re).filter(|n| !n.is_nan());
    let end = |i: usize| if infinite(&ends[i]) { Some([f64::NEG_INFINITY, f64::INFINITY][i]) } else { number(&ends[i]) };
    let mut all = points.iter().take(ELEMENTS).map(|p| if let Kind::Value(e) = p { Some((number(e)?, e.clone())) } else { None }).collect::<Option<Vec<_>>>()?;
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let bounds: Vec<f64> = [end(0)?].into_iter().chain(all.iter().map(|p| p.0)).chain([end(1)?]).collect();
    // Each within, and not as near another as rounding is.
    if !bounds.windows(2).all(|w| w[1] - w[0] > 1e-9 * (1.0 + if w[0].is_finite() { w[0].abs() } else { 0.0 })) {
        return None;
    }
    let [low, high] = *ends;
    let ends: Vec<(Expr, bool)> = [(low, closed[0])].into_iter().chain(all.into_iter().flat_map(|p| [(p.1.clone(), false), (p.1, false)])).chain([(high, closed[1])]).collect();
    Some(Kind::Union(ends.chunks_exact(2).map(|pair| Kind::Interval { ends: Box::new([pair[0].0.clone(), pair[1].0.clone()]), closed: [pair[0].1, pair[1].1] }).collect()))
}

fn infinite(e: &Expr) -> bool {
    match e {
        Expr::Infinity => true,
        Expr::Negative(a) => infinite(a),
        _ => false,
    }
}

fn both(first: Verdict, second: impl FnOnce() -> Verdict) -> Verdict {
    match first {
        Same => second(),
        Different => Different,
        open => if second() == Different { Different } else { open },
    }
}

fn all(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    let mut open = Same;
    for verdict in verdicts.take(ELEMENTS * ELEMENTS) {
        match verdict {
            Different => return Different,
            Open(_) => open = verdict,
            Same => {}
        }
    }
    open
}

fn ordered(a: &[Kind], b: &[Kind], digits: i32) -> Verdict {
    if a.len() != b.len() {
        return Different;
    }
    all(a.iter().zip(b).map(|(x, y)| kinds(x, y, digits)))
}

/// The names in `y = 3, x = 2`.
fn assigned(list: &[Kind]) -> Option<Vec<&str>> {
    list.iter()
        .map(|k| match k {
            Kind::Relation(parts, signs) if signs[..] == ["="] => match &parts[0] {
                Kind::Value(Expr::Symbol(name)) => Some(name.as_str()),
                _ => None,
            },
            _ => None,
        })
        .collect()
}

/// Assignments and a tuple: in the order of the alphabet if that is x, y, z.
fn assignments(list: &[Kind], tuple: &[Kind], digits: i32) -> Verdict {
    let Some(names) = assigned(list) else { return Different };
    let mut order: Vec<usize> = (0..list.len()).collect();
    order.sort_by_key(|i| names[*i]);
    let sorted: Vec<Kind> = order.iter().map(|i| list[*i].clone()).collect();
    let (written, sorted) = (ordered(tuple, list, digits), ordered(tuple, &sorted, digits));
    if written == sorted || names.iter().all(|n| matches!(*n, "x" | "y" | "z")) {
        sorted
    } else {
        Open("the order of the variables is not known".into())
    }
}

/// Whether each element of one is one of the other, and the other way round.
fn unordered(a: &[Kind], b: &[Kind], digits: i32) -> Verdict {
    if a.len() > ELEMENTS || b.len() > ELEMENTS {
        return Open(format!("a set has more than {ELEMENTS} elements"));
    }
    let within = |a: &[Kind], b: &[Kind]| {
        all(a.iter().map(|x| {
            let mut open = Different;
            for y in b {
                match kinds(x, y, digits) {
                    Same => return Same,
                    Open(why) => open = Open(why),
                    Different => {}
                }
            }
            open
        }))
    };
    both(within(a, b), || within(b, a))
}

fn proportions(a: &[Expr], b: &[Expr], digits: i32) -> Verdict {
    if a.len() != b.len() {
        return Different;
    }
    let product = |x: &Expr, y: &Expr| Expr::Product(vec![x.clone(), y.clone()]);
    all((1..a.len()).map(|i| values(&product(&a[i], &b[0]), &product(&b[i], &a[0]), digits)))
}

/// Letters and digits in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

const NO_VALUE: &str = "a division by zero has no value";

/// Whether an expression divides by zero.
fn no_value(e: &Expr) -> bool {
    e.any(&|e| matches!(e, Expr::Quotient(_, under) if integer(under) == Some(0)))
}

/// Words beside something else. A product of variables may be a word.
fn worded(words: &str, other: &Kind) -> Verdict {
    if let Kind::Value(value) = other {
        let mut names = Vec::new();
        value.symbols(&mut names);
        let spelt = spelling(value);
        if spelt.is_some_and(|s| letters(&s) == letters(words)) {
            return Same;
        }
        if no_value(value) {
            return Open(NO_VALUE.into());
        }
    }
    let lower = words.to_lowercase();
    let nothing = matches!(other, Kind::Set(list) if list.is_empty());
    if nothing || lower.split(|c: char| !c.is_alphabetic()).any(|w| number_word(w) || matches!(w, "one" | "infinity" | "none" | "all" | "empty")) {
        return Open(format!("the words \"{}\" may be a value", crate::clip(words)));
    }
    Different
}

/// The letters of a product of symbols.
fn spelling(e: &Expr) -> Option<String> {
    match e {
        Expr::Symbol(name) => Some(name.clone()),
        Expr::E => Some("e".into()),
        Expr::I => Some("i".into()),
        Expr::Product(list) => list.iter().map(spelling).collect(),
        _ => None,
    }
}

/// Answers of which one at least is a relation.
fn relations(want: &Kind, got: &Kind, digits: i32) -> Verdict {
    match (want, got) {
        (Kind::Relation(a, x), Kind::Relation(b, y)) => {
            let equations = |r: &[&str]| r.iter().all(|r| *r == "=");
            match (equations(x), equations(y)) {
                (true, true) => equations_same(a, b, digits),
                (false, false) => inequalities(a, x, b, y, digits),
                _ => Different,
            }
        }
        // x = 5 is 5 where 5 is wanted.
        (other, Kind::Relation(parts, relations)) if relations.iter().all(|r| *r == "=") => match parts.last() {
            Some(last) => kinds(other, last, digits),
            None => Different,
        },
        (Kind::Relation(parts, relations), other) if relations.iter().all(|r| *r == "=") => match (parts.first(), parts.last()) {
            (Some(name), Some(last)) if named(name) => kinds(last, other, digits),
            _ => match other {
                Kind::Value(_) | Kind::Set(_) => Open("an equation is compared with a value".into()),
                _ => Different,
            },
        },
        (Kind::Relation(parts, relations), other) | (other, Kind::Relation(parts, relations)) => {
            match (interval(parts, relations), other) {
                (Some(interval), Kind::Interval { .. } | Kind::Tuple(_) | Kind::Union(_)) => kinds(&interval, other, digits),
                (Some(interval), Kind::Set(list)) if intervals(list).is_some() => kinds(&interval, other, digits),
                (None, Kind::Interval { .. } | Kind::Tuple(_) | Kind::Union(_) | Kind::Set(_)) => Open("an inequality is compared with a set".into()),
                _ => Different,
            }
        }
        _ => Different,
    }
}

/// Whether something is only names: x, f(x), x_1, P(5, 2).
fn named(kind: &Kind) -> bool {
    matches!(kind, Kind::Value(Expr::Function("count", _))) || matches!(kind, Kind::Value(e) if !e.any(&|e| !matches!(e, Expr::Symbol(_) | Expr::Product(_) | Expr::E | Expr::I)))
}

fn equations_same(a: &[Kind], b: &[Kind], digits: i32) -> Verdict {
    let ends = |parts: &[Kind]| Some((parts.first()?.clone(), parts.last()?.clone()));
    let (Some((a_left, a_right)), Some((b_left, b_right))) = (ends(a), ends(b)) else { return Different };
    if named(&a_left) && named(&b_left) && kinds(&a_left, &b_left, digits) == Same {
        return kinds(&a_right, &b_right, digits);
    }
    let (Some(f), Some(g)) = (difference(&a_left, &a_right), difference(&b_left, &b_right)) else {
        return both(kinds(&a_left, &b_left, digits), || kinds(&a_right, &b_right, digits));
    };
    proportional(&f, &g)
}

fn difference(a: &Kind, b: &Kind) -> Option<Expr> {
    match (a, b) {
        (Kind::Value(a), Kind::Value(b)) => Some(Expr::Sum(vec![a.clone(), Expr::Negative(Box::new(b.clone()))])),
        _ => None,
    }
}

/// Whether f = 0 and g = 0 are one equation: multiples of each other.
fn proportional(f: &Expr, g: &Expr) -> Verdict {
    let (mut names, mut other) = (Vec::new(), Vec::new());
    f.symbols(&mut names);
    g.symbols(&mut other);
    names.sort();
    other.sort();
    if names.is_empty() && other.is_empty() {
        return Open("two equations have no values to compare".into());
    }
    if names != other {
        return if names.is_empty() || other.is_empty() || !names.iter().any(|n| other.contains(n)) { Different } else {
            Open("two equations have different variables".into())
        };
    }
    let mut ratio: Option<Complex> = None;
    for point in 0..POINTS {
        let at = |name: &str| sample(name, point);
        let (Some(x), Some(y)) = (f.value(&at), g.value(&at)) else { continue };
        if x.abs() < 1e-9 * x.size || y.abs() < 1e-9 * y.size {
            continue;
        }
        let now = x.times(y.inverse());
        match ratio {
            None => ratio = Some(now),
            Some(first) => {
                let gap = (now.re - first.re).hypot(now.im - first.im);
                if gap > 1e-7 * first.abs() {
                    return if affine(f, &names) && affine(g, &names) { Different } else { Open("two equations are not multiples of each other".into()) };
                }
            }
        }
    }
    if ratio.is_some() { Same } else { Open("two equations have no values to compare".into()) }
}

/// Whether a function of its variables is of degree 1: equal differences.
fn affine(f: &Expr, names: &[String]) -> bool {
    let value = |step: f64| {
        f.value(&|name: &str| {
            let base = names.iter().position(|n| n == name).unwrap_or(0) as f64;
            Complex::real(1.7 + base * 0.6 + step * (1.0 + base * 0.37))
        })
    };
    match (value(0.0), value(1.0), value(2.0), value(3.5)) {
        (Some(a), Some(b), Some(c), Some(d)) => {
            let size = a.size.max(b.size).max(c.size).max(d.size) * 1e-9;
            (a.re - 2.0 * b.re + c.re).abs() <= size && (d.re - a.re - 3.5 * (b.re - a.re)).abs() <= size
        }
        _ => false,
    }
}

/// A relation turned round.
fn turned(relation: &str) -> &'static str {
    match relation {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        "=" => "=",
        _ => "!=",
    }
}

fn inequalities(a: &[Kind], x: &[&'static str], b: &[Kind], y: &[&'static str], digits: i32) -> Verdict {
    if let (Some(i), Some(j)) = (interval(a, x), interval(b, y)) {
        return kinds(&i, &j, digits);
    }
    if a.len() == b.len() {
        let direct = x == y && ordered(a, b, digits) == Same;
        let back: Vec<Kind> = b.iter().rev().cloned().collect();
        let turn: Vec<&str> = y.iter().rev().map(|r| turned(r)).collect();
        if direct || (x == turn && ordered(a, &back, digits) == Same) {
            return Same;
        }
    }
    if let ([a1, a2], [b1, b2], [x], [y]) = (a, b, x, y) {
        if let (Some(f), Some(g)) = (difference(a1, a2), difference(b1, b2)) {
            let other = Expr::Negative(Box::new(g.clone()));
            if (x == y && values(&f, &g, digits) == Same) || (*x == turned(y) && values(&f, &other, digits) == Same) {
                return Same;
            }
        }
    }
    Open("two inequalities are written differently".into())
}

/// The intervals of several inequalities of one variable.
fn intervals(list: &[Kind]) -> Option<Vec<Kind>> {
    let mut names = Vec::new();
    let all = list.iter().map(|kind| {
        let Kind::Relation(parts, relations) = kind else { return None };
        parts.iter().for_each(|p| if let Kind::Value(e) = p { e.symbols(&mut names) });
        interval(parts, relations)
    }).collect::<Option<Vec<_>>>()?;
    names.dedup();
    (names.len() == 1).then_some(all)
}

/// The interval that two inequalities bound, which all numbers are in one of: `x > -3` and `x < 3`.
fn bounded(list: &[Kind]) -> Option<Kind> {
    let rays = if list.len() == 2 { intervals(list)? } else { return None };
    let side = |i: usize| rays.iter().find_map(|ray| match ray {
        Kind::Interval { ends, closed } if infinite(&ends[1 - i]) && !infinite(&ends[i]) => Some((ends[i].clone(), closed[i])),
        _ => None,
    });
    let (low, high) = (side(0)?, side(1)?);
    let number = |e: &Expr| e.value(&|_| Complex::real(f64::NAN)).map(|n| n.re);
    (number(&low.0)? < number(&high.0)?).then(|| Kind::Interval { ends: Box::new([low.0, high.0]), closed: [low.1, high.1] })
}

/// The interval of a variable in `x < 3` or `1 <= x < 2`.
pub fn interval(parts: &[Kind], relations: &[&'static str]) -> Option<Kind> {
    let value = |k: &Kind| if let Kind::Value(e) = k { Some(e.clone()) } else { None };
    let constant = |e: &Expr| !e.any(&|e| matches!(e, Expr::Symbol(_)));
    let below = |r: &str| matches!(r, "<" | "<=");
    let make = |low: Expr, low_in: bool, high: Expr, high_in: bool| {
        Some(Kind::Interval { ends: Box::new([low, high]), closed: [low_in, high_in] })
    };
    match (parts, relations) {
        ([a, b], [r]) if *r != "!=" => {
            let (mut a, mut b, mut r) = (value(a)?, value(b)?, *r);
            if constant(&a) {
                (a, b, r) = (b, a, turned(r));
            }
            // |x - 1| < 3; |z| < 3 is a disk.
            if let Expr::Function("abs", x) = &a {
                let positive = constant(&b) && b.value(&|_| Complex::real(f64::NAN)).is_some_and(|n| n.im == 0.0 && n.re > 0.0);
                let (zero, slope) = line(x).filter(|_| positive)?;
                let end = |b: Expr| Expr::Quotient(Box::new(Expr::Sum(vec![b, Expr::Negative(Box::new(zero.clone()))])), Box::new(slope.clone()));
                let ends = [end(Expr::Negative(Box::new(b.clone()))), end(b)];
                let [low, high] = if matches!(slope, Expr::Ratio(over, _) if over < 0) { let [high, low] = ends; [low, high] } else { ends };
                let closed = matches!(r, "<=" | ">=");
                return if below(r) { make(low, closed, high, closed) } else if r == "=" { None } else {
                    let rays = [make(Expr::Negative(Box::new(Expr::Infinity)), false, low, closed), make(high, closed, Expr::Infinity, false)];
                    Some(Kind::Union(rays.into_iter().flatten().collect()))
                };
            }
            if !matches!(a, Expr::Symbol(_)) || !constant(&b) {
                return None;
            }
            let infinity = Expr::Infinity;
            if below(r) {
                make(Expr::Negative(Box::new(infinity)), false, b, r == "<=")
            } else {
                make(b, r == ">=", infinity, false)
            }
        }
        ([a, x, b], [r, s]) => {
            let (a, x, b) = (value(a)?, value(x)?, value(b)?);
            if !matches!(x, Expr::Symbol(_)) || !constant(&a) || !constant(&b) {
                return None;
            }
            match (below(r), below(s)) {
                (true, true) => make(a, *r == "<=", b, *s == "<="),
                (false, false) if *r != "!=" && *s != "!=" && *r != "=" && *s != "=" => make(b, *s == ">=", a, *r == ">="),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The value at 0 and the slope of a function of degree 1 of one real variable.
fn line(f: &Expr) -> Option<(Expr, Expr)> {
    let mut names = Vec::new();
    f.symbols(&mut names);
    names.dedup();
    let at = |over, under| f.exact(&|_| Ratio::new(over, under));
    let (a, slope) = (at(0, 1), at(1, 1)?.add(at(0, 1)?.negative())?);
    // Few cubics, and no rounding, are on the line at these points too.
    let straight = [(7, 5), (-13, 3), (31, 7)].into_iter().all(|(x, y)| Ratio::new(x, y).and_then(|x| a?.add(slope.times(x)?)).is_some_and(|v| at(x, y) == Some(v)));
    let one = names.len() == 1 && !names[0].starts_with(['z', 'w']) && straight && slope.over != 0;
    one.then_some((Expr::Ratio(a?.over, a?.under), Expr::Ratio(slope.over, slope.under)))
}

/// How many points an expression with variables is compared at.
const POINTS: u32 = 12;

/// The value of a variable at a point: a real number, some negative.
fn sample(name: &str, point: u32) -> Complex {
    let seed = name.bytes().fold(u64::from(point) + 1, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3).rotate_left(23));
    let unit = (seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11) as f64 / (1u64 << 53) as f64;
    Complex::real(if point % 3 == 2 { -0.3 - 2.0 * unit } else { 0.3 + 3.0 * unit })
}

/// The same, as a fraction.
fn exact_sample(name: &str, point: u32) -> Option<Ratio> {
    Ratio::new((sample(name, point).re * 97.0) as i128, 97)
}

/// Whether two expressions are the same number or function.
fn values(a: &Expr, b: &Expr, digits: i32) -> Verdict {
    if a == b {
        return Same;
    }
    if size(a) > PARTS || size(b) > PARTS {
        return Open(format!("an expression has more than {PARTS} parts"));
    }
    match (infinite(a), infinite(b)) {
        (true, true) => {
            let sign = |e: &Expr| e.any(&|e| matches!(e, Expr::Negative(_)));
            return if sign(a) == sign(b) { Same } else { Different };
        }
        (false, false) => {}
        (true, false) | (false, true) => return Different,
    }
    let (mut names, mut other) = (Vec::new(), Vec::new());
    a.symbols(&mut names);
    b.symbols(&mut other);
    if names.is_empty() && other.is_empty() {
        return constants(a, b, digits);
    }
    // FF_{16} is no product where a number is on the other side.
    if names.is_empty() != other.is_empty() {
        let digits_of = |e: &Expr| digits_in_base(e).map(|n| Expr::Number(n.to_string()));
        if let Some(verdict) = digits_of(a).map(|n| values(&n, b, digits)).or_else(|| digits_of(b).map(|n| values(a, &n, digits))) {
            return verdict;
        }
    }
    // A product of letters may be a word: \text{no} and no.
    if let (Some(x), Some(y)) = (spelling(a), spelling(b)) {
        if letters(&x) == letters(&y) {
            return Same;
        }
    }
    functions(a, b)
}

/// The value of two digits or more with their base, of which some are letters: `FF_{16}`, `2C_{16}`.
fn digits_in_base(e: &Expr) -> Option<u128> {
    let part = |e: &Expr| match e {
        Expr::Number(text) => Some(text.clone()),
        e => spelling(e),
    };
    let text: String = if let Expr::Product(list) = e { list.iter().map(part).collect::<Option<_>>()? } else { part(e)? };
    let (digits, base) = text.split_once('_')?;
    in_base(digits, base).filter(|_| digits.len() > 1)
}

fn size(e: &Expr) -> usize {
    1 + e.parts().into_iter().map(size).sum::<usize>()
}

fn round(n: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    if n.abs() > 1e15 / scale { n } else { (n * scale).round_ties_even() / scale }
}

/// Whether two numbers are equal in their decimals; in as many digits, if these are all 0.
fn near(a: f64, b: f64, noise: f64, digits: i32) -> bool {
    let (x, y) = (round(a, digits), round(b, digits));
    x == y && (x != 0.0 || (a - b).abs() <= noise.max(0.5 * 10f64.powi(-digits) * a.abs().max(b.abs())))
}

/// Numbers. Decimals agree to their digits; all others agree exactly, or are doubtful.
fn constants(a: &Expr, b: &Expr, digits: i32) -> Verdict {
    // 9% is 9 as well as 0.09, if both are whole.
    let bare = |e: &Expr| if let Expr::Percent(inner) = e { inner.plain_integer() } else { e.plain_integer() };
    if matches!(a, Expr::Percent(_)) || matches!(b, Expr::Percent(_)) {
        if let (Some(x), Some(y)) = (bare(a), bare(b)) {
            if x == y {
                return Same;
            }
        }
    }
    let none = |_: &str| Complex::real(f64::NAN);
    let decimal = a.is_decimal() || b.is_decimal();
    // 99.9999999 is not 100.
    let rounded = decimal && a.plain_integer().is_none() && b.plain_integer().is_none();
    if let (Some(x), Some(y)) = (a.exact(&|_| None), b.exact(&|_| None)) {
        return if x == y || rounded && near(x.double(), y.double(), 0.0, digits) { Same } else { Different };
    }
    let (Some(x), Some(y)) = (a.value(&none), b.value(&none)) else {
        return Open("a value cannot be computed".into());
    };
    if decimal {
        let noise = 1e-12 * x.size.max(y.size);
        let same = near(x.re, y.re, noise, digits) && near(x.im, y.im, noise, digits);
        return if same { Same } else { Different };
    }
    let gap = (x.re - y.re).hypot(x.im - y.im);
    let scale = x.size.max(y.size);
    if gap > 1e-9 * scale {
        return Different;
    }
    // Whole numbers that a double cannot tell apart.
    if a.is_rational() && b.is_rational() {
        return Open("the numbers are too large to compare exactly".into());
    }
    if gap <= 1e-12 * scale { Same } else { Open("the values are equal to 9 digits only".into()) }
}

/// Functions of their variables: equal at all points where both have values.
fn functions(a: &Expr, b: &Expr) -> Verdict {
    if a.is_rational() && b.is_rational() {
        let mut met = 0;
        for point in 0..POINTS {
            let at = |name: &str| exact_sample(name, point);
            if let (Some(x), Some(y)) = (a.exact(&at), b.exact(&at)) {
                if x != y {
                    return Different;
                }
                met += 1;
            }
        }
        if met >= 4 {
            return Same;
        }
    }
    let (mut same, mut doubt) = (0, false);
    for point in 0..POINTS {
        let at = |name: &str| sample(name, point);
        let (Some(x), Some(y)) = (a.value(&at), b.value(&at)) else { continue };
        let gap = (x.re - y.re).hypot(x.im - y.im);
        let scale = x.size.max(y.size);
        if gap > 1e-7 * scale {
            return Different;
        }
        if gap <= 1e-10 * scale {
            same += 1;
        } else {
            doubt = true;
        }
    }
    if same >= 4 && !doubt { Same } else { Open("the expressions cannot be told apart by their values".into()) }
}
