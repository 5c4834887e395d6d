"""Images of items: from the folder that was named, for whoever has the secret, and nothing else from there."""

import json

import pytest
from edited_files import png

NAMES = ("here.png", "linked.png", "drawn.svg", "missing.png")


@pytest.fixture
def photos(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "here.png").write_bytes(png(40, 30))
    (tmp_path / "outside.png").write_bytes(png(5, 5))
    (folder / "linked.png").symlink_to(tmp_path / "outside.png")
    (folder / "drawn.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")
    return folder


@pytest.fixture
def boxes(tmp_path):
    path = tmp_path / "boxes.jsonl"
    rows = [
        {"item": name, "annotator": who, "image": f"elsewhere/{name}", "value": [[1, 1, 9 + add, 9]]}
        for name in NAMES
        for add, who in enumerate(("ann", "bo"))
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_an_image_is_given_by_its_item(opened, boxes, photos):
    client = opened(boxes, images=photos)
    for name in NAMES:
        key = json.dumps(name)
        has_one = client.get("/decide.json", question="value", item=key).json["drawn"]["image"]
        answer = client.get("/image", question="value", item=key)
        assert has_one == (name == "here.png")
        assert answer.status == (200 if has_one else 404), (name, answer.body)
    answer = client.get("/image", question="value", item='"here.png"')
    assert answer.body == (photos / "here.png").read_bytes()
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_no_path_names_an_image(opened, boxes, photos):
    client = opened(boxes, images=photos)
    for item in ("here.png", "../outside.png", '"../outside.png"', str(photos / "here.png"), "", "0"):
        assert client.get("/image", question="value", item=item).status == 404
    for path in ("/image/here.png", "/photos/here.png", "/image/../outside.png"):
        assert client.get(path).status in (400, 404)


def test_without_the_folder_no_image_is_shown(opened, boxes):
    client = opened(boxes)
    assert client.get("/decide.json", question="value", item='"here.png"').json["drawn"]["image"] is False
    assert client.get("/image", question="value", item='"here.png"').status == 404


def test_an_image_needs_the_secret(opened, boxes, photos):
    client = opened(boxes, images=photos)
    asked = {"question": "value", "item": '"here.png"'}
    assert client.ask("/image", headers={"x-interagree": None}, **asked).status == 403
    assert client.ask("/image", headers={"cookie": None}, **asked).status == 403
    assert (
        client.ask("/image", headers={"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, **asked).status
        == 403
    )
