use super::*;
use rubric_host_sdk::{parse, Value};

#[test]
fn matches_what_python_matches() {
    let lines = include_str!("../../testdata/python_re.jsonl");
    for line in lines.lines() {
        let v = parse(line).unwrap();
        let text = |name| v.get(name).and_then(Value::as_str).unwrap();
        let pattern = Pattern::new(text("p"), false).unwrap();
        let chars: Vec<char> = text("t").chars().collect();
        let spans = v.get("s").and_then(Value::as_array).unwrap();
        for (anchor, want) in [Anchor::None, Anchor::Start, Anchor::Both].into_iter().zip(spans) {
            let want = want.as_array().map(|s| (s[0].as_f64().unwrap() as usize, s[1].as_f64().unwrap() as usize));
            assert_eq!(pattern.find(&chars, anchor), want, "{anchor:?} {:?} in {:?}", text("p"), text("t"));
        }
        assert_eq!(
            pattern.delete(text("t")).as_deref().unwrap_or(text("t")),
            text("d"),
            "{:?} out of {:?}",
            text("p"),
            text("t")
        );
    }
    assert_eq!(lines.lines().count(), 600);
}

#[test]
fn what_is_refused_is_said() {
    for (pattern, want) in [
        ("(?=a)", "look-ahead is not supported"),
        ("(?<!a)", "look-behind is not supported"),
        (r"(a)\1", "back-references are not supported"),
        ("(?P=n)", "back-references are not supported"),
        ("(?>a)", "atomic groups are not supported"),
        ("a*+", "possessive quantifiers are not supported"),
        ("(?x) a", "verbose mode is not supported"),
        ("(a", "a group is not closed"),
        ("a)", "this bracket closes nothing, at character 2"),
        ("[a", "a set is not closed"),
        ("[z-a]", "upside down"),
        ("a**", "a quantifier follows another"),
        ("*a", "nothing to repeat"),
        ("a{3,2}", "above its most"),
        ("a{1001}", "1000 repeats are the most"),
        (r"\", "ends in a backslash"),
        (r"\q", "an unknown escape"),
        ("a(?i)b", "belong at its start"),
    ] {
        let message = match Pattern::new(pattern, false) {
            Ok(_) => panic!("{pattern} was taken"),
            Err(e) => e.to_string(),
        };
        assert!(message.contains(want) && message.contains(pattern), "{message}");
    }
}

#[test]
fn hostile_patterns_stay_small_and_quick() {
    assert!(Pattern::new(&"(".repeat(60), false).is_err());
    assert!(Pattern::new(&"a".repeat(5000), false).is_err());
    assert!(Pattern::new("((a{1000}){1000}){1000}", false).is_err());
    // A backtracking engine needs two to the power of the length for these.
    let text: Vec<char> = "a".repeat(2000).chars().collect();
    for pattern in ["(a*)*b", "(a|a)*b", "(a?){30}a{30}b"] {
        assert_eq!(Pattern::new(pattern, false).unwrap().find(&text, Anchor::None), None);
    }
}

#[test]
fn case_folds_to_one_character() {
    for (a, b) in [('Σ', 'ς'), ('ſ', 'S'), ('\u{212a}', 'k'), ('İ', 'I'), ('ı', 'i'), ('µ', 'Μ'), ('ﬅ', 'ﬆ')] {
        assert_eq!(fold(a), fold(b), "{a} {b}");
    }
    assert_ne!(fold('ß'), fold('s'));
}

#[test]
fn groups_are_those_of_cpython() {
    for (pattern, text, want) in [
        (r"(\d+)", "a 12 b 34", "2-4"),
        (r"ANSWER: (\w+)( because)?", "so ANSWER: yes", "11-14 -"),
        (r"(?:a|(b))+", "abab", "3-4"),
        (r"(?P<n>a*)(?P<m>a*)", "aaa", "0-3 3-3"),
        (r"(a+?)(a*)", "aaa", "0-1 1-3"),
        (r"((a)|b)*", "aba", "2-3 2-3"),
        (r"(x)|(y)", "zy", "- 1-2"),
        (r"^(.*)$", "a\nb", ""),
        (r"(?m)^(b.*)$", "a\nbc", "2-4"),
        ("", "abc", ""),
    ] {
        let chars: Vec<char> = text.chars().collect();
        let found = Pattern::with_groups(pattern, false).unwrap().capture(&chars);
        let groups = found.map_or(Vec::new(), |f| f.1);
        let shown: Vec<_> = groups.iter().map(|g| g.map_or("-".into(), |(a, b)| format!("{a}-{b}"))).collect();
        assert_eq!(shown.join(" "), want, "{pattern} in {text}");
    }
    assert!(Pattern::with_groups(&"(a)".repeat(51), false).is_err());
    assert!(Pattern::new(&"(a)".repeat(51), false).is_ok());
}
