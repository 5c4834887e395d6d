r"""How many items a study needs, and how many labels for each.

The error of a coefficient falls with the number of items $I$, and what one item contributes depends on how many labels
$n$ it has:

$$w \approx z \sqrt{\frac{V(n)}{I}}, \qquad I \approx \frac{z^2\, V(n)}{w^2}$$

$w$ is half the width of the interval, $z$ the normal quantile of its level and $V(n)$ the variance of one item's
contribution.  Plans are made for the default interval itself, which is a little wider where items are few or the
coefficient is near 1, so that the study has the width that was planned.  For the sparse probability of agreement $V(n)$
has a closed form (see `item_agreement`), from which follows what costs least:

$$n\, V(n) = n\, \tau^2 + 4 \zeta_1 + \frac{2 (\zeta_2 - 2 \zeta_1)}{n - 1}, \qquad
n^* = 1 + \sqrt{\frac{2 (\zeta_2 - 2 \zeta_1)}{\tau^2}}$$

Labels that are there already add up: items with $n_i$ labels hold the information $J = \sum_i 1 / V(n_i)$, and about
$J = z^2 / w^2$ is wanted.  For all other coefficients $V(n)$ is the number of items times the squared standard error,
of $n$ labels of each item of the pilot drawn without putting back, or of a large simulated study.  Errors are those of
other items, with annotators like these.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from interagree.data import IntoAnnotations, ReadingOptions
from interagree.declare import Facts, defaults_of, facts_of
from interagree.errors import Advice, Hint, KindError, UnknownName, Wording, listing, suggestion
from interagree.errors.options import checks_options
from interagree.plugins import MEASURES
from interagree.reading.calls import study_of
from interagree.results.agreement import Agreement
from interagree.stats.engine.shares import check_level
from interagree.stats.labels.counts import Counts
from interagree.stats.labels.width import PLANNED, Width, width_of
from interagree.studies.plan.answer import Plan, curve_of, designs_of, warnings_of
from interagree.studies.plan.closed import closed_form, exact_bound, if_items_differ_more
from interagree.studies.plan.draws import more_of_the_same, resampled, simulated
from interagree.studies.plan.parts import AGREEMENT, SHARES, Aim, Assumed, Basis, Existing, PilotDraws, Shares
from interagree.studies.plan.spending import existing_labels
from interagree.tables import Table


@checks_options
def plan(
    data: IntoAnnotations | None = None,
    *,
    measure: str | Callable[..., Agreement] = "spa",
    half_width: float | None = None,
    budget: int | None = None,
    level: float = 0.95,
    shares: Shares | None = None,
    agreement: float | None = None,
    between: float | None = None,
    moments: Sequence[float | None] | None = None,
    per_item: int | Sequence[int] | None = None,
    spend: int = 100,
    rounds: int | None = None,
    seed: int = 0,
    **options: object,
) -> Plan:
    """How many items and labels an interval of a wanted width needs, or what a budget of labels gives.

    From a pilot, or from what one assumes: ``agreement`` alone for SPA, ``shares`` and ``agreement`` for any measure.

    Args:
        data: A pilot: a study, or anything `Annotations.of` takes.
        measure: The coefficient: spa, alpha, percent, fleiss_kappa, conger_kappa, cohen_kappa, scott_pi,
            randolph_kappa, ac1, ac2 or bennett_s, and from a pilot icc in its forms of one annotator.
        half_width: Half the width that the interval should have.
        budget: How many labels can be paid for.  With neither, as many as the pilot has.
        level: The level of the interval.
        shares: The share of each value, where there is no pilot; items then have shares of their own around them.
        agreement: The chance that two annotations of an item are the same, where there is no pilot.
        between: For SPA, the variance of the true agreement between items; without it what is usual.
        moments: For SPA, what `item_moments` gives, in place of all that.
        per_item: How many labels an item may have; where nothing is said 2 to 10, and no more than the pilot has
            annotators.
        spend: How many further labels to give advice on, for SPA.
        rounds: How many times labels of the pilot are drawn, for all but SPA; by default 20, and fewer where the pilot
            has more than 200 items.
        seed: Where random numbers start.
        options: Keywords of the measure, such as ``distance``, and how data are read: ``item``, ``annotator``,
            ``value`` and the other options of `Annotations.of`.

    Returns:
        A `Plan`, with its ``per_item``, ``items`` and ``labels``.

    Examples:
        >>> import interagree as ia
        >>> made = ia.plan(agreement=0.8, half_width=0.05)
        >>> made.labels, made.items, made.per_item
        (360, 90, 4)
    """
    function = MEASURES[measure] if isinstance(measure, str) else measure
    facts = facts_of(function)
    options = {name: option for name, option in options.items() if option is not None}
    pilot = None if data is None else study_of(data, (), _reading_options(function, options))
    aim, assumed = Aim(half_width, budget, level, spend), Assumed(shares, agreement, between, moments)
    limit = 0.5 if facts.name in ("spa", "percent") and not options.get("corrected") else 1.0
    _check(facts, aim, rounds, limit)
    _known(function, options)
    _one_source(pilot, assumed, aim)
    _icc_of_one(facts, pilot, options)
    asked = _asked(per_item, facts)
    # Moments under a distance need pilot; what was assumed is about values that are the same or not.
    closed = facts.name == "spa" and not options.get("corrected")
    closed = closed and (pilot is not None or not options.keys() & {"distance", "weights"})
    existing = Existing()
    if closed:
        basis = closed_form(pilot, assumed, asked, options)
        if pilot is not None and basis.moments is not None and not basis.undefined:
            width = _width(facts, aim, basis, limit)
            existing = existing_labels(Counts.of(pilot), basis.moments, max(basis.variance), aim, width)
            existing = existing._replace(interval=function(pilot, **options).interval(level))
    elif between is not None or moments is not None:
        raise KindError(
            f"{'between' if moments is None else 'moments'}= is for plain SPA; for {facts.title} give {SHARES} and "
            f"{AGREEMENT}, or a pilot",
            hints=[SHARES, AGREEMENT],
        )
    elif pilot is not None:
        draws = PilotDraws.of(rounds, seed, Counts.of(pilot).n.items)
        basis = resampled(function, pilot, options, asked, draws)
        if not basis.undefined:
            existing = more_of_the_same(function(pilot, **options), aim, _width(facts, aim, basis, limit))
    else:
        basis = simulated(function, assumed, options, asked, seed)
    if pilot is not None and budget is None and half_width is None:
        aim = aim._replace(budget=int(Counts.of(pilot).n.annotations))
    made = _made(facts, aim, basis, existing, limit)
    more = (
        if_items_differ_more(assumed, aim, made, _width(facts, aim, basis, limit)) if closed and pilot is None else ""
    )
    return replace(made, notes=(made.notes[0], more, *made.notes[1:])) if more else made


def _made(facts: Facts, aim: Aim, basis: Basis, existing: Existing, limit: float) -> Plan:
    undefined = basis.undefined
    if undefined is None and aim.half_width is None and (aim.budget or 0) < 2 * min(basis.variance):
        undefined = f"{aim.budget} labels are fewer than two items with {min(basis.variance)} labels each need"
    width = _width(facts, aim, basis, limit)
    designs = Table.of([]) if undefined else designs_of(basis.variance, aim, width)
    made = Plan(
        facts,
        basis.value,
        aim.level,
        aim.half_width,
        aim.budget,
        basis.best,
        designs,
        Table.of([]) if undefined else curve_of(basis.variance, aim, designs, width),
        existing.next,
        existing.now,
        existing.more,
        basis.sentence,
        (*existing.notes, *basis.notes),
        undefined and undefined + exact_bound(basis, aim),
        basis.moments,
        existing.interval,
    )
    return made if undefined else replace(made, notes=(*made.notes, *warnings_of(made, limit)))


def _width(facts: Facts, aim: Aim, basis: Basis, limit: float) -> Width:
    return width_of(facts, basis.value, aim.level, share=limit == 0.5)


PLAN = tuple(name for name in inspect.signature(plan).parameters if name not in ("data", "options"))


def _check(facts: Facts, aim: Aim, rounds: int | None, limit: float) -> None:
    if facts.name not in PLANNED:
        raise UnknownName(
            f"there is no plan for {facts.name}.{suggestion(facts.name, PLANNED)} (known: "
            f"{listing(PLANNED, quote=False)})"
        )
    check_level(aim.level)
    wanted = aim.half_width
    if wanted is not None and not wanted > 0:
        raise KindError(Advice.of("a half-width is above 0, such as 0.05; got ", Hint("half_width", wanted)))
    if wanted is not None and wanted >= limit:
        raise KindError(
            Advice.of(
                Hint("half_width", wanted),
                f" asks for nothing: no interval of {facts.title} is wider than {2 * limit:g} in all",
            )
        )
    for name, number, least in (("budget", aim.budget, 1), ("spend", aim.spend, 0), ("rounds", rounds, 1)):
        if number is not None and (number != int(number) or number < least):
            raise KindError(Advice.of(f"{name} is a whole number from {least} up; got ", Hint(name, number)))


def _icc_of_one(facts: Facts, pilot: object, options: Mapping[str, object]) -> None:
    """An intraclass correlation is planned from numbers, and where it is the same for any number of annotators."""
    if facts.name != "icc":
        return
    if pilot is None:
        raise KindError(f"a plan for {facts.title} needs a pilot: its error depends on how far apart numbers lie")
    form = str(options.get("form", "ICC(2,1)"))
    if not form.endswith("1)"):
        single = Hint("form", form.replace("k", "1"))
        raise KindError(
            Advice.of(f"{form} is another number for every number of annotators; plan for ", single), hints=[single]
        )


def _reading_options(function: Callable[..., Agreement], options: dict[str, object]) -> dict[str, object]:
    names = ReadingOptions.__annotations__.keys() - defaults_of(function).keys()
    return {name: options.pop(name) for name in [*options] if name in names}


def _known(function: Callable[..., Agreement], options: Mapping[str, object]) -> None:
    known = [*defaults_of(function)]
    for name in options:
        if name not in known:
            raise KindError(
                f"neither plan nor {function.__name__} takes {name}=.{suggestion(name, [*known, *PLAN])} "
                f"({function.__name__} takes {listing(known, quote=False)})"
            )


def _one_source(pilot: object, assumed: Assumed, aim: Aim) -> None:
    given = [name for name, given in assumed._asdict().items() if given is not None]
    if pilot is not None and given:
        raise KindError(
            Advice.of(
                f"a pilot gives {given[0]} itself; give the data or ",
                Wording(f"{given[0]}=", f"--{given[0]}"),
                ", not both",
            )
        )
    if "moments" in given and len(given) > 1:
        raise KindError(f"moments= say everything; leave {given[0]}= out")
    if pilot is None and aim.half_width is None and aim.budget is None:
        width, labels = Hint("half_width", 0.05), Hint("budget", 5000)
        raise KindError(
            f"say what the plan is for: {width} for an interval, or {labels} for labels", hints=[width, labels]
        )


def _asked(per_item: int | Sequence[int] | None, facts: Facts) -> tuple[int, ...] | None:
    """The numbers of labels per item that were asked for, in order; None where nothing was said."""
    if per_item is None:
        return (2,) if facts.annotators == "two" else None
    wanted = (per_item,) if isinstance(per_item, int) else tuple(per_item)
    if not wanted or any(size != int(size) or size < 2 for size in wanted):
        raise KindError(Advice.of("an item needs two labels or more to agree on; got ", Hint("per_item", per_item)))
    if facts.annotators == "two" and set(wanted) != {2}:
        raise KindError(f"{facts.title} is of two annotators, so an item has two labels; leave per_item out")
    return tuple(sorted({int(size) for size in wanted}))
