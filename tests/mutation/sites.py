"""Where a source file can be broken, one small change at a time: generated from the text as it stands today."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutation:
    path: str  # below the project's folder
    start: int
    end: int
    text: str  # what stands there instead
    kind: str
    line: int
    before: str  # the lines as they stand, for a person
    after: str

    def apply(self, source):
        return source[: self.start] + self.text + source[self.end :]

    def name(self):
        return f"{self.path}:{self.line}: {self.kind}"


# An operator with blanks around it is never a template's bracket, since the sources are formatted.
REPLACED = [
    ("off by one", r" < ", " <= "),
    ("off by one", r" <= ", " < "),
    ("off by one", r" > ", " >= "),
    ("off by one", r" >= ", " > "),
    ("turned round", r" == ", " != "),
    ("turned round", r" != ", " == "),
    ("and for or", r" \|\| ", " && "),
    ("or for and", r" && ", " || "),
    ("unknown taken for fine", r"== Truth::no\b", "!= Truth::yes"),
    ("unknown taken for fine", r"!= Truth::yes\b", "== Truth::no"),
    ("unknown taken for fine", r"== Truth::yes\b", "!= Truth::no"),
    ("unknown taken for fine", r"!= Truth::no\b", "== Truth::yes"),
    ("unknown taken for fine", r"!= RunState::stopped\b", "== RunState::running"),
    ("unknown taken for fine", r"== RunState::stopped\b", "!= RunState::running"),
    ("all for any", r"\bany_of\b", "all_of"),
    ("any for all", r"\ball_of\b", "any_of"),
    ("any for none", r"\bnone_of\b", "any_of"),
]
CALL = re.compile(r"^( +)(?:TRY\()?[a-z][\w.:>\-\[\]]*\(.*\);$")
GUARD = re.compile(r"^ +if \(.*\) (?:return|continue|break|[a-z][\w.>\-]*\().*;$")


def without_words(source):
    """The source with comments and the insides of strings blanked, at the same places."""
    word = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)
    return word.sub(lambda found: re.sub(r"[^\n]", "_", found.group()), source)


def closing(text, at):
    """Behind the bracket that closes the one at `at`."""
    depth = 0
    for place in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    return len(text)


def changes(code):
    """(start, end, text, kind) of each change; no text: it is made of what stands there."""
    for kind, pattern, text in REPLACED:
        for found in re.finditer(pattern, code):
            yield found.start(), found.end(), text, kind
    for found in re.finditer(r"\bif \(", code):
        begin, end = found.end() - 1, closing(code, found.end() - 1)
        if re.match(r"\((?:const )?(?:auto|[A-Z]\w*)\b[^()]* [*&]?\w+ = ", code[begin:end]):
            continue  # it declares a name
        yield begin, end, None, "negated"
    place = 0
    lines = code.splitlines(keepends=True)
    for line, following in zip(lines, lines[1:] + [""]):
        end = place + len(line) - 1
        if GUARD.match(line.rstrip()) or CALL.match(line.rstrip()):
            yield place, end, "", "dropped"
        this, other = CALL.match(line.rstrip()), CALL.match(following.rstrip())
        if this and other and this[1] == other[1] and line != following:
            yield place, place + len(line) + len(following), None, "neighbours swapped"
        place += len(line)


def mutations(path, source):
    code = without_words(source)
    found = []
    for start, end, text, kind in changes(code):
        if kind == "negated":
            text = "(!" + source[start:end] + ")"
        if kind == "neighbours swapped":
            first, second = source[start:end].splitlines(keepends=True)
            text = second + first
        line = source.count("\n", 0, start) + 1
        first_line = source.rfind("\n", 0, start) + 1
        last = source.find("\n", max(start, end - 1))
        before = source[first_line:last]
        after = source[first_line:start] + text + source[end:last]
        shown = [" ".join(lines.split()) or "nothing" for lines in (before, after)]
        found.append(Mutation(path, start, end, text, kind, line, *shown))
    return found
