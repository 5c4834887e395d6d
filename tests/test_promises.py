"""What interagree promises about itself: what is loaded when, and that nothing public lacks help or a page.

The import contracts are promises too; `make lint` checks them.
"""

import ast
import importlib
import importlib.util
import inspect
import re
import subprocess
import sys
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest

import interagree
from interagree._names import HOMES
from interagree._rooms import everything
from interagree.cli import main
from interagree.data import ReadingOptions
from interagree.plugins import MEASURES
from interagree.references import REFERENCES
from interagree.spans.alignment import GammaCatOptions

ROOT = Path(__file__).parents[1]

# Where a public signature says `Any`, and why: everything else names its types.
ANYTHING = {
    "Agreement.__init__: options": "options of a measure, whose types its signature says",
    "Agreement.__init__: more": "details, which differ from measure to measure",
    "Agreement.__init__: _cache": "results of methods by their arguments, read through typed methods alone",
    "Agreement.details: return": "details, which differ from measure to measure",
    "Agreement.to_dict: return": "plain data, made to be taken apart and written as JSON",
    "Annotations.__init__: values": "a value may be anything",
    "Annotations.__init__: _cache": "what was worked out before, read through typed methods alone",
    "Annotations.__init__: _shared": "what was worked out before, read through typed methods alone",
    "Annotations.labels: return": "a value may be anything",
    "Annotations.packed: return": "arrays in the form that the kind of value has",
    "Annotations.rows: return": "a value may be anything",
    "Table.rows: return": "a cell may be anything",
    "Table.where: test": "a cell may be anything",
}

PUBLIC = {
    *("Annotations", "Study", "compare", "read", "scan"),
    *("ac1", "ac2", "alpha", "bennett_s", "cohen_kappa", "conger_kappa"),
    *("fleiss_kappa", "icc", "kendall_w", "lin_ccc", "percent", "scott_pi"),
}
ROOMS = ("crowd", "judging", "measures", "people", "spans", "studies")

COMMANDS = {
    *("check", "compare", "consensus", "convert", "demo", "distances", "doctor", "explain"),
    *("list", "measure", "report", "shuffle"),
}

SMALL = """item,annotator,label
1,ann,yes
1,bo,yes
2,ann,no
2,bo,yes
3,ann,no
3,bo,no
"""

HEAVY = {
    *(
        "dask",
        "duckdb",
        "ibis",
        "matplotlib",
        "numba",
        "openpyxl",
        "pandas",
        "polars",
        "pyarrow",
        "pycocotools",
        "pyreadstat",
    ),
    *("docx", "jinja2", "pyspark", "python_calamine", "rapidfuzz", "shapely", "torch", "xlsxwriter"),
}


def loaded(code: str, folder: Path) -> set[str]:
    """The names of the modules, packages included, that a fresh interpreter holds after some code."""
    report = "import sys; print('loaded:', *sorted(sys.modules))"
    code = f"try:\n    {code}\nexcept SystemExit as end:\n    assert not end.code, end.code\n{report}"
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.rpartition("loaded:")[2].split())


def command(*words: str) -> str:
    """Code that runs a command as the installed script does."""
    return f"import sys; sys.argv[1:] = {words!r}; from interagree.cli import main; main()"


def test_importing_interagree_loads_none_of_its_dependencies(tmp_path: Path) -> None:
    ours = loaded("import interagree", tmp_path)
    assert "interagree" in ours
    assert not ours & (HEAVY | {"click", "narwhals", "numpy", "rich", "scipy"})


def test_the_definitions_are_plain_python_that_shares_nothing_with_what_they_check(tmp_path: Path) -> None:
    modules = loaded("from interagree import reference", tmp_path)
    ours = {name for name in modules if name.startswith("interagree.")}
    front = {"interagree._names", "interagree._rooms"}
    assert {name for name in ours - front if not name.startswith("interagree.reference")} == set()
    assert not modules & (HEAVY | {"narwhals", "numpy", "scipy"})


@pytest.mark.parametrize(
    "code",
    [
        command("--help"),
        "import runpy, sys; sys.argv[1:] = ['--help']; runpy.run_module('interagree', run_name='__main__')",
    ],
    ids=["interagree --help", "python -m interagree --help"],
)
def test_asking_for_help_loads_no_arrays(code: str, tmp_path: Path) -> None:
    assert not loaded(code, tmp_path) & (HEAVY | {"narwhals", "numpy", "scipy"})


def test_measuring_a_small_file_loads_no_engine(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(SMALL, encoding="utf-8")
    assert not loaded(command("measure", "labels.csv"), tmp_path) & (HEAVY | {"scipy.stats"})


def test_the_public_names_are_sorted_and_there() -> None:
    assert list(interagree.__all__) == sorted(interagree.__all__)
    assert set(interagree.__all__) >= PUBLIC
    assert set(dir(interagree)) >= set(interagree.__all__)
    assert len(interagree.__all__) <= 45
    assert {*ROOMS} == {name for name in interagree.__all__ if inspect.ismodule(getattr(interagree, name))}


@pytest.mark.parametrize("room", ROOMS)
def test_a_name_of_a_room_is_what_its_module_defines_whatever_is_imported_first(room: str) -> None:
    names = HOMES[f"interagree.{room}"]
    first = "; ".join(f"import {home}" for home in {*names.values()})
    code = (
        f"{first}; import interagree.{room} as room; print(*sorted(n for n in dir(room) if callable(getattr(room, n))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.split() == sorted(names)


def test_a_name_that_is_in_a_room_is_said_to_be_there() -> None:
    with pytest.raises(AttributeError, match=r"it is interagree\.crowd\.glad$"):
        _ = interagree.glad
    with pytest.raises(AttributeError, match=r"it is interagree\.measures\.window_diff$"):
        _ = interagree.windowdiff


@pytest.mark.parametrize("name", everything())
def test_a_public_name_says_what_it_is(name: str) -> None:
    thing = everything()[name]
    if inspect.isclass(thing) or inspect.isroutine(thing):
        assert inspect.getdoc(thing)
        # A dataclass without a docstring is given its signature as one.
        assert not inspect.getdoc(thing).startswith(f"{name}(")


def signatures(name: str, thing: Any) -> Iterator[tuple[str, str]]:
    """What each parameter of a public function, or of the public methods of a class, is declared as."""
    if not inspect.isclass(thing):
        yield from annotations_of(name, inspect.unwrap(thing))
        return
    for method in ("__init__", *(method for method in dir(thing) if not method.startswith("_"))):
        found = inspect.getattr_static(thing, method)
        found = found.fget if isinstance(found, property) else getattr(found, "__func__", getattr(found, "func", found))
        if inspect.isfunction(found):
            yield from annotations_of(f"{name}.{method}", inspect.unwrap(found))


def annotations_of(name: str, function: Any) -> Iterator[tuple[str, str]]:
    """The parameters of a function, and what it returns, each with its annotation as written."""
    for parameter, annotation in inspect.get_annotations(function).items():
        yield f"{name}: {parameter}", annotation if isinstance(annotation, str) else repr(annotation)


def test_public_signatures_say_any_only_where_a_value_may_be_anything(site: ModuleType) -> None:
    public = everything()
    for path in site.RETURNED:
        module, _, name = path.rpartition(".")
        public[name] = getattr(importlib.import_module(module), name)
    declared = dict(entry for name, thing in public.items() if callable(thing) for entry in signatures(name, thing))
    assert len(declared) > 2 * len(public)
    assert {name for name, annotation in declared.items() if re.search(r"\bAny\b", annotation)} == set(ANYTHING)


def test_gamma_k_takes_the_options_of_gamma_cat() -> None:
    options = GammaCatOptions.__annotations__.keys() - ReadingOptions.__annotations__.keys()
    parameters = inspect.signature(interagree.measures.gamma_cat).parameters.keys()
    assert options | {"data", "others", "category", "reading"} == parameters


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="alfa"):
        _ = interagree.alfa
    with pytest.raises(AttributeError, match=r"kripp\.alfa"):
        getattr(interagree, "kripp.alfa")
    assert getattr(interagree, "kripp.alpha") is interagree.alpha  # as R calls it


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_has_a_formula_a_reference_and_a_page(name: str, site: ModuleType) -> None:
    function = MEASURES[name]
    assert function.__name__ == function.facts.name == name
    assert function.facts.title
    assert function.facts.symbol
    assert function.facts.reference in REFERENCES
    text = importlib.import_module(function.__module__).__doc__ or ""
    assert text.count("$$") >= 2, "the module docstring has a formula between $$ and $$"
    assert f"measures/{name}.md" in site.pages()


def test_the_table_of_all_measures_is_up_to_date(site: ModuleType) -> None:
    page = (ROOT / "docs/measures/index.md").read_text(encoding="utf-8")
    assert page == site.measures_page(), "run: python docs/build_site.py --table"
    assert page.count("](") > len(MEASURES)


@pytest.mark.parametrize("name", MEASURES)
def test_the_help_of_a_measure_explains_each_argument_once(name: str) -> None:
    text = inspect.getdoc(MEASURES[name]) or ""
    for argument in inspect.signature(MEASURES[name]).parameters:
        assert len(re.findall(rf"^    \*{{0,2}}{argument}: ", text, re.MULTILINE)) == 1


def test_every_promised_command_is_there() -> None:
    assert set(main.list_commands(click.Context(main))) >= COMMANDS


def test_every_command_and_every_option_has_help(site: ModuleType) -> None:
    page = site.cli_page()
    for path, found, _ in site.commands():
        assert found.help, path
        assert f"## {path}\n" in page
        for option in found.params:
            if isinstance(option, click.Option) and not option.hidden:
                assert option.help, f"{path} {option.name}"


def test_the_rooms_of_the_architecture_are_those_of_the_code() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    drawn = set(re.findall(r"^[├└]── (\w+)[ /]", page, re.MULTILINE))
    entries = {entry.stem for entry in (ROOT / "src/interagree").iterdir() if not entry.name.startswith(("__", "py."))}
    assert drawn - {"__init__"} == entries


def test_no_two_classes_have_one_name() -> None:
    modules = (ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "src/interagree").rglob("*.py"))
    names = Counter(node.name for module in modules for node in ast.walk(module) if isinstance(node, ast.ClassDef))
    assert len(names) > 500
    assert [name for name, times in names.items() if times > 1] == []


def test_the_layers_of_the_architecture_are_those_of_the_contracts() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    paragraph = re.search(r"contracts in `pyproject.toml`: (.*?)\. A module", page, re.DOTALL)
    assert paragraph is not None
    drawn = [set(re.findall(r"`(\w+)`", layer)) for layer in paragraph[1].split("→")]
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(one for one in settings["tool"]["importlinter"]["contracts"] if one["type"] == "layers")
    layers = [set(re.findall(r"\w+", layer)) for layer in contract["layers"]]
    assert [{"__main__"}, *drawn] == layers


LINK = re.compile(r"!?\[[^\]\[]*\]\((?P<target>[^()\s]+)\)|(?:src|href)=\"(?P<attribute>[^\"]+)\"")
FENCED = re.compile(r"^( *)(```+).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"``.*?``|`[^`]*`", re.DOTALL)
HEADING = re.compile(r"^#+ +(?P<text>.*?)(?: *\{ *#(?P<own>[^ }]+)[^}]*\})? *$|^::: +(?P<documented>\S+)", re.MULTILINE)


def anchors(page: str) -> set[str]:
    """The anchors of a page: what its headings are called in addresses, and the names that it documents."""
    found: set[str] = set()
    for heading in HEADING.finditer(FENCED.sub("", page)):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading["text"] or "")
        plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().strip().lower()
        slug = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain))
        found.add(heading["documented"] or heading["own"] or slug)
    return found


def dead_links(page: Path) -> Iterator[str]:
    """The links of a page to a file or a heading that does not exist."""
    for link in LINK.finditer(CODE.sub("", FENCED.sub("", page.read_text(encoding="utf-8")))):
        target = link["target"] or link["attribute"]
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        goal = (page.parent / path) if path else page
        if not goal.exists() or (anchor and anchor not in anchors(goal.read_text(encoding="utf-8"))):
            yield f"{page.name}: {target}"


def test_every_link_leads_somewhere(site: ModuleType, tmp_path: Path) -> None:
    site.stage(tmp_path)  # with the pages that are generated
    (tmp_path / "pages").rename(tmp_path / "docs")
    for name in ("CITATION.cff", "LICENSE", *(page.name for page in ROOT.glob("*.md"))):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    pages = [*tmp_path.glob("*.md"), *(tmp_path / "docs").rglob("*.md")]
    assert len(pages) > 100
    assert [link for page in pages for link in dead_links(page)] == []


@pytest.mark.parametrize("target", ["gone.md", "page.md#gone", "#gone", "gone.svg"])
def test_a_dead_link_is_found(target: str, tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(
        f"# Kept, as `x`\n\n[a](#kept-as-x) `[b](c.md)` [d]({target})\n", encoding="utf-8"
    )
    assert list(dead_links(tmp_path / "page.md")) == [f"page.md: {target}"]


@pytest.fixture(scope="module")
def site(need: Any) -> ModuleType:
    """The generator of the docs."""
    need("yaml")
    spec = importlib.util.spec_from_file_location("docs_site", ROOT / "docs/build_site.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
