//! Naming conventions of functions and classes.

/// Whether a name of a function or, if so told, of a class follows the convention.
pub type Convention = fn(&str, bool) -> bool;

/// The convention of a language: PEP 8, Effective Go, RFC 430, and what JavaScript,
/// TypeScript and Java share. C, C++ and Bash have several.
pub fn convention(language: &str) -> Option<Convention> {
    Some(match language {
        "python" | "rust" => |name, class| if class { capitals(name) } else { snake(name) },
        "go" => |name, _| !name.contains('_') || name == "_" || ["Test", "Benchmark", "Fuzz", "Example"].iter().any(|test| name.starts_with(test)),
        "javascript" | "typescript" => |name, class| if class { capitals(name) } else { camel(name) },
        "java" => |name, class| if class { capitals(name) } else { camel(name) && !name.starts_with(char::is_uppercase) },
        _ => return None,
    })
}

fn snake(name: &str) -> bool {
    let plain = name.trim_start_matches('_');
    name.len() - plain.len() <= 2 && !plain.chars().any(char::is_uppercase) && !plain.starts_with(|c: char| c.is_ascii_digit())
}

fn capitals(name: &str) -> bool {
    let plain = name.trim_start_matches('_');
    let letter = |c: Option<char>| c.is_none_or(char::is_alphabetic);
    // X86_64
    let between_digits = |at: usize| !letter(plain[..at].chars().next_back()) && !letter(plain[at + 1..].chars().next()) && !plain[at + 1..].starts_with('_');
    plain.starts_with(char::is_uppercase) && plain.match_indices('_').all(|(at, _)| between_digits(at))
}

fn camel(name: &str) -> bool {
    let plain = name.trim_start_matches(['_', '$', '#']);
    // In JavaScript, a constructor and a component of a framework are named like a class.
    plain.is_empty() || !plain.contains('_') && plain.starts_with(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conventions() {
        let python = convention("python").unwrap();
        for (name, class, want) in [("get_value", false, true), ("getValue", false, false), ("__init__", false, true), ("_x", false, true), ("my_class", true, false), ("Box", true, true), ("___x", false, false), ("_", false, true), ("X86_64", true, true), ("A1_b", true, false), ("A_", true, false)] {
            assert_eq!(python(name, class), want, "{name}");
        }
        let java = convention("java").unwrap();
        assert!(java("toString", false) && !java("to_string", false) && !java("ToString", false) && !java("box", true));
        let go = convention("go").unwrap();
        assert!(go("ExampleSet_Add", false) && go("_", false) && !go("Set_add", false));
        assert!(convention("c").is_none());
    }
}
