"""Build the documentation site: `python docs/build_site.py`, or `make docs`.

With ``--table`` the table of all measures in ``docs/measures/index.md`` is written anew, and nothing is built.

The pages of ``docs/`` are copied to ``build/docs``, together with those that are generated: one for each measure, and
the reference of names, commands, distances, kinds and readers.  A measure's page is the docstring of its module,
followed by its signature and the facts it declares, so nothing is written twice.  Then Zensical builds the site, and
any warning of it fails the build.  It reads plain Markdown and the settings of ``docs/site.yml``, which other
generators understand as well.
"""

from __future__ import annotations

import csv
import importlib
import inspect
import json
import math
import re
import shutil
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import yaml

from interagree import reference
from interagree._names import HOMES
from interagree._rooms import called
from interagree.cli import main
from interagree.declare.measures import defaults_of
from interagree.kinds import in_turn
from interagree.plugins import DISTANCES, KINDS, MEASURES, READERS, WRITERS, Registry
from interagree.references import REFERENCES

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = Path(__file__).parent
ROOT = DOCS.parent


def pages() -> dict[str, tuple[str, str]]:
    """Every generated page: its path, its title in the navigation, and its Markdown."""
    measures = {f"measures/{name}.md": (MEASURES[name].facts.title, measure_page(name)) for name in own(MEASURES)}
    return {
        "measures/index.md": ("All measures", measures_page()),
        **dict(sorted(measures.items(), key=lambda page: page[1][0].casefold())),
        "reference/api.md": ("Python", api_page()),
        "reference/cli.md": ("Command line", cli_page()),
        "reference/distances.md": ("Distances", distances_page()),
        "reference/kinds.md": ("Kinds of value", kinds_page()),
        "reference/readers.md": ("Readers", modules_page("Readers", READERS)),
        "reference/writers.md": ("Writers", modules_page("Writers", WRITERS)),
    }


# ----------------------------------------------------------------------------------------------------- building

GENERATED = re.compile(r"^<!-- generated: (.+) -->$", re.MULTILINE)


def stage(folder: Path) -> None:
    """Write all pages and the settings into a folder, as the generator reads them."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DOCS, folder / "pages", ignore=shutil.ignore_patterns("*.py", "*.yml", "__pycache__"))
    made = pages()
    for path, (_, text) in made.items():
        page = folder / "pages" / path
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
    for page in (folder / "pages").rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        page.write_text(GENERATED.sub(lambda match: PIECES[match[1]](), text), encoding="utf-8")
    settings = yaml.safe_load((DOCS / "site.yml").read_text(encoding="utf-8"))
    for entry in settings["nav"]:
        for section, content in entry.items():
            if isinstance(content, str) and content.endswith("/"):
                listed = ((path, title) for path, (title, _) in made.items() if path.startswith(content))
                entry[section] = [{title: path} for path, title in listed]
    settings |= {"docs_dir": "pages", "site_dir": "site"}
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")
    shutil.copy(DOCS / "mathml.py", folder)


def build() -> int:
    """Build the site into ``site/``; the exit code of the generator."""
    folder = ROOT / "build" / "docs"
    stage(folder)
    command = [str(Path(sys.executable).with_name("zensical")), "build", "--strict", "--clean"]
    paths = {"PYTHONPATH": f"{folder}:{ROOT / 'src'}", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, cwd=folder, env=paths, check=False, capture_output=True, text=True)  # noqa: S603
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        return done.returncode
    shutil.rmtree(ROOT / "site", ignore_errors=True)
    shutil.move(folder / "site", ROOT / "site")
    return 0


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
        *([] if facts.chance == "none" else [("Independent annotators get", facts.under_chance.words)]),
        ("Annotators", facts.annotators),
        ("Values", facts.values),
        ("Must know who gave a value", yes(facts.identity)),
        ("Leaves incomplete items out", yes(facts.complete)),
        ("Reference", REFERENCES[facts.reference].text()),
    ]
    table = "\n".join(f"| {left} | {right} |" for left, right in rows)
    return (
        f"# {facts.title}\n\n{text.strip()}\n\n"
        f"## In Python\n\n{written_out(MEASURES[name])}\n"
        f"## Facts\n\n| | |\n|---|---|\n{table}\n"
    )


PROPERTIES = re.compile(r"(?<=<!-- properties -->\n).*?(?=<!-- end of properties -->)", re.DOTALL)
COMPARING = ("distance", "weights", "match", "categories", "types", "metric", "kind")  # options that say what is alike


def measures_page() -> str:
    """The page of all measures, with the table as it is now."""
    page = (DOCS / "measures/index.md").read_text(encoding="utf-8")
    return PROPERTIES.sub(lambda _: properties(), page)


def properties() -> str:
    """Every measure and what it declares, as a table."""
    measures = sorted((MEASURES[name] for name in own(MEASURES)), key=lambda one: one.facts.title.casefold())
    rows = [properties_of(measure) for measure in measures]
    return _markdown([[*rows[0]], ["---"] * len(rows[0]), *([*row.values()] for row in rows)]) + "\n"


def properties_of(measure: Any) -> dict[str, str]:
    """What a measure declares, column by column."""
    facts, options = measure.facts, defaults_of(measure)
    corrected = facts.chance != "none"
    chance = facts.chance if corrected else "not corrected" + "; `corrected=True`" * ("corrected" in options)
    expected, *_ = re.split("[;:,]", facts.under_chance.words)
    low, high = ("−∞" if end == -math.inf else f"{end:g}".replace("-", "−") for end in facts.range)
    compared = ", ".join(f"`{option}`" for option in COMPARING if option in options)
    return {
        "measure": f"[{facts.title}]({facts.name}.md)",
        "name": f"`{facts.name}`",
        "values": "one or two labels" if facts.values == "pairs" else facts.values,
        "annotators": facts.annotators,
        "gaps": "items left out" if facts.complete else "used",
        "counts": "no" if facts.identity else "enough",
        "compared by": compared + ", or by level" * facts.by_level if compared else "",
        "chance draws from": chance,
        "by chance": expected if corrected else "",
        "range": f"{low} to {high}",
        "standard error": "bootstrap" if facts.resampled else "analytic" if facts.analytic else "jackknife",
    }


def write_table() -> int:
    """Bring the table in the page of all measures up to date."""
    (DOCS / "measures/index.md").write_text(measures_page(), encoding="utf-8")
    return 0


def yes(answer: object) -> str:
    """A fact that holds or not, as a word."""
    return "yes" if answer else "no"


def module_docstring(kind: str, name: str) -> str:
    """The cleaned docstring of the module that a name stands for."""
    return inspect.getdoc(importlib.import_module(f"interagree.{kind}.{name}")) or ""


# ------------------------------------------------------------------------------------------- parts of pages


def known_differences() -> str:
    """Where other packages give other numbers: a table for each, from the stored answers."""
    cases = json.loads((ROOT / "tests/oracles/known_differences.json").read_text(encoding="utf-8"))
    parts = []
    for peer, group in groupby(cases, key=lambda case: case["peer"]):
        rows = [
            f"| `{case['peer_call'].replace('|', chr(92) + '|')}` | {shown(case['peer_says'])} "
            f"| {here(case)} | {case['verdict']} | {case['why']} |"
            for case in group
        ]
        head = "| asked | says | here | verdict | because |\n|---|---|---|---|---|\n"
        parts.append(f"## {peer.replace('==', ' ')}\n\n{head}" + "\n".join(rows))
    return "\n\n".join(parts)


def here(case: dict[str, Any]) -> str:
    """What interagree gives where a peer gives something else."""
    right = {"number": shown(case["right"]), "undefined": "undefined", "error": "an error"}[case["outcome"]]
    options = "".join(f", {name}={option!r}" for name, option in case["options"].items())
    of = "" if case["part"] == "value" else f", {case['part'].replace('_', ' ').replace('p value', 'p')}"
    return f"{right}: `{case['measure']}(study{options})`{of}"


def shown(answer: Any) -> str:
    """A stored answer as a reader wants to see it."""
    if isinstance(answer, list):
        return " to ".join(map(shown, answer))
    return f"{answer:.5g}" if isinstance(answer, int | float) else str(answer).partition(":")[0]


def coverage() -> str:
    """How often intervals held the true value, from the last `make slow`; a sentence where it was never run."""
    path = ROOT / "docs/files/coverage.csv"
    if not path.exists():
        return "The simulation of coverage (`make slow`) has not been run for this version; nothing is claimed here."
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = list(csv.reader(line for line in file if not line.startswith("#")))
    lines = ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)]
    said = [line.lstrip("# ").strip() for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    return "\n".join(lines) + ("\n\n" + " ".join(said) if said else "")


def complex_distances() -> str:
    """The distances of complex values: a table for each group, from what they declare."""
    head = (
        "| distance | compares | parameters, with what they are unless given | ≤ 1 | metric "
        "| mean of chance without pairs | all pairs up to | after |\n|---|---|---|---|---|---|---|---|\n"
    )
    parts = []
    for title, names in grouped().items():
        rows = [distance_row(name) for name in names if DISTANCES[name].kinds]
        if rows:
            parts.append(f"### {title}\n\n{head}" + "\n".join(rows))
    return "\n\n".join(parts)


def distance_row(name: str) -> str:
    """What a distance of complex values says about itself."""
    one = DISTANCES[name]
    taken = ", ".join(f"`{key}={usual}`" for key, usual in one.defaults.items() if usual not in ("", None))
    taken += "".join(f", `{key}` (none)" for key, usual in one.defaults.items() if usual in ("", None))
    paragraphs = module_docstring("distances", name).split("\n\n")
    cited = next(text for text in paragraphs if re.match(r"[^\W\d_][\w'-]+, [A-Z]", text))
    source = re.match(r"([^,]+),.*?\((\d{4})\)", cited, re.DOTALL)
    cells = [
        f"[`{name}`](../reference/distances.md#{name})",
        ", ".join(one.kinds),
        taken.removeprefix(", "),
        yes(one.bounded),
        yes(one.metric),
        yes(one.potential is not None),
        f"{one.most:,}",
        f"{source[1]} {source[2]}" if source else "",
    ]
    return f"| {' | '.join(cells)} |"


def coverage_grid() -> str:
    """How often the default interval held the true value: a table for each measure and each setting."""
    with (ROOT / "docs/files/coverage_grid.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    parts = []
    for what, of_measure in groupby(rows, key=lambda row: row["what"]):
        cells = {(row["shares"], row["units"], row["agreement"]): row for row in of_measure}
        if len(cells) < 50:
            continue
        agreement = list(dict.fromkeys(key[2] for key in cells))
        head = [["shares of values", "items", *agreement], ["---"] * (2 + len(agreement))]
        lines = [
            [shares, units, *(_held(cells[shares, units, degree]) for degree in agreement)]
            for shares, units in dict.fromkeys(key[:2] for key in cells)
        ]
        parts.append(f"**`{what}`**, by chance-corrected agreement:\n\n" + _markdown([*head, *lines]))
    others = sorted((row for row in rows if " " in row["what"]), key=lambda row: row["what"])
    head = [["what", "of", "true value", "documents or annotators", "default (published)"], ["---"] * 5]
    lines = [[row["what"], row["shares"], row["agreement"], row["units"], _held(row)] for row in others]
    return "\n\n".join(
        [*parts, "**Documents of unequal size, and other annotators:**\n\n" + _markdown([*head, *lines])]
    )


def _held(row: dict[str, str]) -> str:
    return f"{row['default']} ({row['published']})".replace("0.", ".").replace("1.000", "1")


def _markdown(rows: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def partly_defined() -> str:
    """The measures whose definition leaves something out."""
    rows = [[f"[`{name}`](../measures/{name}.md)", why] for name, why in reference.PARTLY.items()]
    return _markdown([["measure", "its definition"], ["---", "---"], *rows])


PIECES = {
    "complex distances": complex_distances,
    "coverage": coverage,
    "coverage grid": coverage_grid,
    "known differences": known_differences,
    "partly defined": partly_defined,
}


# ----------------------------------------------------------------------------------------------- reference


def modules_page(title: str, registry: Registry) -> str:
    """One section for each module: its docstring, and the options of its function."""
    sections = (
        f"## {name}\n\n{module_docstring(registry.kind, name)}\n{options_of(registry[name])}" for name in own(registry)
    )
    return f"# {title}\n\n" + "\n".join(sections)


def options_of(function: object) -> str:
    """The options that a docstring describes, one below the other; what is read or written is not one."""
    described = inspect.getdoc(function) or ""
    arguments = re.search(r"^Args:\n(.*?)(?=^\S|\Z)", described, re.MULTILINE | re.DOTALL)
    found = re.findall(r"^ {4}(\w+): (.*?)(?=^ {4}\w|\Z)", arguments[1] if arguments else "", re.MULTILINE | re.DOTALL)
    options = [(name, " ".join(text.split())) for name, text in found if name not in {"path", "decisions", "options"}]
    listed = "".join(f"- `{name}`: {text.replace('``', '`')}\n" for name, text in options)
    return f"\n**Options:**\n\n{listed}" if listed else ""


def grouped() -> dict[str, list[str]]:
    """The names of the distances by what they compare, each once."""
    found: dict[str, list[str]] = {kind.group: [] for kind in in_turn()}
    for name in own(DISTANCES):
        found[KINDS[next(iter(DISTANCES[name].kinds), "labels")].group].append(name)
    return {title: names for title, names in found.items() if names}


def distances_page() -> str:
    """One section for each distance, which is the docstring of its module, by what they compare."""
    parts = ["# Distances\n"]
    for title, names in grouped().items():
        parts.append(f"## {title} {{ #{title.split()[0].strip(',').casefold()} }}\n")
        for name in names:
            kinds = DISTANCES[name].kinds
            compared = f"\n*Compares {', '.join(kinds)}.*\n" if kinds else ""
            parts.append(f"### {name}\n{compared}\n{module_docstring('distances', name)}\n")
    return "\n".join(parts)


def kinds_page() -> str:
    """One section for each kind of value: how it is written, and which distances compare it."""
    opening = (
        'A kind is recognised from the values, or given: `kind="boxes"` in Python, `--kind boxes` on the command '
        "line. [How each is used](../guides/complex.md)."
    )
    parts = [f"# Kinds of value\n\n{opening}\n"]
    for name in own(KINDS):
        kind = KINDS[name]
        listed = ", ".join(f"[`{one}`](distances.md#{one})" for one in kind.distances)
        usual = f"The usual distance is `{kind.distance}`; compared by default, the coarsest first: {listed}."
        parts.append(f"## {name}\n\n{module_docstring('kinds', name)}\n\n{usual}\n")
    return "\n".join(parts)


RETURNED = (
    "interagree.crowd.scoring.Score",
    "interagree.judging.judgement.Judgement",
    "interagree.judging.alternative.AltTest",
    "interagree.judging.ceiling.Ceiling",
    "interagree.people.groups.cross_reliability.CrossReliability",
    "interagree.people.groups.in_group.GroupsAgreement",
    "interagree.judging.preferences.Preferences",
    "interagree.people.queue.Queue",
    "interagree.people.soft.SoftLabels",
    "interagree.people.screening.People",
    "interagree.people.wawa.Wawa",
    "interagree.monitor.standing.Standing",
    "interagree.reports.object_types.ObjectTypes",
    "interagree.spans.alignment.Aligned",
    "interagree.spans.panel.Panel",
    "interagree.spans.report.SpanReport",
    "interagree.spans.timeline.Timeline",
    "interagree.spans.typology.Typology",
    "interagree.studies.compare.Difference",
    "interagree.studies.compare.Differences",
    "interagree.studies.distance_comparison.DistanceComparison",
    "interagree.studies.doctor.Examination",
    "interagree.studies.explain.Explanation",
    "interagree.studies.plan.answer.Plan",
    "interagree.studies.shuffled.Shuffled",
)


def api_page() -> str:
    """The public names: measures as links to their pages, everything else in full."""
    text = [
        "# Python\n\n`import interagree as ia` and all names below are there; each is loaded when it is first used."
    ]
    told: set[str] = set()
    for room, names in HOMES.items():
        public = {name: getattr(importlib.import_module(room), name) for name in names if name not in told}
        titles = {name: MEASURES[name].facts.title for name in public if name in MEASURES}
        told |= {*public}
        text.append(f"## {room}\n\n{inspect.getdoc(sys.modules[room]) or ''}" if room != "interagree" else "")
        text.append(
            "\n".join(f"- [`{called(name)}`](../measures/{name}.md): {title}" for name, title in titles.items())
        )
        text += [in_full(thing) for name, thing in public.items() if name not in titles and not inspect.ismodule(thing)]
    returned = [f"::: {path}\n" for path in RETURNED if path.rpartition(".")[2] not in told]
    return "\n\n".join([*filter(None, text), "## What is returned", *returned])


def in_full(thing: Any) -> str:
    """What is said of a public name; a function that shares its path with a module is written out from both."""
    path = f"{thing.__module__}.{thing.__qualname__}"
    module = sys.modules.get(path)
    if module is None:
        return f"::: {path}\n"
    _, _, more = (inspect.getdoc(module) or "").partition("\n")
    return f"## `{thing.__name__}` {{#{path}}}\n\n{written_out(thing)}\n\n{more.strip()}\n"


def written_out(function: Any) -> str:
    """The signature and the help of a function as Python shows them, which may be more than its source says."""
    signature = inspect.signature(function)
    bare = [one.replace(annotation=inspect.Parameter.empty) for one in signature.parameters.values()]
    shown = signature.replace(parameters=bare, return_annotation=inspect.Signature.empty)
    parts = re.split(r"\n\n(Args|Returns|Examples):\n", f"{inspect.getdoc(function) or ''}\n")
    text = [f"```python\n{function.__name__}{shown}\n```", parts[0].strip()]
    for heading, content in zip(parts[1::2], parts[2::2], strict=True):
        lines = inspect.cleandoc(f"\n{content}")
        if heading == "Args":
            text.append(re.sub(r"^(\*{0,2}\w+): ", r"- `\1`: ", lines, flags=re.MULTILINE))
        elif heading == "Returns":
            text.append(f"*Returns*: {lines}")
        else:
            text.append(f"```pycon\n{lines}\n```")
    return "\n\n".join(text) + "\n"


def cli_page() -> str:
    """The help of every command, as the terminal shows it."""
    sections = (f"## {title}\n\n```text\n{command.get_help(context)}\n```\n" for title, command, context in commands())
    return "# Command line\n\n" + "\n".join(sections)


def commands() -> Iterator[tuple[str, click.Command, click.Context]]:
    """The command itself and every command below it, with the context that prints its help."""

    def below(
        name: str, command: click.Command, parent: click.Context | None
    ) -> Iterator[tuple[str, click.Command, click.Context]]:
        context = click.Context(command, info_name=name, parent=parent, terminal_width=96)
        context.meta["interagree.help_all"] = True
        yield context.command_path, command, context
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                found = command.get_command(context, inner)
                if found is not None and not found.hidden:
                    yield from below(inner, found, context)

    return below("interagree", main, None)


if __name__ == "__main__":
    sys.exit(write_table() if "--table" in sys.argv else build())
