//! Where the answer of a reasoning model begins.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";
/// The tags of most models, of Mistral, Seed and Kimi, and those that prompts ask for.
const TAGS: [(&str, &str); 7] = [
    (OPEN, CLOSE), ("[THINK]", "[/THINK]"), ("<seed:think>", "</seed:think>"), ("\u{25c1}think\u{25b7}", "\u{25c1}/think\u{25b7}"),
    ("<thinking>", "</thinking>"), ("<reasoning>", "</reasoning>"), ("<scratchpad>", "</scratchpad>"),
];
const FINAL: &str = "<|channel|>final";

/// The text behind the reasoning in tags at its start; the whole text if it has
/// none. A first `</think>` without `<think>` closes reasoning too: chat templates write the
/// opening tag themselves. Nothing if the reasoning is not closed: there is no answer. Of gpt-oss' channels, the final one.
pub fn after_reasoning(text: &str) -> Option<&str> {
    let message = text.strip_prefix("<|start|>assistant").unwrap_or(text);
    if let Some(channel) = message.strip_prefix("<|channel|>") {
        // final <|constrain|>json<|message|>
        if let Some((_, answer)) = text.rsplit_once(FINAL).and_then(|(_, rest)| rest.split_once("<|message|>")) {
            return Some(answer);
        }
        // Calls are in another channel.
        if channel.starts_with("analysis") && !channel.contains(" to=") {
            return None;
        }
    }
    let mut rest = text;
    if let Some((before, after)) = text.split_once(CLOSE) {
        if !before.contains(OPEN) {
            rest = after;
        }
    }
    while let Some((inner, close)) = TAGS.iter().find_map(|(open, close)| Some((rest.trim_start().strip_prefix(open)?, close))) {
        rest = inner.split_once(close)?.1;
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::after_reasoning;

    #[test]
    fn an_answer_begins_behind_closed_reasoning() {
        for (text, want) in [
            ("yes", Some("yes")),
            ("\n<think>a</think>\nyes", Some("\nyes")),
            ("a</think>yes", Some("yes")),
            ("<think>a</think> <think>b</think>yes", Some("yes")),
            ("<think>a", None),
            ("[THINK]a[/THINK]yes", Some("yes")),
            ("<thinking>a</thinking>yes", Some("yes")),
            ("<reasoning>a", None),
            ("<seed:think>a", None),
            ("<think>a</think><think>b", None),
            ("Tags are <think> and </think>.", Some("Tags are <think> and </think>.")),
            ("<think>a</think>The tag </think> ends it.", Some("The tag </think> ends it.")),
            ("", Some("")),
            ("<|channel|>analysis<|message|>a", None),
            ("<|start|>assistant<|channel|>analysis<|message|>a", None),
            ("<|channel|>final <|constrain|>json<|message|>yes", Some("yes")),
            ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>yes", Some("yes")),
        ] {
            assert_eq!(after_reasoning(text), want, "{text}");
        }
    }
}
