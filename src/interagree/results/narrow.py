"""Tables cut to a width: long entries are shortened, numbers never."""

from __future__ import annotations

from interagree.tables import Table, cell, to_right

LEAST = 12  # letters that a shortened column keeps
NAMES = 24  # … and the first one, which names the rows
GAP = 2  # spaces between columns


def shortened(text: str, most: int) -> str:
    """A text that ends with … where it would be longer than some letters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def narrow(table: Table, width: int = 100) -> Table:
    """The table within a width, as far as possible.

    The column that loses least is cut next; the first columns matter most.
    """
    columns = {
        name: list(column) if to_right(column) else [entry if entry is None else cell(entry) for entry in column]
        for name, column in table.columns.items()
    }
    widths = {name: max(len(name), *(len(cell(entry)) for entry in column), 0) for name, column in columns.items()}
    least = {
        name: widths[name] if to_right(column) else max(len(name), LEAST if place else NAMES)
        for place, (name, column) in enumerate(columns.items())
    }
    lengths = {name: [len(cell(entry)) for entry in column] for name, column in columns.items()}
    matters = {name: len(columns) - place for place, name in enumerate(columns)}
    while sum(widths.values()) + GAP * (len(widths) - 1) > width:
        wide = [name for name in widths if widths[name] > least[name]]
        if not wide:
            break
        lost = {name: matters[name] * sum(length >= widths[name] for length in lengths[name]) for name in wide}
        widths[min(wide, key=lambda name: (lost[name], -widths[name]))] -= 1
    cut = {
        name: column
        if to_right(column)
        else [entry if entry is None else shortened(str(entry), widths[name]) for entry in column]
        for name, column in columns.items()
    }
    return Table(cut, table.title, table.foot)
