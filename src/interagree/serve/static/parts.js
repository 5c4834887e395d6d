/* What the editors of answers with parts share: the parts that somebody gave, to be taken one by one. */

const { element, drawing } = interagree;

/** A box to tick for each part that somebody gave; [key, people] in the order of `sorted`. */
export function given(item, { title, parts, words, sorted, named, taken }) {
  const givers = new Map();
  for (const choice of item.choices) {
    for (const part of parts(choice.edit || [])) givers.set(JSON.stringify(part), [...(givers.get(JSON.stringify(part)) || []), ...choice.people]);
  }
  const boxes = [...givers].map(([key, people]) => [JSON.parse(key), key, people]).sort(([a], [b]) => sorted(a, b)).map(([part, key, people]) => {
    const box = element("input", { type: "checkbox", change: () => taken(key, part, box.checked) });
    return { key, box, label: element("label", { class: "tick" }, box, ...words(part), element("span", { class: "by" }, ...drawing.crowd(people, named))) };
  });
  return {
    root: element("fieldset", { class: "given" }, element("legend", {}, title), ...boxes.map(({ label }) => label)),
    show: (held) => { for (const { key, box } of boxes) box.checked = held.has(key); },
  };
}

/** The parts of an answer that all annotators gave. */
export const ofAll = (item) => (item.agreed ? item.agreed.edit : []).map((part) => (Array.isArray(part) ? [...part] : part));
