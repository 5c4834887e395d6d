"""Files of Zooniverse, Rayyan, BORIS and the VGG Image Annotator, as these tools write them."""

import csv
import io
import json

NOTES = 'RAYYAN-INCLUSION: {"Ann"=>"Included", "Bo"=>"%s"} | RAYYAN-EXCLUSION-REASONS: wrong outcome'
DECISIONS = ("Included", "Excluded", "Maybe")
OF_PANOPTES = (
    *[
        "classification_id",
        "user_name",
        "user_id",
        "user_ip",
        "workflow_id",
        "workflow_name",
        "workflow_version",
        "created_at",
    ],
    *["gold_standard", "expert", "metadata", "annotations", "subject_data", "subject_ids"],
)
OF_VIA = (
    *["filename", "file_size", "file_attributes", "region_count", "region_id"],
    *["region_shape_attributes", "region_attributes"],
)
OF_BORIS = "Observation id,Observation date,Media file name,FPS,Subject,Behavior,Behavioral category,Modifiers"


def text_table(rows):
    """Rows as CSV."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def classifications(rows):
    """The classifications of (user, subject, answers)."""
    made = [OF_PANOPTES]
    for n, (who, subject, answers) in enumerate(rows):
        about = json.dumps({subject: {"Filename": f"{subject}.jpg"}})
        when = f"2024-01-{n + 1:02d} 10:00:00 UTC"
        made.append([n, who, "", "x", 1, "Birds", "2.1", when, "", "", "{}", json.dumps(answers), about, subject])
    return text_table(made)


def birds(label, x):
    """The answers of one classification."""
    several = {"task": "T1", "task_label": "Which?", "value": ["red", label]}
    box = {"x": x, "y": 1, "width": 5, "height": 5, "tool": 0, "tool_label": "Nest", "frame": 0, "details": []}
    first = {"task": "T0", "task_label": "What is it?", "value": label}
    return [first, several, {"task": "T2", "task_label": "Draw", "value": [box]}]


def articles():
    """Articles of a review, the last without a decision."""
    rows = [[f"rayyan-{n}", f"Title {n}", 2020, "…", NOTES % decision] for n, decision in enumerate(DECISIONS)]
    rows += [["rayyan-9", "Nobody decided", 2020, "…", ""]]
    return text_table([["key", "title", "year", "abstract", "notes"], *rows])


def references():
    """The same as RIS."""
    made = (f"TY  - JOUR\nID  - {n}\nTI  - Title {n}\nN1  - {NOTES % answer}\n" for n, answer in enumerate(DECISIONS))
    return "".join(f"{one}ER  - \n" for one in made)


def behaviours(end=4.0, sign=","):
    """Tabular events: a state, a point, and a state that does not stop."""
    rows = [(1.0, "play", "START"), (2.0, "call", "POINT"), (end, "play", "STOP"), (6.0, "rest", "START")]
    lines = [f"day 1,2024,/films/one.mp4,25,kid,{what},,,{kind},{at}" for at, what, kind in rows]
    return "\n".join([f"{OF_BORIS},Behavior type,Time", *lines, ""]).replace(",", sign)


def project():
    """A project of two observers."""
    events = {"ann": [[1.0, "kid", "play", "", ""], [4.0, "kid", "play", "", ""]], "bo": [[2.0, "kid", "call", "", ""]]}
    observations = {who: {"file": {"1": ["C:\\films\\one.mp4"]}, "events": some} for who, some in events.items()}
    kinds = {"0": {"type": "State event", "code": "play"}, "1": {"type": "Point event", "code": "call"}}
    return json.dumps({"project_name": "p", "observations": observations, "behaviors_conf": kinds})


def region(shape, label="cat"):
    """A region of VIA."""
    return {"shape_attributes": shape, "region_attributes": {"animal": label}}


def rect(x):
    """A rectangle of VIA."""
    return {"name": "rect", "x": x, "y": 0, "width": 10, "height": 10}


def pictures(shift=0):
    """Images of VIA, one without regions."""
    polygon = {"name": "polygon", "all_points_x": [0, 9, 9], "all_points_y": [0, 0, 9 + shift]}
    shapes = {"a.jpg": [region(rect(shift))], "b.jpg": [region(polygon, "dog")], "c.jpg": []}
    return {
        f"{name}123": {"filename": name, "size": 123, "regions": regions, "file_attributes": {"light": "day"}}
        for name, regions in shapes.items()
    }


def regions(shift=0):
    """A CSV export of VIA, whose label was chosen from several."""
    box = [json.dumps(rect(shift)), json.dumps({"animal": {"cat": True, "dog": False}})]
    return text_table([OF_VIA, ["a.jpg", 1, "{}", 1, 0, *box], ["c.jpg", 1, "{}", 0, 0, "{}", "{}"]])


CLASSIFIED = [(who, subject, birds("owl" if n else "crow", n)) for subject in "12" for n, who in enumerate("ab")]
SAMPLES = {
    "boris": {
        "a.csv": lambda: behaviours().encode(),
        "a.tsv": lambda: behaviours(sign="\t").encode(),
        "a.boris": lambda: project().encode(),
    },
    "rayyan": {"a.csv": lambda: articles().encode(), "a.ris": lambda: references().encode()},
    "via": {
        "a.json": lambda: json.dumps(pictures()).encode(),
        "project.json": lambda: json.dumps({"_via_settings": {}, "_via_img_metadata": pictures()}).encode(),
        "a.csv": lambda: regions().encode(),
    },
    "zooniverse": {"a.csv": lambda: classifications(CLASSIFIED).encode()},
}
