"""Exports of VIA, Zooniverse, Rayyan and BORIS, of the shapes in which these tools write them."""

import json

import pytest
from readers.sample_files.science import (
    CLASSIFIED,
    articles,
    behaviours,
    birds,
    classifications,
    pictures,
    project,
    rect,
    references,
    region,
    regions,
)

import interagree as ia
from interagree.errors import FormatError


@pytest.mark.parametrize("form", ["project", "export", "numbered"])
def test_via_has_a_file_for_each_annotator(tmp_path, form):
    for who, shift in (("ann", 0), ("bo", 1)):
        content = pictures(shift)
        if form == "numbered":  # as of version 1
            for image in content.values():
                image["regions"] = {str(n): one for n, one in enumerate(image["regions"])}
        whole = {"_via_settings": {}, "_via_img_metadata": content, "_via_attributes": {}}
        (tmp_path / f"{who}.json").write_text(json.dumps(whole if form == "project" else content))
    study = ia.read(tmp_path)
    assert sorted(study) == ["boxes", "light", "polygons"]
    assert [*study["boxes"].annotators] == ["ann", "bo"]
    assert {(i, w): v for i, w, v in study["boxes"].rows()}["a.jpg", "bo"] == ((1, 0, 11, 10, "cat"),)
    assert len(study["boxes"].items) == 3  # two of which show no box
    assert [*study["light"].values] == ["day"]


def test_via_as_csv(tmp_path):
    for who, shift in (("ann", 0), ("bo", 1)):
        (tmp_path / f"{who}.csv").write_text(regions(shift))
    study = ia.read(tmp_path)
    assert [value for *_, value in study["boxes"].rows()].count(()) == 2
    assert study["boxes"].kind == "boxes"


def test_zooniverse_has_json_in_its_cells(tmp_path):
    path = tmp_path / "c.csv"
    path.write_text(classifications([*CLASSIFIED, ("a", "1", birds("hawk", 3))]))  # the newest answer counts
    study = ia.read(path)
    assert sorted(study) == ["T0", "T1", "T2"]
    assert {(i, w): v for i, w, v in study["T0"].rows()}["1", "a"] == "hawk"
    assert study["T1"].kind == "sets"
    assert study["T2"].kind == "boxes"
    assert "T0 asks 'What is it?'" in study.policy()


@pytest.mark.parametrize(("name", "content"), [("a.csv", articles()), ("a.ris", references())])
def test_rayyan_has_decisions_in_the_notes(tmp_path, name, content):
    (tmp_path / name).write_text(content)
    study = ia.read(tmp_path / name)
    assert study["decision"].values == ("Excluded", "Included", "Maybe")
    assert ia.percent(study).value == pytest.approx(1 / 3)
    assert ("1 article without a decision left out" in study.policy()) == (name == "a.csv")


def test_boris_has_states_and_points(tmp_path):
    for who, end in (("ann", 4.0), ("bo", 5.0)):
        (tmp_path / f"{who}.csv").write_text(behaviours(end))
    study = ia.read(tmp_path)
    assert study.single().rows() == [("day 1", "ann", ((1.0, 4.0, "play"),)), ("day 1", "bo", ((1.0, 5.0, "play"),))]
    assert "2 states without a stop left out" in study.policy()
    points = ia.read(tmp_path, points="keep", label="{subject} {behavior}").single().rows()[0][2]
    assert points == ((1.0, 4.0, "kid play"), (2.0, 2.0, "kid call"))


def test_a_project_of_boris_may_hold_several_observers(tmp_path):
    (tmp_path / "p.boris").write_text(project())
    study = ia.read(tmp_path / "p.boris", annotator="{observation}", item="{media}", points="keep")
    assert study.single().rows() == [("one", "ann", ((1.0, 4.0, "play"),)), ("one", "bo", ((2.0, 2.0, "call"),))]


def test_what_is_not_as_it_should_be_is_named_with_its_place(tmp_path):
    path = tmp_path / "c.csv"
    path.write_text(classifications([("a", "1", [])]).replace("[]", "[oops"))
    with pytest.raises(FormatError, match=r"c\.csv, line 2: expected JSON in the column 'annotations'"):
        ia.read(path)
    bad = {"k": {"filename": "a.jpg", "size": 1, "regions": [region({**rect(0), "x": "far"})]}}
    (tmp_path / "via.json").write_text(json.dumps(bad))
    with pytest.raises(FormatError, match=r"via\.json, k, region 0: expected a number"):
        ia.read(tmp_path / "via.json")


# -- forms of other tools ---------------------------------------------------------------------------------------


def choice(label):
    return [{"from_name": "s", "to_name": "t", "type": "choices", "value": {"choices": [label]}}]


@pytest.mark.parametrize("form", ["projects", "page"])
def test_tasks_of_label_studio_may_lie_in_pages_or_projects_of_its_server(tmp_path, form):
    tasks = [
        {
            "id": n,
            "data": {"text": f"text {n}"},
            "annotations": [{"id": 10 * n + k, "completed_by": k, "result": choice("yn"[n % 2])} for k in (1, 2)],
        }
        for n in range(4)
    ]
    projects = [{"project": {"id": 7, "title": "Tone"}, "annotated_tasks": tasks}]
    (tmp_path / "dump.json").write_text(json.dumps({"total": 4, "tasks": tasks} if form == "page" else projects))
    study = ia.read(tmp_path / "dump.json")
    assert ia.alpha(study).value == 1
    assert [*study.single().annotators] == ["1", "2"]


def test_cvat_may_have_lost_what_it_says_of_the_task(tmp_path):
    for who, x in (("ann", 1), ("bo", 2)):
        box = f'<box label="cat" occluded="0" xtl="{x}.0" ytl="0" xbr="9" ybr="9" z_order="0"></box>'
        image = f'<image id="0" name="a.jpg" width="20" height="20">{box}</image>'
        (tmp_path / f"{who}.xml").write_text(f"<annotations><version>1.1</version>{image}</annotations>")
    study = ia.read(tmp_path)
    assert [*study["boxes"].annotators] == ["ann", "bo"]
