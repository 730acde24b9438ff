"""Lets the book include files that lie elsewhere in the repository, and checks links to all others.

Links are written so that they work in the repository. A link to a file that is no page becomes its name, or, where the
configuration has a `repo_url`, a link to it there.
"""

import os
import posixpath
import re
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = Path(__file__).parent.parent
# Where in the book the repository's other documents stand.
INCLUDED = {
    "protocol.md": "protocol.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "python/README.md": "python-package.md",
    "python/docs/cluster.md": "cluster.md",
    "README.md": "index.md",
}
ORIGINS = {page: origin for origin, page in INCLUDED.items() if page != "index.md"}
LINK = re.compile(r"(!?)\[((?:`[^`]*`|[^\]`])*)\]\((?!\w+:|#|<)([^)#\s]+)(#[^)\s]*)?\)")


def on_files(files, config):
    for page, origin in ORIGINS.items():
        files.append(File.generated(config, page, content=(ROOT / origin).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown, page, config, files):
    here = page.file.src_uri
    origin = ORIGINS.get(here, f"docs/{here}")

    def link(found):
        image, words, target, anchor = found.groups()
        path = posixpath.normpath(posixpath.join(posixpath.dirname(origin), target))
        if not (ROOT / path).exists():
            raise PluginError(f"{origin}: a link to {target}, which is not there")
        inside = INCLUDED.get(path) or (path.removeprefix("docs/") if path.startswith("docs/") else None)
        if inside and (ROOT / path).is_file() and (files.get_file_from_path(inside) is not None):
            shown = os.path.relpath(inside, posixpath.dirname(here) or ".")
            return f"{image}[{words}]({shown}{anchor or ''})"
        if config.repo_url:
            return f"[{words}]({config.repo_url.rstrip('/')}/blob/main/{path})"
        return words if "`" in words else f"{words} (`{path}`)" if words != path else f"`{path}`"

    # Fenced blocks stay as they are; a link may hold code.
    parts = re.split(r"(^```.*?^```[ ]*$)", markdown, flags=re.DOTALL | re.MULTILINE)
    return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in parts)
