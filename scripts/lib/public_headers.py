"""Reads what C++ headers declare for users: functions, classes, their fields, enums and constants at
namespace scope and in public parts of classes. A scanner of braces and statements, no compiler; it
knows the style of this project.
"""
import re
from typing import NamedTuple

COMMENTS_AND_STRINGS = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.DOTALL
)
PREPROCESSOR = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
NOT_FUNCTIONS = {
    "alignas", "decltype", "noexcept", "requires", "return", "sizeof", "static_assert", "operator",
    "__attribute__", "explicit",
}
DESTRUCTOR = re.compile(r"~\s*\w+\s*\(")
NO_DECLARATION = re.compile(
    r"(using|typedef|friend|static_assert|namespace|extern|template\s*<\s*>)\b|(class|struct)\s+\w+$")


class Declaration(NamedTuple):
    kind: str  # function, operator, class, field, constant, enum or enumerator
    namespace: str  # "espalier::sim"
    owner: str  # "Class", "Class::Inner", for an enumerator its enum; "" at namespace scope
    name: str
    parameters: int = 0  # of a function
    is_const: bool = False  # a const member function

    @property
    def path(self):
        """Name within the namespace: Class::name."""
        return f"{self.owner}::{self.name}" if self.owner else self.name


def code_of(path):
    """C++ without comments, strings and preprocessor."""
    text = COMMENTS_AND_STRINGS.sub(" ", path.read_text(encoding="utf-8"))
    return PREPROCESSOR.sub("", text)


def without_templates(statement):
    """The statement without what stands in <...> or (...) inside of <...>."""
    before = None
    while before != statement:
        before = statement
        statement = re.sub(r"(?<![<-])<[^<>]*>", " ", statement)
    return statement


def plain(statement):
    """The statement without templates and attributes."""
    return without_templates(re.sub(r"\[\[.*?\]\]", " ", statement)).strip()


def function_in(statement, owner):
    """(name, place of its parenthesis in plain(statement)) of the function that a statement declares;
    None where it declares none."""
    text = plain(statement)
    if NO_DECLARATION.match(text) or re.match(r"enum\b", text):
        return None
    if "operator" in text or DESTRUCTOR.search(text) or re.search(r"=\s*(delete|default)\s*$", text):
        return None
    for match in re.finditer(r"([A-Za-z_]\w*)\s*\(", text):
        name = match.group(1)
        if "=" in text[: match.start()] and "(" not in text[: match.start()]:
            return None  # the initializer of a variable
        if name in NOT_FUNCTIONS or name.isupper():
            continue
        return None if name == owner else (name, match.end() - 1)
    return None


def pieces(text):
    """The text cut at its commas outside of brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


def closing(text, at, pair="{}"):
    """The place behind the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == pair[0]) - (text[i] == pair[1])
        if depth == 0:
            return i + 1
    return len(text)


def variables_in(statement):
    """Names of the variables that a statement declares."""
    text = plain(statement)
    if not text or NO_DECLARATION.match(text) or "operator" in text:
        return []
    names = []
    for part in pieces(text):
        declared = re.split(r"=(?!=)|\[", part)[0].strip()
        found = re.search(r"([A-Za-z_]\w*)$", declared)
        # The first piece begins with a type.
        if found and (names or re.search(r"\w[\w:]*[\s&*]+\w+$", declared)):
            names.append(found[1])
    return names


class Scope(NamedTuple):
    kind: str  # namespace or class
    name: str
    public: bool


class Scanner:
    def __init__(self, code):
        self.code = code
        self.scopes = []
        self.found = []

    def place(self):
        """(namespace, owner) of the present scope."""
        spaces = [s.name for s in self.scopes if s.kind == "namespace" and s.name]
        classes = [s.name for s in self.scopes if s.kind == "class"]
        return "::".join(spaces), "::".join(classes)

    def is_public(self):
        return all(scope.public for scope in self.scopes)

    def add(self, kind, name, **more):
        if self.is_public() and name:
            self.found.append(Declaration(kind, *self.place(), name, **more))

    def declare(self, statement):
        owner = self.scopes[-1].name if self.scopes else ""
        function = function_in(statement, owner)
        if function:
            name, at = function
            text = plain(statement)
            end = closing(text, at, "()")
            self.add("function", name, parameters=len(pieces(text[at + 1 : end - 1])),
                     is_const=bool(re.match(r"\s*const\b", text[end:])))
            return
        text = plain(statement)
        symbol = re.search(r"\boperator\s*(\(\)|\[\]|[^\s\w(]+)\s*\(", text)
        if symbol and "delete" not in text and "friend" not in text:
            self.add("operator", "operator" + symbol[1])
        elif "(" not in re.split(r"=(?!=)", text)[0]:
            is_constant = not self.place()[1] or re.match(r"(static|inline|constexpr)\b", text)
            for name in variables_in(statement):
                self.add("constant" if is_constant else "field", name)

    def enumerators(self, head, body):
        name = re.search(r"\benum\s+(?:class\s+|struct\s+)?(\w+)", head)
        self.add("enum", name[1] if name else "")
        if name and self.is_public():
            namespace, owner = self.place()
            owner = f"{owner}::{name[1]}" if owner else name[1]
            for part in pieces(body):
                self.found.append(
                    Declaration("enumerator", namespace, owner, re.match(r"\w+", part)[0]))

    def enter(self, statement, head):
        """Opens the scope of a namespace or class; says whether the brace begins one."""
        kind = re.search(r"\b(namespace|class|struct|union|enum)\b\s*(?:\w+\s+)*?(\w*)", head)
        if not kind or kind[1] == "enum":
            return False
        if kind[1] == "namespace":
            named = re.search(r"namespace\s+([\w:]+)", head)
            hidden = head.rstrip().endswith(("detail", "namespace"))
            self.scopes.append(Scope("namespace", named[1] if named else "", not hidden))
            return True
        if "(" in head:
            return False
        name = re.search(r"(?:class|struct|union)\s+(?:alignas\s+)?(\w+)", head)
        special = bool(re.search(r"template\s*<\s*>", statement))
        if not special:
            self.add("class", name[1] if name else "")
        public = kind[1] != "class" and not special
        self.scopes.append(Scope("class", name[1] if name else "", public))
        return True

    def scan(self):
        code, statement, i = self.code, "", 0
        while i < len(code):
            c = code[i]
            if c == ";":
                self.declare(statement)
                statement = ""
            elif c == "{":
                head = without_templates(statement)
                if statement.count("(") > statement.count(")"):
                    i = closing(code, i)  # a default argument
                    continue
                if self.enter(statement, head):
                    statement = ""
                else:
                    end = closing(code, i)
                    if re.search(r"\benum\b", head):
                        self.enumerators(head, code[i + 1 : end - 1])
                        statement = ""
                    elif "(" in head:
                        self.declare(statement)
                        statement = ""
                    i = end
                    continue
            elif c == "}":
                if self.scopes:
                    self.scopes.pop()
                statement = ""
            elif c == ":" and re.search(r"\b(public|protected|private)\s*$", statement):
                if code[i + 1 : i + 2] != ":":
                    scope = self.scopes[-1]
                    self.scopes[-1] = scope._replace(public=statement.split()[-1] == "public")
                    statement = ""
                    i += 1
                    continue
                statement += c
            else:
                statement += c
            i += 1
        return self.found


def declarations(code):
    """Everything public that the code declares, in its order."""
    return Scanner(code).scan()


def public_functions(code):
    """Names of functions at namespace scope and in public parts of classes."""
    return {found.name for found in declarations(code) if found.kind == "function"}
