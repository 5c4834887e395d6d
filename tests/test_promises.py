"""What interagree promises about itself: what is loaded when, and that nothing public lacks help or a page.

The import contracts are promises too; `make lint` checks them.
"""

import importlib
import importlib.util
import inspect
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest

import interagree
from interagree.cli import main
from interagree.plugins import MEASURES
from interagree.references import REFERENCES

ROOT = Path(__file__).parents[1]

PUBLIC = {
    *("Annotations", "Study", "compare", "read", "scan"),
    *("ac1", "ac2", "alpha", "augmented_kappa", "bennett_s", "cohen_kappa", "conger_kappa", "f_score"),
    *("fleiss_kappa", "hubert_kappa", "icc", "kendall_w", "light_kappa", "lin_ccc", "percent"),
    *("randolph_kappa", "scott_pi", "van_oest"),
}

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
    *("pyspark", "python_calamine", "rapidfuzz", "shapely", "torch"),
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


@pytest.mark.parametrize("name", interagree.__all__)
def test_a_public_name_says_what_it_is(name: str) -> None:
    thing = getattr(interagree, name)
    if inspect.isclass(thing) or inspect.isroutine(thing):
        assert inspect.getdoc(thing)
        # A dataclass without a docstring is given its signature as one.
        assert not inspect.getdoc(thing).startswith(f"{name}(")


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="alfa"):
        _ = interagree.alfa


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
