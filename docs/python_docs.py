"""The documentation of the Python package as the book shows it.

What is written in Rust has its documentation there, and its signatures in a stub: the two are put together. Examples, blocks
that begin with `>>>`, up to an empty line, are shown as code.
"""

import re
from pathlib import Path

import griffe

SOURCES = Path(__file__).parent.parent / "python" / "src"


def rust_docs():
    """What stands above classes and functions of the extension, by the name of the class and of the function."""
    found = {}
    for source in sorted(SOURCES.glob("*.rs")):
        words, owner, is_attribute = [], None, False
        for line in source.read_text(encoding="utf-8").splitlines():
            if comment := re.match(r"\s*/// ?(.*)", line):
                words.append(comment[1])
            elif is_attribute or line.lstrip().startswith("#["):
                is_attribute = not line.endswith("]")
            elif named := re.match(r"( *)(?:pub(?:\(\w+\))? )?(struct|impl|fn) (\w+)", line):
                indent, kind, name = named.groups()
                if not indent:
                    owner = None if kind == "fn" else name
                if kind != "impl" and words:
                    key = name if kind == "struct" or not indent else f"{owner}.{name}"
                    found.setdefault(key, "\n".join(words))
                words = []
            else:
                words = []
    return found


def with_code(text):
    shown, is_code = [], False
    for line in text.splitlines():
        if not is_code and line.lstrip().startswith(">>>"):
            shown += ["", "```pycon"]
            is_code = True
        elif is_code and not line.strip():
            shown.append("```")
            is_code = False
        shown.append(line)
    return "\n".join(shown + ["```"] * is_code)


class PythonDocs(griffe.Extension):
    def __init__(self):
        super().__init__()
        self.rust = rust_docs()

    def on_object(self, *, obj, **_):
        within = obj.path.removeprefix("hippolyta._hippolyta.")
        if obj.docstring is None and within != obj.path and within in self.rust:
            obj.docstring = griffe.Docstring(self.rust[within], parent=obj)
        if obj.docstring is not None and ">>>" in obj.docstring.value:
            obj.docstring.value = with_code(obj.docstring.value)
