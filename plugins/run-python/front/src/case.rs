//! The case: which tests there are, and which part of the output is the program.

use rubric_host_sdk::Value as Json;

#[derive(Clone, Copy, PartialEq)]
pub enum Form {
    Check,
    List,
    Script,
}

pub struct Case<'a> {
    pub output: &'a str,
    pub prompt: &'a str,
    pub preamble: String,
    pub module: &'a str,
    pub entry: &'a str,
    pub tests: String,
    pub form: Form,
    /// Of tests in a list.
    pub count: usize,
    /// The code block of the output: where it begins and ends.
    pub block: Option<(usize, usize)>,
    /// Of the candidate; `None`: the limit of the host.
    pub fuel: Option<u64>,
}

impl<'a> Case<'a> {
    pub fn read(root: &'a Json) -> Option<Self> {
        let case = root.get("case")?;
        let text = |name| case.get(name).map_or(Some(""), Json::as_str);
        let (output, mut prompt, entry, preamble) = (text("output")?, text("prompt")?, text("entry_point")?, text("preamble")?);
        let (mut module, mut fuel) = ("solution", None);
        for (name, v) in root.get("config").and_then(Json::as_object).unwrap_or_default() {
            if let ("fuel", Json::Number(n)) = (name.as_ref(), v) {
                fuel = Some(n.parse().ok().filter(|n: &u64| *n > 0)?);
                continue;
            }
            match (name.as_ref(), v.as_str()?) {
                ("block", "last" | "first" | "longest") | ("prompt" | "form", "auto") | ("score", "all") | ("isolation", "isolated") => {}
                ("unsupported", _) => {}
                ("prompt", "never") => prompt = "",
                ("module", name) => module = name,
                _ => return None,
            }
        }
        if let Some(v) = case.get("module").filter(|v| v.as_str() != Some("")) {
            module = v.as_str()?;
        }
        if case.get("output").is_none() || preamble.contains("import *") || !(none(case.get("setup")) && none(case.get("names"))) || module.is_empty() || !entry.is_empty() && !is_name(entry) {
            return None;
        }
        if !begins_program(prompt)? {
            prompt = "";
        }
        let tests = case.get("tests")?;
        let (form, tests, count) = if let Some(list) = tests.as_array() {
            let texts = list.iter().map(Json::as_str).collect::<Option<Vec<_>>>()?;
            if texts.iter().any(|t| t.matches("assert ").count() != 1) {
                return None;
            }
            (Form::List, texts.join("\n"), texts.len())
        } else {
            let text = tests.as_str()?;
            let is_check = !entry.is_empty() && (text.starts_with("def check(") || text.contains("\ndef check("));
            if text.contains(">>> ") || text.contains("TestCase") || text.starts_with("check(") || text.contains("\ncheck(") {
                return None;
            }
            (if is_check { Form::Check } else { Form::Script }, text.to_string(), 1)
        };
        let preamble = if preamble.is_empty() { String::new() } else { preamble.trim_end_matches('\n').to_string() + "\n" };
        let block = program(output)?;
        Some(Case { output, prompt, preamble, module, entry, tests, form, count, block, fuel })
    }

    /// The texts of which the first that compiles is the program, as the candidate gets them.
    pub fn texts(&self) -> Vec<String> {
        let mut all = vec![self.preamble.clone() + self.output];
        all.extend(self.block.map(|(start, end)| self.preamble.clone() + &self.output[start..end]));
        all
    }

    pub fn above(&self) -> usize {
        self.preamble.matches('\n').count()
    }

    /// A part of the output by its number: its text, its first line from 1, and its name.
    pub fn part(&self, used: usize) -> (&str, usize, &'static str) {
        match self.block {
            Some((start, end)) if used > 0 => (&self.output[start..end], self.output[..start].matches('\n').count() + 1, "the code block"),
            _ => (self.output, 1, "the whole output"),
        }
    }
}

fn none(v: Option<&Json>) -> bool {
    match v {
        None => true,
        Some(Json::String(s)) => s.is_empty(),
        Some(Json::Array(list)) => list.is_empty(),
        _ => false,
    }
}

fn is_name(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit()) && text.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
}

/// Whether a prompt is the beginning of a program; `None`: that is not plain.
fn begins_program(prompt: &str) -> Option<bool> {
    let mut doubtful = false;
    for line in prompt.split('\n').map(str::trim_start) {
        let defined = line.strip_prefix("def ").and_then(|rest| rest.split_once('(')).is_some_and(|(name, _)| !name.is_empty() && is_name(name));
        let imported = line.strip_prefix("import ").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
        if defined || imported {
            return Some(true);
        }
        doubtful |= ["from", "import", "def", "class", "async", "@"].iter().any(|word| line.starts_with(word));
    }
    (!doubtful && !prompt.bytes().any(|c| c < 32 && c != b'\n')).then_some(false)
}

/// What chat templates and few-shot prompts put around an answer.
const MARKS: [&str; 19] = [
    "<|", "<｜", "</", "<s>", "<bos>", "<eos>", "<end_of_turn>", "<start_of_turn>", "<file_sep>", "<answer>", "<code>", "<solution>",
    "[DONE]", "[BEGIN]", "[PYTHON]", "[/INST]", "~~~", "\r", "\u{feff}",
];

/// The only code block of an output, if there is one; an outer `None`: the program is not plain.
fn program(output: &str) -> Option<Option<(usize, usize)>> {
    if output.bytes().any(|c| matches!(c, b'<' | b'[' | b'~' | b'\r' | 0xef)) && MARKS.iter().any(|m| output.contains(m)) || output.trim_start().starts_with("python") {
        return None;
    }
    let Some(at) = output.find("```") else { return Some(None) };
    let rest = output[at..].strip_prefix("```python\n").filter(|_| at == 0 || output[..at].ends_with('\n'))?;
    let start = output.len() - rest.len();
    let end = start + rest.find("```")?;
    let behind = &output[end + 3..];
    let plain = output[..end].ends_with('\n') && (behind.is_empty() || behind.starts_with('\n')) && !behind.contains("```");
    (plain && !output[start..end].trim().is_empty()).then_some(Some((start, end)))
}

/// Names that tests mean as Python's own, or that Python has other rules for.
const RESERVED: &str = " abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec \
exit filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow \
print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip \
and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield \
isclose isnan isinf deepcopy approx raises warns defaultdict deque reduce product permutations combinations chain randint choice sample \
setup_module teardown_module setup_function teardown_function pytestmark load_tests check builtins register config format_map ";

/// Whether a name is one that tests can only have from the candidate, as a function. Python's own
/// classes are capitalized, without underscores.
pub fn calls(name: &str) -> bool {
    let known = name.starts_with(|c: char| c.is_ascii_uppercase()) && !name.contains('_') || RESERVED.contains(&format!(" {name} "));
    !name.is_empty() && is_name(name) && !name.contains("__") && name.len() < 200 && !known
}
