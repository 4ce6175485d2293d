# Which part of an output is the candidate's program. Nothing here decides what it is worth: each part is
# the candidate's own text, and the first one that compiles is run.
import bisect, collections, keyword, re

# A piece of the output: where it begins, on which line, and how the evidence names it.
Part = collections.namedtuple("Part", "text start line what")

_fence = re.compile(r"^ {0,3}(`{3,}(?!`)|~{3,}(?!~))(?=[^\n`]*$)[ \t]*([^\s`{]*)[^\n`]*", re.M)
_PYTHON = ("python", "py", "python3", "py3", "python2")

# What models put around their answer: chat templates, few-shot prompts (MBPP's [BEGIN] and [DONE]) and reasoning.
_TAGS = ("<|", "<｜", "</", "<s>", "<bos>", "<eos>", "<end_of_turn>", "<start_of_turn>", "<file_sep>", "<answer>", "<code>", "<solution>")
_behind = re.compile(r"</(?:think|thinking|thought|reasoning)>|\[/INST\]|<\|channel\|>final<\|message\|>")
_begins = re.compile(r"\[BEGIN\]|\[PYTHON\]|<(?:s|bos|answer|code|solution)>|<\|(?:im_start|start_header_id)\|>(?:assistant)?(?:<\|end_header_id\|>)?|<\|assistant\|>|<start_of_turn>(?:model)?")
_ends = re.compile(r"<[|｜][\w▁]+[|｜]>|</(?:s|answer|code|solution)>|<(?:eos|end_of_turn|file_sep)>|\[DONE\]|\[/PYTHON\]")
_is_statement = re.compile(r"^\[(?:DONE|BEGIN|PYTHON)\][ \t\r]*$|\A\s*python3?[ \t\r]*\n", re.M).search  # they compile, and mean nothing


def blocks_of(output, start=0, end=None):
    """The fenced code blocks of a text as (language, start, end); one that is not closed ends with the text."""
    found, opened = [], None
    if ("`" not in output or "```" not in output) and ("~" not in output or "~~~" not in output):  # to look for one character is faster
        return found
    end = len(output) if end is None else end
    for m in _fence.finditer(output, start, end):
        mark, language = m.group(1), m.group(2).lower()
        if opened is None:
            opened = mark, language, min(m.end() + 1, end)
        elif mark[0] == opened[0][0] and len(mark) >= len(opened[0]) and not language:
            found.append((opened[1], opened[2], max(opened[2], m.start())))
            opened = None
    if opened is not None:
        found.append((opened[1], opened[2], end))
    return found


def parts_of(output, rule, entry, tests=""):
    """The alternatives of what the candidate's program is. The whole output comes first, unless a mark in it is a statement that does nothing."""
    whole = Part(output.removeprefix("\ufeff"), 0, 1, "the whole output")
    if rule == "none":
        return [whole]
    blocks = _blocks(output, 0, len(output), rule, entry, tests)
    begins_so = output[:20].lstrip().startswith("python")
    if not begins_so and not _is_marked(output):
        return [whole, *blocks]
    start, end = _answer(output)
    if begins_so and start == 0:
        start = output.index("python") + len(output.split(None, 1)[0]) if _is_statement(output[:30]) else 0
    if (start, end) == (0, len(output)):
        return [whole, *blocks]
    answer = _blocks(output, start, end, rule, entry, tests)
    part = _part(output, start, end, "the answer between the marks")
    if answer or "\n" in part.text.strip() or "(" in part.text or _is_begun(part.text):  # a word between marks is not a program
        answer.insert(0, part)
    return [*answer, whole, *blocks] if _is_statement(output) else [whole, *answer, *blocks]


def _is_marked(output):
    at = output.find("<")
    while at >= 0:
        if output.startswith(_TAGS, at):
            return True
        at = output.find("<", at + 1)
    return "[DONE]" in output or "[BEGIN]" in output or "[PYTHON]" in output or "[/INST]" in output


def _answer(output):
    """Where the answer begins and ends among the marks around it."""
    m = collections.deque(_behind.finditer(output), maxlen=1)
    start = m[0].end() if m and output[m[0].end():].strip() else 0
    end = len(output)
    closed = [(b[1], b[2]) for b in blocks_of(output) if b[2] < len(output)]  # a mark in a code block is a text of the program
    starts = [a for a, _ in closed]

    def within(m):
        k = bisect.bisect_right(starts, m.start()) - 1
        return k >= 0 and m.start() < closed[k][1]

    for m in _ends.finditer(output, start):
        if not within(m) and not _begins.match(output, m.start()) and _begins.sub("", output[start:m.start()]).strip():
            end = m.start()
            break
    for m in _begins.finditer(output, start, end):
        if not within(m):
            start = m.end()
    return start, end


def _part(output, start, end, what):
    text = output[start:end]
    skipped = len(text) - len(text.lstrip(" \t\r"))
    if text[skipped:skipped + 1] == "\n":
        start += skipped + 1
    return Part(output[start:end], start, output.count("\n", 0, start) + 1, what)


def _blocks(output, start, end, rule, entry, tests):
    """The code block that counts; and the text before the first fence, if that closes what no fence has opened."""
    found = blocks_of(output, start, end)
    if not found:
        return []
    before = []
    if not found[0][0]:
        at = output.rfind("\n", 0, found[0][1] - 1) + 1
        if _is_begun(output[start:at]):
            before = [_part(output, start, at, "the text before the first fence")]
    found = [b for b in found if output[b[1]:b[2]].strip()]
    if not found:
        return before
    python = [b for b in found if b[0] in _PYTHON] or [b for b in found if b[0] in ("", "code", "pycon")] or found
    if rule == "joined":
        text = "".join(_dedented(output, *b[1:]) for b in python)
        return [Part(text, python[0][1], _line(output, python[0][1]), "%d code blocks of the output, joined" % len(found))]
    name = entry.partition(".")[0]
    defines = [b for b in python if name and re.search(r"^(?:async\s+def|def|class)\s+%s\b|^%s\s*=" % (re.escape(name), re.escape(name)), output[b[1]:b[2]], re.M)]
    if not name and len(python) > 1:
        words = set(re.findall(r"\w+", tests))
        defines = [b for b in python if any(n in words and not n.startswith("test") for n in re.findall(r"^(?:async\s+def|def|class)\s+(\w+)", _dedented(output, *b[1:]), re.M))]
    among = defines or python
    chosen = among[0] if rule == "first" else max(among, key=lambda b: b[2] - b[1]) if rule == "longest" else among[-1]
    which = "the code block" if len(found) == 1 else "code block %d of %d (%s)" % (found.index(chosen) + 1, len(found), rule)
    block = Part(_dedented(output, *chosen[1:]), chosen[1], _line(output, chosen[1]), which)
    return [*before, block] if not defines else [block, *before]


def _line(output, start):
    return output.count("\n", 0, start) + 1


def _is_begun(text):
    """Reports whether a text begins as a program does, or as what continues one."""
    text = text.lstrip("\r\n")
    return text[:1] in (" ", "\t") and text.strip() != "" or _program(text) is not None


_program = re.compile(r"^(?:from\s+\w[\w.]*\s+import|import\s+\w|def\s+\w+\s*\(|class\s+\w+|async\s+def|@\w|\w+(?:\s*,\s*\w+)*\s*=[^=])", re.M).match


def _dedented(output, start, end):
    """The text of a code block, without the indentation that its fence has, as in a list."""
    fence = output[output.rfind("\n", 0, start - 1) + 1:start]
    indent = len(fence) - len(fence.lstrip(" "))
    text = output[start:end]
    return re.sub(r"^ {1,%d}" % indent, "", text, flags=re.M) if indent else text


# What is tried if no part compiles. Each keeps the number of its lines.

_code = re.compile(r"""from\s+[\w.]+\s+import\b|import\s+\w|def\s+\w+\s*[(\[]|class\s+\w+\s*[:(]|async\s+def\s|@\w|[\w.]+(?:\s*,\s*[\w.]+)*\s*=[^=]|[\w.]+\(.*\)[\w.()]*\s*(?:\#.*)?$
    |(?:for|while|with|try|if|elif|else|except|finally)\b.*:\s*(?:\#.*)?$|[)\]}\#]""", re.X).match
_prose = re.compile(r"""(?:[-*•>]|\d+[.)])\s|["'“‘(*_`]*[A-Z][\w'’-]*[,:!.?*"”]*(?:\s|$)|`{3}|~{3}|</?\w+>\s*$|[^\x00-\x7f]""").match
_sentence = re.compile(r"([a-z]+)(?:(?: [a-z`'’\w]+,?){2,}|(?: [a-z]+)*:\s*$)").match


def _is_prose(line):
    if _prose(line):
        return True
    m = _sentence(line)
    return m is not None and not keyword.iskeyword(m.group(1)) and m.group(1) not in ("print", "exec", "type", "match", "case")


def _without_prose(lines, prompt):
    """Blanks paragraphs that begin with a line of prose at column 0."""
    out, inside = [], False
    for line in lines:
        if not line.strip():
            inside = False
        elif line[0] not in " \t":
            inside = not _code(line) and (inside or _is_prose(line))
        out.append("" if inside else line)
    return out


def _session(lines, prompt):
    """What was typed into a REPL."""
    if not any(line.startswith(">>> ") for line in lines):
        return None
    return [line[4:] if line.startswith((">>> ", "... ")) else "" for line in lines]


def _first(lines):
    return next((k for k, line in enumerate(lines) if line.strip()), 0)


def _continuation(lines, prompt):
    """What continues the prompt's function, up to the next line at column 0: HumanEval's harness stops there."""
    first = _first(lines)
    end = next((k for k, line in enumerate(lines) if k > first and line.strip() and line[0] not in " \t"), len(lines))
    return lines[:end] if prompt and lines[first][:1] in (" ", "\t") else None


def _body(prompt):
    """The indentation of the body of the prompt's function."""
    last = prompt.rstrip().rpartition("\n")[2]
    return " " * (len(last) - len(last.lstrip()) + 4 * last.endswith(":"))


def _indented_first(lines, prompt):
    """Indents the first line, which has lost that at the beginning of an answer."""
    first = _first(lines)
    return [*lines[:first], _body(prompt) + lines[first].lstrip(), *lines[first + 1:]] if prompt else None


def _indented(lines, prompt):
    return [_body(prompt) + line for line in lines] if prompt else None


# How a part is changed, and how the evidence says so.
CHANGES = ((_session, "what is typed in "), (_continuation, "the function's body at the beginning of "), (_without_prose, "without its prose, "), (_indented_first, "with its first line indented, "), (_indented, "indented, "))


def changed(prompt, texts, above):
    """The texts with each change, and their indices. above is how many lines of each text precede the part."""
    for k in sorted(range(len(texts)), key=lambda k: len(texts[k])):
        lines = texts[k].split("\n")
        for n, (change, _) in enumerate(CHANGES):
            new = change(lines[above:], prompt)
            if new and any(map(str.strip, new)) and new != lines[above:]:
                yield len(texts) * (n + 1) + k, "\n".join([*lines[:above], *new])


def before_text(prompt, text):
    """What may precede a text, in the order in which it is tried."""
    if not prompt:
        return ("",)
    first = prompt + "\n"
    if text.startswith(prompt):
        return "", first
    return (first, prompt.rstrip() + "\n" + _body(prompt) + "pass\n", "") if prompt[-8:].rstrip()[-1:] == ":" else (first, "")
