"""What the site generates: the pages of measures/ and reference/, and formulas as MathML.

A measure's page is the docstring of its module, followed by its signature and the facts it declares, so nothing is
written twice.  Formulas become MathML while the site is built: browsers draw that themselves, and no page loads a
script or a font from elsewhere.
"""

from __future__ import annotations

import html
import importlib
import inspect
import re
from typing import TYPE_CHECKING, Any

import click
from latex2mathml.converter import convert
from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import File

import interagree
from interagree.cli import main
from interagree.plugins import DISTANCES, MEASURES, READERS, Registry
from interagree.references import REFERENCES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

log = get_plugin_logger("interagree")


def pages() -> dict[str, tuple[str, str]]:
    """Every generated page: its path, its title in the navigation, and its Markdown."""
    measures = {
        f"measures/{name}.md": (MEASURES[name].facts.title, measure_page(name)) for name in own(MEASURES)
    }
    return {
        "measures/index.md": ("All measures", measures_page()),
        **dict(sorted(measures.items(), key=lambda page: page[1][0].casefold())),
        "reference/api.md": ("Python", api_page()),
        "reference/cli.md": ("Command line", cli_page()),
        "reference/distances.md": ("Distances", modules_page("Distances", DISTANCES)),
        "reference/readers.md": ("Readers", modules_page("Readers", READERS)),
    }


# ------------------------------------------------------------------------------------------ what mkdocs calls


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the generated pages where the navigation names their folder."""
    titles = {path: title for path, (title, _) in pages().items()}
    for entry in config.nav or []:
        for section, folder in entry.items():
            if isinstance(folder, str) and folder.endswith("/"):
                entry[section] = [{title: path} for path, title in titles.items() if path.startswith(folder)]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    for path, (_, text) in pages().items():
        files.append(File.generated(config, path, content=text))
    return files


FORMULA = re.compile(r'<(div|span) class="arithmatex">\\[\[(](.*?)\\[\])]</\1>', re.DOTALL)


def on_page_content(html: str, page: Any, **_: Any) -> str:  # the name `html` is what mkdocs passes
    """Replace formulas by MathML; one that cannot be converted is a warning, and so fails a strict build."""

    def mathml(found: re.Match[str]) -> str:
        try:
            return formula(found[2], display="block" if found[1] == "div" else "inline")
        except ValueError as error:
            log.warning("%s: %s", page.file.src_path, error)
            return found[0]

    return FORMULA.sub(mathml, html)


def formula(escaped: str, *, display: str) -> str:
    """A formula as MathML."""
    latex = html.unescape(escaped).strip()
    try:
        result = convert(latex, display=display)
    except Exception as error:  # whatever the converter meets, the author must see the formula
        raise ValueError(f"the formula {latex!r} cannot be converted: {error!r}") from error
    # A command that the converter does not know comes out as its own name, a column of an unknown table as "&".
    unknown = re.search(r">(\\[A-Za-z]+|&)<", result)
    if unknown:
        raise ValueError(f"the formula {latex!r} uses {unknown[1]}, which the converter does not know")
    return result


# ------------------------------------------------------------------------------------------------ measures


def own(registry: Registry) -> Iterator[str]:
    """The names that come with interagree, without what plug-ins add."""
    return (name for name in registry if registry.origin(name) == "interagree")


def measure_page(name: str) -> str:
    """The docstring of a measure's module, its signature, and what it declares."""
    facts = MEASURES[name].facts
    _, _, text = module_docstring("measures", name).partition("\n")
    rows = [
        ("Written", facts.symbol),
        ("On the command line", f"`interagree measure FILE -m {name}`"),
        ("Chance draws from", facts.chance if facts.chance != "none" else "not corrected for chance"),
        ("Annotators", facts.annotators),
        ("Values", facts.values),
        ("Must know who gave a value", yes(facts.identity)),
        ("Leaves incomplete items out", yes(facts.complete)),
        ("Reference", REFERENCES[facts.reference].text()),
    ]
    table = "\n".join(f"| {left} | {right} |" for left, right in rows)
    return (
        f"# {facts.title}\n\n{text.strip()}\n\n"
        f"## In Python\n\n::: interagree.measures.{name}.{name}\n    options:\n      heading_level: 3\n\n"
        f"## Facts\n\n| | |\n|---|---|\n{table}\n"
    )


def measures_page() -> str:
    """The family as a table."""
    rows = sorted((MEASURES[name].facts for name in own(MEASURES)), key=lambda facts: facts.title.casefold())
    lines = [
        f"| [{facts.title}]({facts.name}.md) | {facts.symbol} | `{facts.name}` | {facts.annotators} "
        f"| {facts.values} | {facts.chance} |"
        for facts in rows
    ]
    head = "| measure | written | called | annotators | values | chance draws from |\n|---|---|---|---|---|---|\n"
    return "# All measures\n\n" + head + "\n".join(lines) + "\n"


def yes(answer: object) -> str:
    """A fact that holds or not, as a word."""
    return "yes" if answer else "no"


def module_docstring(kind: str, name: str) -> str:
    """The cleaned docstring of the module that a name stands for."""
    return inspect.getdoc(importlib.import_module(f"interagree.{kind}.{name}")) or ""


# ----------------------------------------------------------------------------------------------- reference


def modules_page(title: str, registry: Registry) -> str:
    """One section for each module, which is its docstring."""
    sections = (f"## {name}\n\n{module_docstring(registry.kind, name)}\n" for name in own(registry))
    return f"# {title}\n\n" + "\n".join(sections)


def api_page() -> str:
    """The public names: measures as links to their pages, everything else in full."""
    measures, others = [], []
    for name in interagree.__all__:
        thing = getattr(interagree, name)
        if name in MEASURES:
            measures.append(f"- [`{name}`](../measures/{name}.md): {MEASURES[name].facts.title}")
        elif inspect.isclass(thing) or inspect.isroutine(thing):
            others.append(f"::: {thing.__module__}.{thing.__qualname__}\n")
    return (
        "# Python\n\n`import interagree as ia` and all names below are there; each is loaded when it is first used.\n\n"
        "## Measures\n\n" + "\n".join(measures) + "\n\n" + "\n".join(others)
    )


def cli_page() -> str:
    """The help of every command, as the terminal shows it."""
    sections = (
        f"## {title}\n\n```text\n{command.get_help(context)}\n```\n" for title, command, context in commands()
    )
    return "# Command line\n\n" + "\n".join(sections)


def commands() -> Iterator[tuple[str, click.Command, click.Context]]:
    """The command itself and every command below it, with the context that prints its help."""

    def below(
        name: str, command: click.Command, parent: click.Context | None
    ) -> Iterator[tuple[str, click.Command, click.Context]]:
        context = click.Context(command, info_name=name, parent=parent, terminal_width=96)
        yield context.command_path, command, context
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                found = command.get_command(context, inner)
                if found is not None and not found.hidden:
                    yield from below(inner, found, context)

    return below("interagree", main, None)
