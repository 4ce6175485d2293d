//! Equivalence of mathematical answers, by rules. What the rules do not decide is
//! unscored.

mod compare;
mod expr;
mod find;
mod number;
mod parse;
mod terms;
mod tokens;
mod units;
mod verl;
#[cfg(test)]
mod tests;

use rubric_host_sdk::{export, manifest, Answer, Error, Object, Request, Result};
use rubric_host_text::equal::same_decimal;
use rubric_host_text::{after_reasoning, decimals, digit, number_word, numbers, or_answer, Comma, Number, Sure, Texts};
use std::borrow::Cow;

manifest!("../plugin.yaml");
export!(math => math, math_reward => verl::math_reward, math_dapo => verl::math_dapo, gsm8k => verl::gsm8k);

/// The start of a text, for messages and details.
fn clip(text: &str) -> String {
    text.chars().take(200).collect()
}

/// Whether two things are the same.
#[derive(Clone, Debug, PartialEq)]
enum Verdict {
    /// They are.
    Same,
    /// They are not.
    Different,
    /// The rules do not tell, and why.
    Open(String),
}

fn math(request: &Request) -> Result<Answer> {
    let config = request.config();
    let digits = config.count("digits", 6, 1, 12)? as i32;
    let find = match config.text("find", "auto")? {
        "auto" => find::How::Auto,
        "boxed" => find::How::Boxed,
        "whole" => find::How::Whole,
        other => return Err(Error::new(format!("unknown find \"{}\": use auto, boxed or whole", clip(other)))),
    };
    let texts = or_answer!(Texts::read(request)?);
    let (output, references): (_, Vec<_>) = (ascii(texts.output), texts.references.into_iter().map(ascii).collect());
    let references: Vec<&str> = references.iter().map(|r| &**r).collect();
    // Where a ratio is asked for, 3 to 1 is not a range.
    let ratio = |r: &&str| matches!(parse::parse(&find::reference(r)).kind, parse::Kind::Proportion(_));
    let output = &*if output.contains("to") && references.iter().all(ratio) { to_ratio(&output).into() } else { output };
    let Some(find::Found { answer: got, doubts, open: several }) = find::answer(output, find) else {
        return Ok(unanswered(output, &references, find));
    };
    let mut details = Object::new();
    details.text("answer", &clip(&got));
    // Of 22/7 \approx 3.14, either is the answer.
    let plain = got.replace('\u{2248}', "\\approx");
    // Of 9 \approx 10 nothing tells which is meant.
    let figure = |t: &str| t.contains(|c: char| c.is_ascii_digit()) && t.chars().all(|c| c.is_ascii_digit() || " .,-$".contains(c));
    let several = several || plain.split_once("\\approx").is_some_and(|(a, b)| figure(a) && figure(b));
    // Of \int_0^1 x dx = 1/2, the value can be read; not of x = \foo, y = 3.
    let one = |name: &str| name.contains('\\') && !name.ends_with(['<', '>', '!', ':', '=']) && !["\\quad", "and", "or "].iter().any(|w| name.contains(w))
        && name.replace("\\,", "").replace("\\;", "").rsplit_once([',', ';']).is_none_or(|(_, rest)| rest.matches([')', '}']).count() > rest.matches(['(', '{']).count());
    let read = |text: &str| match (parse::parse(text), text.rsplit_once('=')) {
        (parse::Answer { kind: parse::Kind::Unread(_), .. }, Some((name, value))) if one(name) => parse::parse(value),
        (answer, _) => answer,
    };
    let given: Vec<parse::Answer> = match plain.split("\\approx").collect::<Vec<_>>()[..] {
        [a] if same_in_brackets(a).is_some() => vec![read(same_in_brackets(a).unwrap_or(a))],
        // (D) 48 is 48, or D.
        [a] if labelled(a).is_some() => labelled(a).map_or(Vec::new(), |(letter, value)| vec![read(value), read(letter)]),
        [a, b] if !a.trim().is_empty() && a.matches('{').count() == a.matches('}').count() => vec![read(b), read(a)],
        _ => vec![read(&got)],
    };
    // \boxed{} and ? are not answers.
    if given.iter().all(parse::Answer::is_empty) {
        return Ok(unanswered(output, &references, find));
    }
    let mut open = None;
    for reference in references {
        let want = find::reference(reference);
        if want.trim().is_empty() {
            open = Some("a reference is empty".to_string());
            continue;
        }
        let expected = parse::parse(&want);
        let verdict = given.iter().map(|g| compare::compare(&expected, g, digits)).reduce(either);
        let verdict = if compare::same_text(&want, &got) || absent(&want).is_some() && absent(&want) == absent(&got) || integral(&want, &got, digits) { Verdict::Same } else { as_number(&want, &got, verdict.unwrap_or(Verdict::Different)) };
        let verdict = if verdict == Verdict::Same { verdict } else { families(&want, &got).unwrap_or(verdict) };
        // The values -1 and 4 are no point or interval.
        let named = |e: &parse::Kind| if let parse::Kind::Relation(parts, _) = e { parts.first().cloned() } else { None };
        let apart = |list: &[parse::Kind]| got.contains("\\{") || got.contains("or") || list.len() > 1 && list.iter().all(|e| named(e).is_some() && named(e) == named(&list[0]));
        let set = || matches!(expected.kind, parse::Kind::Tuple(_)) && matches!(&given[..], [parse::Answer { kind: parse::Kind::Set(list), .. }] if apart(list) && list.iter().all(|e| matches!(e, parse::Kind::Value(_) | parse::Kind::Relation(..))));
        let verdict = if verdict == Verdict::Same && set() { Verdict::Open("a set is compared with a point".into()) } else { verdict };
        let another = if verdict == Verdict::Different { another_reading(&want, &got, digits) } else { None };
        let verdict = another.map_or(verdict, |why| Verdict::Open(why.into()));
        match verdict {
            Verdict::Same if several => open = Some("the output has several numbers that may be its answer".into()),
            Verdict::Different if doubts.iter().flat_map(|d| find::each_number(d).chain((d.len() < 100).then(|| d.clone()))).take(100).any(|d| {
                // Most are whole numbers, which need no parser.
                if whole(&want) && whole(&d) { want == d } else { compare::compare(&expected, &parse::parse(&d), digits) == Verdict::Same || as_number(&want, &d, Verdict::Different) != Verdict::Different }
            }) => {
                open = Some("the output has several numbers that may be its answer".into());
            }
            Verdict::Same => {
                details.text("expected", &clip(&want));
                return Ok(Answer::score(1.0).details(details));
            }
            Verdict::Different if no_value(&want) && no_value(output) => open = Some(BOTH_WITHOUT.into()),
            Verdict::Different => {}
            Verdict::Open(why) => open = open.or(Some(why)),
        }
    }
    Ok(match open {
        Some(why) => Answer::unscored(format!("undecided: {why}; answer \"{}\"", clip(&got))),
        None => Answer::score(0.0).details(details),
    })
}

/// A text with `3:1` for `3 to 1`.
fn to_ratio(text: &str) -> String {
    let plain = text.replace("\\text{ to }", " to ");
    let mut parts = plain.split(" to ");
    let first = parts.next().unwrap_or("").to_string();
    let digit = |c: char| c.is_ascii_digit();
    parts.fold(first, |all, part| {
        let mark = if all.ends_with(digit) && part.starts_with(digit) { ":" } else { " to " };
        all + mark + part
    })
}

/// Whether a text is a whole number as no other text is it: digits only, at most nine, the first not 0.
fn whole(text: &str) -> bool {
    text.len() < 10 && !text.is_empty() && !text.starts_with('0') && text.bytes().all(|c| c.is_ascii_digit())
}

/// The letter of a choice in brackets, in a text command or not, and the value behind it: `\textbf{(D)}\ 48`, `(D) 48`.
fn labelled(answer: &str) -> Option<(&str, &str)> {
    const TEXTS: [&str; 5] = ["\\textbf{", "\\text{", "\\textrm{", "\\mathrm{", "\\mathbf{"];
    let answer = answer.trim();
    let command = TEXTS.iter().find_map(|c| answer.strip_prefix(c));
    let (letter, rest) = command.unwrap_or(answer).trim_start().strip_prefix('(')?.split_once(')')?;
    let rest = if command.is_some() { rest.trim_start().strip_prefix('}')? } else { Some(rest).filter(|r| r.starts_with([' ', '\\', '~']))? };
    let value = ["\\ ", "\\quad ", "~", "\\,", "\\;"].iter().find_map(|space| rest.strip_prefix(space)).unwrap_or(rest).trim_start();
    (letter.len() == 1 && letter.starts_with(|c: char| c.is_ascii_uppercase()) && !value.is_empty()).then_some((letter, value))
}

const BOTH_WITHOUT: &str = "both may say that there is no value";

/// Whether a text has words for an answer that has no value.
fn no_value(text: &str) -> bool {
    let words = words(text);
    [" dne ", " not exist ", " no solution", " no real ", " undefined ", " none ", " impossible ", " diverge"].iter().any(|w| words.contains(w))
}

/// What an answer denies, if it says nothing else, in one of its forms.
fn absent(text: &str) -> Option<&'static str> {
    let words = words(text);
    let words = words.trim();
    let words = ["the limit ", "limit ", "there is ", "there are "].iter().find_map(|w| words.strip_prefix(w)).unwrap_or(words);
    match words {
        "dne" | "does not exist" | "do not exist" | "doesn t exist" => Some("dne"),
        "no solution" | "no solutions" => Some("no solution"),
        "no real solution" | "no real solutions" => Some("no real solution"),
        _ => None,
    }
}

/// The words of a text in lower case, with a blank around each.
fn words(text: &str) -> String {
    format!(" {} ", text.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty() && *w != "text").collect::<Vec<_>>().join(" ").to_lowercase())
}

/// A text with ASCII digits.
fn ascii(text: &str) -> Cow<'_, str> {
    let plain = |c| match c {
        '\u{66b}' | '\u{ff0e}' => '.',
        '\u{66c}' => ',',
        '\u{66a}' => '%',
        c => digit(c).unwrap_or(c),
    };
    if text.is_ascii() || text.chars().all(|c| plain(c) == c) { text.into() } else { text.chars().map(plain).collect::<String>().into() }
}

/// The only number of a text, if it has one.
fn single(text: &str, comma: Comma) -> Option<Number> {
    if text.len() > 200 {
        return None;
    }
    match numbers(text, comma)[..] {
        [n] => Some(n),
        _ => None,
    }
}

/// The first of two equal numbers, of which the second is in brackets: 0.5 (50%).
fn same_in_brackets(text: &str) -> Option<&str> {
    let (first, second) = text.trim_end_matches('.').strip_suffix(')')?.split_once(" (")?;
    let value = |t| single(t, Comma::Thousands).filter(|n| n.sure == Sure::All).map(|n| if n.percent { n.value / 100.0 } else { n.value });
    (value(first)? == value(second)?).then_some(first)
}

/// Whether two texts are the same number, with a letter right behind it in one that may be its unit: 25C, 98F, 5A.
fn unit_of_one(a: &str, b: &str) -> bool {
    let lettered = |word: &str| {
        let head = word.trim_end_matches('.').strip_suffix(['A', 'C', 'F'])?;
        single(head, Comma::Thousands).filter(|n| n.sure == Sure::All && n.span.1 == head.chars().count())
    };
    let same = |a: &str, b: &str| a.len() <= 200 && a.split(' ').find_map(lettered).is_some_and(|n| single(b, Comma::Thousands).is_some_and(|m| m.value == n.value));
    same(a, b) || same(b, a)
}

/// The verdict, unless the answer is one number as `numeric` reads it and that differs.
fn as_number(want: &str, got: &str, verdict: Verdict) -> Verdict {
    let got = same_in_brackets(got).unwrap_or(got);
    let open = |why: &str| Verdict::Open(why.into());
    if verdict == Verdict::Different && unit_of_one(want, got) {
        return open("what is beside the number may be its unit");
    }
    let Some(wanted) = single(want, Comma::Thousands).filter(|n| n.sure == Sure::All && n.bound.is_none()) else { return verdict };
    let alone = |text: &str, n: &Number| text.chars().enumerate().all(|(i, c)| (n.span.0..n.span.1).contains(&i) || matches!(c, ' ' | '.' | '$' | '*'));
    // Rounding is decided already.
    let near = |a: f64, b: f64| (a - b).abs() <= 0.01 * a.abs().max(b.abs());
    // Doubles tell no more apart.
    if wanted.value.abs() >= 9_007_199_254_740_992.0 {
        let exact = |text, n: &Number| decimals(text, n, Comma::Thousands);
        let got = single(got, Comma::Thousands).and_then(|n| exact(got, &n));
        if got.zip(exact(want, &wanted)).is_some_and(|(a, b)| !same_decimal(&a, &b)) {
            return Verdict::Different;
        }
    }
    let equal = |a: f64, b: f64| (a - b).abs() <= 1e-15 * a.abs().max(b.abs());
    let percent = |n: &Number| if n.percent { n.value / 100.0 } else { n.value };
    let Some(given) = single(got, Comma::Thousands) else {
        let (a, b) = got.split_once(" (").unwrap_or((got, ""));
        let one = |t| single(t, Comma::Thousands).is_some_and(|n| equal(n.value, wanted.value) || equal(percent(&n), percent(&wanted)));
        let two = [a, b].iter().all(|t| single(t, Comma::Thousands).is_some());
        let worded = verdict == Verdict::Different && got.len() < 1_000 && numbers(got, Comma::Thousands).is_empty() && got.split(|c: char| !c.is_alphabetic()).any(number_word);
        return if two && (one(a) || one(b)) { open("a number in brackets is another one") } else if worded { open("a number may be in words") } else { verdict };
    };
    match verdict {
        // In \text{ million}, which is not read here.
        Verdict::Same if given.sure == Sure::All && !got.contains('\\') && ![given.value, percent(&given)].iter().any(|v| near(*v, wanted.value) || near(*v, percent(&wanted))) => open("what is beside the number may change it"),
        // 2.400 pesos
        Verdict::Same if given.sure == Sure::Part && single(got, Comma::Decimal).is_some_and(|n| n.sure == Sure::All && n.value != given.value) => open("a comma or point has two readings: thousands or decimals"),
        Verdict::Different if given.bound.is_some() => verdict,
        Verdict::Different | Verdict::Open(_) if given.sure == Sure::All && given.value == wanted.value && given.percent == wanted.percent => {
            match verdict {
                _ if alone(want, &wanted) && alone(got, &given) => Verdict::Same,
                Verdict::Different => open("what is beside the number may be its unit"),
                verdict => verdict,
            }
        }
        Verdict::Different if equal(given.value, wanted.value) || equal(percent(&given), percent(&wanted)) || given.sure == Sure::Part && equal(-given.value, wanted.value) => open("the number has two readings"),
        // 12K is a temperature, or thousands.
        Verdict::Different if given.sure == Sure::Part && got.ends_with(['K', 'B', 'T']) => open("the number has two readings"),
        Verdict::Different if equal(given.bare, wanted.value) => open("one of two equal numbers counts in hundreds, thousands or millions"),
        Verdict::Different if single(got, Comma::Decimal).is_some_and(|n| n.sure == Sure::All && equal(n.value, wanted.value)) => {
            open("a comma or point has two readings: thousands or decimals")
        }
        verdict => verdict,
    }
}

/// What is before a constant of integration at the end of an answer.
fn constant(answer: &str) -> Option<&str> {
    answer.trim_end().strip_suffix(['C', 'c', 'K', 'k'])?.trim_end().strip_suffix('+')
}

/// Whether two answers are a function of x, y, z, t or u with the same constant, once c and once C. In other letters, such as
/// `b + c`, they may be a side and an angle.
fn integral(want: &str, got: &str, digits: i32) -> bool {
    let (Some(a), Some(b)) = (constant(want), constant(got)) else { return false };
    let (a, b) = (parse::parse(a), parse::parse(b));
    let mut names = Vec::new();
    if let parse::Kind::Value(e) = &a.kind {
        e.symbols(&mut names);
    }
    let alike = want.trim_end().chars().next_back().zip(got.trim_end().chars().next_back()).is_some_and(|(c, d)| c.eq_ignore_ascii_case(&d));
    alike && matches!(names.as_slice(), [name] if matches!(name.as_str(), "x" | "y" | "z" | "t" | "u")) && compare::compare(&a, &b, digits) == Verdict::Same
}

/// Whether two answers are the same numbers for all integers: `x = \frac{\pi}{4} + k\pi, k \in \mathbb{Z}`, in any letter.
fn families(want: &str, got: &str) -> Option<Verdict> {
    /// What is before the condition that a letter is an integer.
    fn body(text: &str) -> Option<&str> {
        const INTEGERS: [&str; 6] = ["\\mathbb{Z}", "\\mathbb Z", "\\Z", "\u{2124}", "Z", "\\text{ is an integer}"];
        let end = |t: &str, words: &[&str]| words.iter().find_map(|w| t.trim_end_matches([' ', '.', ')', '$']).strip_suffix(w).map(str::len));
        let text = &text[..end(text, &INTEGERS)?];
        let text = &text[..end(text, &["\\in", "\u{2208}"]).unwrap_or(text.len())];
        let mut text = text.trim_end().strip_suffix(|c: char| c.is_ascii_lowercase()).filter(|t| t.ends_with([' ', ',', '}', '(', ';']))?;
        while let Some(less) = [" ", ",", ";", "(", "\\", "\\quad", "\\qquad", "\\text{where }", "\\text{ where }", "\\text{for }", "\\text{ for }", "where", "for"].iter().find_map(|w| text.strip_suffix(w)) {
            text = less;
        }
        Some(text)
    }
    /// The first number and the step of each family, and what they are equal to.
    fn read(kind: &parse::Kind, found: &mut Vec<[f64; 2]>, left: &mut Vec<parse::Kind>, letters: &mut Vec<String>) -> Option<()> {
        match kind {
            parse::Kind::Set(list) => list.iter().try_for_each(|k| read(k, found, left, letters)),
            parse::Kind::Relation(parts, signs) if signs.iter().all(|s| *s == "=") => {
                left.push(parts.first()?.clone());
                read(parts.last()?, found, left, letters)
            }
            parse::Kind::Value(e) => {
                let mut names = Vec::new();
                e.symbols(&mut names);
                let at = |k: f64| e.value(&|_| number::Complex::real(k)).filter(|n| n.im == 0.0).map(|n| n.re);
                let (start, step) = (at(0.0)?, at(1.0)? - at(0.0)?);
                let straight = [3.0, -7.0].into_iter().all(|k| at(k).is_some_and(|n| (n - start - k * step).abs() <= 1e-9 * step.abs()));
                let exact = start.abs().max(step.abs()) < 1e6;
                names.dedup();
                let family = matches!(&names[..], [n] if "klmnpqt".contains(n.as_str())) && straight && exact && step != 0.0;
                letters.append(&mut names);
                family.then(|| found.push([start, step.abs()]))
            }
            _ => None,
        }
    }
    let (mut left, mut names) = (Vec::new(), Vec::new());
    let mut all = |text: &str| {
        let mut found = Vec::new();
        read(&parse::parse(text).kind, &mut found, &mut left, &mut names).filter(|()| found.len() < 100)?;
        Some(found)
    };
    let (a, b) = (body(want), body(got));
    let degrees = |t: &str| t.contains("circ") || t.contains('\u{b0}');
    // x = \pi + n\pi, where nothing says of n that it is an integer.
    let implied = a.or(b).is_none();
    if implied && ![want, got].into_iter().all(|t| t.contains("\\pi") || degrees(t)) {
        return None;
    }
    let (a, b) = (all(a.unwrap_or(want)), all(b.unwrap_or(got)));
    // t may be time, and l a length.
    if implied && !names.iter().all(|n| "kmn".contains(n.as_str())) {
        return None;
    }
    let written = || Some(Verdict::Open("two families of numbers are written differently".into()));
    let (Some(a), Some(b)) = (a, b) else {
        // x = n\pi + (-1)^n\pi/6
        return if implied && names.len() == 2 && names[0] != names[1] { written() } else { None };
    };
    // x = 2k, y = 3k is a pair for each k.
    if left.iter().any(|name| *name != left[0]) {
        return None;
    }
    let same = |a: &[f64; 2], b: &[f64; 2]| {
        let turns = (a[0] - b[0]) / a[1];
        (a[1] - b[1]).abs() <= 1e-9 * a[1] && (turns - turns.round()).abs() <= 1e-9
    };
    let within = |a: &[[f64; 2]], b: &[[f64; 2]]| a.iter().all(|x| b.iter().any(|y| same(x, y)));
    Some(match (within(&a, &b) && within(&b, &a), degrees(want) == degrees(got)) {
        // \pi n is not -\pi n where n is given.
        (true, true) if implied && names.windows(2).all(|n| n[0] == n[1]) => return written(),
        (true, true) => Verdict::Same,
        (false, true) if a.len() == 1 && b.len() == 1 => Verdict::Different,
        _ => return written(),
    })
}

/// What may make the same of two answers that differ: 45° for π/4, log to the base 10, 1100_2 for 1100.
fn another_reading(want: &str, got: &str, digits: i32) -> Option<&'static str> {
    if want.len().max(got.len()) > 200 {
        return None;
    }
    // (A) and (C) for A, C
    let letters = |t: &str| words(t).replace(" and ", " ");
    if !want.contains(char::is_numeric) && !got.contains(char::is_numeric) && letters(want).trim().contains(' ') && letters(want) == letters(got) {
        return Some("the words are the same");
    }
    let same = |a: &str, b: &str| compare::compare(&parse::parse(a), &parse::parse(b), digits) == Verdict::Same;
    if let (Some(a), Some(b)) = (constant(want), constant(got)) {
        return same(a, b).then_some("a constant may have another name");
    }
    let decadic = |t: &str| t.replace("log", "lg");
    if (want.contains("log") || got.contains("log")) && same(&decadic(want), &decadic(got)) {
        return Some("a logarithm without a base may be natural or decadic");
    }
    [(want, got), (got, want)].into_iter().find_map(|(a, b)| {
        // 30,150 for {30, 150}
        if a.contains(',') && same(&a.replace(',', ", "), b) {
            return Some("a comma may separate thousands or elements");
        }
        let degrees = ["^\\circ", "^{\\circ}", "\u{b0}"].iter().find_map(|sign| a.trim().strip_suffix(sign));
        if degrees.is_some_and(|n| same(&format!("({n})\\pi/180"), b)) {
            return Some("one of two equal angles is in degrees");
        }
        let based = a.split_once('_').is_some_and(|(n, _)| n.starts_with(|c: char| c == '(' || c.is_ascii_digit()) && compare::same_text(n.trim_matches(['(', ')']), b));
        based.then_some("one of two numbers names its base")
    })
}

/// The verdict on an answer that is given in two ways.
fn either(a: Verdict, b: Verdict) -> Verdict {
    match (a, b) {
        (Verdict::Different, other) | (_, other @ Verdict::Same) => other,
        (first, _) => first,
    }
}

/// The answer for an output in which nothing was found: wrong, unless it is the reference
/// word for word, or a reference cannot be read, so that nothing could be found in it either.
fn unanswered(output: &str, references: &[&str], find: find::How) -> Answer {
    let mut unread = None;
    for reference in references {
        let want = find::reference(reference);
        if no_value(&want) && no_value(output) {
            unread = Some(BOTH_WITHOUT.into());
        }
        // The limit does not exist.
        if want.contains(' ') && !want.contains(|c: char| c.is_numeric()) && words(output).contains(&words(&want)) {
            unread = Some("its words are in the output".to_string());
        }
        if find != find::How::Boxed && compare::same_text(&want, after_reasoning(output).unwrap_or("").trim()) {
            return Answer::score(1.0);
        }
        match parse::parse(&want).kind {
            _ if want.trim().is_empty() => unread = Some("a reference is empty".to_string()),
            parse::Kind::Unread(why) => unread = Some(format!("the reference cannot be read: {why}")),
            // >5 for x>5
            parse::Kind::Relation(_, signs) if signs != ["="] && output.contains(['<', '>', '\u{2264}', '\u{2265}']) => {
                unread = Some("the output may be a side of a relation".into());
            }
            parse::Kind::Value(_) if after_reasoning(output).unwrap_or("").rsplit(|c: char| !c.is_alphabetic()).take(2_000).any(number_word) => {
                unread = Some("a number may be in words".into());
            }
            _ => {}
        }
    }
    match unread {
        Some(why) => Answer::unscored(format!("undecided: {why}; the output has no mathematical answer")),
        None => Answer::score(0.0).reason("the output has no mathematical answer"),
    }
}
