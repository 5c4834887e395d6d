/* One disagreement after the other: the queue, the item with all answers, the decision. */

import { address, get, latest, listen, newOp, outbox, picture, post } from "./net.js";
import { editor } from "./editors.js";

const { element, counted, drawing, visible, remember, remembered } = interagree;
const SHOWN = [["waiting", "waiting"], ["settled", "settled"], ["skipped", "skipped"], ["all", "all"]];
const OTHERS = { n: "nothing", x: "cannot", o: "agreed" };
const BESIDE = { // editors that stand with the item and not with the decision
  spans: "Edit marks, or take single ones ", units: "Edit units, or take single ones ", boundaries: "Edit boundaries, or take single ones ",
  boxes: "Edit boxes, or take single ones ", polygons: "Edit polygons, or take single ones ",
};
const past = []; // what was decided on this page, for undo, each with the last event of its item that was seen
let newest = 0; // the last event seen

export async function decide(context) {
  const asked = context.given.get("question") || context.state.questions[0];
  const blind = remembered("blind") === true;
  const item = await get("/decide.json", { question: asked, item: context.given.get("item"), after: context.given.get("after"), blind: blind ? 1 : null, audit: context.given.get("audit") });
  if (item.item === null) return done(item, context);
  item.drawn.image = await picture(item);
  return new Desk(item, context, blind).root;
}

function done(item, context) {
  const counts = Object.entries(item.counts).filter(([, count]) => count).map(([name, count]) => count.toLocaleString("en") + " " + name).join(", ");
  const skipped = item.counts.skipped ? element("p", {}, counted(item.counts.skipped, "item") + " skipped: ", element("a", { href: "/decisions" }, "look at them")) : null;
  const others = context.state.questions.filter((name) => name !== item.question);
  return element("div", { class: "first" }, element("section", { class: "message" },
    element("h1", {}, item.why_not ? "Nothing to decide" : item.audit ? "The sample is done" : "All settled"), element("p", {}, item.why_not || counts + "."), skipped,
    element("p", {}, item.audit ? element("a", { class: "button main", href: "/after" }, "What that says") : element("a", { class: "button main", href: "/export" }, "Take gold home")),
    ...others.map((name) => element("p", {}, element("a", { href: address("/decide", { question: name }) }, "To the question " + visible(name))))));
}

class Desk {
  constructor(item, context, blind) {
    Object.assign(this, { item, context, blind });
    newest = Math.max(newest, item.base);
    this.began = performance.now();
    this.chosen = null; // {kind, stored} or {kind, value}
    this.buttons = [];
    this.data = { ...item.about, items: [item.drawn, ...(item.about.range ? [{ answers: item.about.range.map((end) => [0, end]) }] : [])] };
    this.people = new Map(drawing.people(item.drawn, this.data).map((person, place) => [item.drawn.answers[place][0], person]));
    this.editor = editor(item, (value) => { this.chosen = { kind: "decide", value }; this.mark(); }, (who) => this.name(who));
    this.root = element("div", { class: "desk" }, this.queue(), this.middle(), this.side());
    if (this.editor && item.standing && item.standing.edit !== null) this.editor.set(item.standing.edit);
    this.root.dataset.wide = "yes";
    const pressed = (event) => this.pressed(event);
    document.addEventListener("keydown", pressed);
    outbox.done = (event, answer, failure) => this.answered(event, answer, failure);
    const watch = latest(() => this.watch());
    const heard = (event, data) => { if (event === "others") this.around.textContent = data.names.length ? "also here: " + data.names.map(visible).join(", ") : ""; else watch(); };
    const end = listen(heard, { question: item.question, item: item.item });
    context.leaving(() => { end(); document.removeEventListener("keydown", pressed); outbox.done = () => {}; });
    this.fill();
  }

  // ------------------------------------------------------------------------------------------------ the queue

  queue() {
    const { item } = this;
    this.list = element("ol", { class: "items" });
    this.more = element("button", { type: "button", hidden: true, click: () => this.fill(true) }, "More");
    this.show = element("select", { id: "show", change: () => { remember("show", this.show.value); this.fill(); } },
      ...SHOWN.map(([value, title]) => element("option", { value, selected: (remembered("show") || "waiting") === value }, title)));
    const questions = this.context.state.questions;
    const question = questions.length < 2 ? null : element("label", { class: "field" }, "Question",
      element("select", { change: (event) => this.context.go(address("/decide", { question: event.target.value })) },
        ...questions.map((name) => element("option", { value: name, selected: name === item.question }, visible(name)))));
    const settled = item.of - item.counts.open - item.counts.changed; // one by one or by a rule
    return element("aside", { class: "pane queue-pane", "aria-label": "Queue" }, question,
      this.count = element("p", { class: "count" }, ...this.counted(item)),
      element("progress", { max: item.of, value: settled, "aria-label": "Settled" }),
      element("label", { class: "field", for: "show" }, "Show"), this.show, this.list, this.more, item.audit || (this.context.state.person && this.context.state.person.role !== "lead") ? null : this.many());
  }

  /** Many items at once: by how many gave the same, or as one annotator did. */
  many() {
    const { item } = this;
    const most = Math.max(...item.choices.map((choice) => choice.people.length), item.annotators.length);
    const rules = [...Array.from({ length: Math.max(0, most - 1) }, (_, place) => [{ agree: place + 2 }, "at least " + (place + 2) + " gave the same"]),
      ...item.annotators.map((name) => [{ annotator: name }, "as " + visible(name) + " did"])];
    const told = element("p", { class: "quiet", role: "status" });
    const settle = element("button", { type: "button", disabled: true, click: () => { this.words = "a rule"; this.sent = { ...this.event({ kind: "rule", value: rules[Number(select.value)][0] }), item: "", base: newest, fingerprint: "" }; outbox.add(this.sent); } }, "Settle these");
    const preview = async () => {
      settle.disabled = true;
      if (select.value === "") { told.textContent = ""; return; }
      const data = await get("/rule.json", { question: item.question, rule: JSON.stringify(rules[Number(select.value)][0]) });
      settle.disabled = !data.settles;
      told.textContent = "Settles " + data.settles.toLocaleString("en") + " that wait" + (data.first.length ? ": " + data.first.map(({ id, words }) => visible(id) + " " + visible(words)).join("; ") + (data.settles > data.first.length ? "; …" : "") : ".");
    };
    const select = element("select", { id: "rule", change: preview }, element("option", { value: "" }, "–"), ...rules.map(([, words], place) => element("option", { value: place }, words)));
    this.rules = element("ul", { class: "rules" });
    return element("details", { class: "many" }, element("summary", {}, "Settle many at once"), element("label", { class: "field", for: "rule" }, "Take the answer where"), select, told, settle, this.rules);
  }

  async fill(further = false) {
    const { item } = this;
    const offset = further ? this.list.children.length : 0;
    const data = await get("/queue.json", { question: item.question, show: this.show.value, offset, blind: item.blind ? 1 : null, audit: item.audit ? 1 : null }).catch(() => null);
    if (!data) return;
    const rows = data.rows.map((row) => element("li", {}, element("a", {
      href: address("/decide", { question: item.question, item: row.item }), "aria-current": row.item === item.item ? "true" : null },
    element("bdi", {}, visible(row.id)), element("span", { class: "quiet" }, row.status === "open" ? row.type : row.status))));
    if (this.rules) this.rules.replaceChildren(...data.rules.map((rule, place) => element("li", {}, visible(rule.words) + " ", place ? null : element("button", { type: "button", click: () => this.undo({ question: item.question, item: "", base: data.base }) }, "Take back"))));
    if (data.rules.length) this.rules.parentElement.open = true;
    if (further) this.list.append(...rows);
    else this.list.replaceChildren(...(rows.length ? rows : [element("li", { class: "quiet" }, "none")]));
    this.more.hidden = this.list.children.length >= data.total;
  }

  /** What others decided meanwhile, and answers that came, appear; what is chosen here stays. */
  async watch() {
    if (this.sent) return; // the answer to it brings the next item
    const { item } = this;
    const look = (words) => {
      if (this.problem.querySelector("table")) return; // two decisions, of which one is to be chosen
      this.problem.replaceChildren(element("p", {}, words), element("button", { type: "button", click: () => this.context.show() }, "Look at it"));
    };
    try {
      const [now] = await Promise.all([get("/decide.json", { question: item.question, item: item.item, blind: item.blind ? 1 : null }), this.fill()]);
      newest = Math.max(newest, now.base);
      this.count.replaceChildren(...this.counted(now));
      const [before, after] = [item.standing, now.standing].map((standing) => standing && standing.seq);
      if (after !== before && after) look("Meanwhile " + visible(now.standing.who) + " decided: " + visible(now.standing.words) + ".");
      else if (now.fingerprint !== item.fingerprint) look("Meanwhile the answers to this item changed.");
    } catch (failure) {
      if (failure.status === 404) look("Meanwhile annotators agree on this item.");
      // Else the server is gone, or lets nobody in: whatever is sent next says so.
    }
  }

  counted(item) {
    const waiting = item.counts.open + item.counts.changed;
    return [element("strong", {}, waiting.toLocaleString("en")), " waiting, " + (item.of - waiting).toLocaleString("en") + " of " + item.of.toLocaleString("en") + " settled"];
  }

  // ------------------------------------------------------------------------------------------------- the item

  middle() {
    const { item } = this;
    const view = element("div", { class: "view" });
    interagree.views[item.about.view](view, item.drawn, this.data);
    if (this.editor && this.editor.over) this.editor.over(view);
    const editing = Object.hasOwn(BESIDE, item.editor) ? this.editing(BESIDE[item.editor], item.editor !== "spans") : null;
    const remarks = item.remarks.map(([who, column, said]) => element("li", { dir: "auto" }, this.name(who), " " + visible(column) + ": " + visible(said)));
    return element("section", { class: "pane item-pane", "aria-labelledby": "item" },
      element("header", {}, element("h1", { id: "item", dir: "auto" }, visible(item.id)),
        element("span", { class: "badge" }, item.type), element("span", { class: "quiet" }, "rank " + item.rank + " of " + item.of), this.around = element("span", { class: "quiet", role: "status" })),
      item.status === "changed" ? element("p", { class: "notice" }, "The answers changed after this was decided. The decision is kept; decide again.") : null,
      ...(item.editor === "spans" ? [editing, view] : [view, editing]),
      remarks.length ? element("div", {}, element("h2", {}, "What annotators remarked"), element("ul", { class: "remarks" }, ...remarks)) : null,
      item.drawn.where ? element("p", { class: "quiet where", dir: "auto" }, visible(item.drawn.where)) : null);
  }

  editing(title, open) {
    return element("details", { class: "editing", open }, element("summary", {}, title, element("kbd", {}, "e")), this.editor.root);
  }

  name(who) {
    const person = this.people.get(who);
    return person ? drawing.who(person) : element("bdi", {}, String(who));
  }

  // --------------------------------------------------------------------------------------------- the decision

  side() {
    const { item } = this;
    const button = (choice, key, words, ...more) => {
      const made = element("button", { type: "button", class: "choice", "aria-pressed": "false", click: () => this.choose(choice) },
        key ? element("kbd", {}, key) : element("span", { class: "no-key" }), element("span", { class: "said", dir: "auto" }, words, ...more));
      this.buttons.push([choice, made]);
      return made;
    };
    this.choices = item.choices.map((choice) => ({ kind: "decide", stored: choice.stored, edit: choice.edit, letter: choice.letter, words: choice.words }));
    const answers = item.choices.map((choice, place) => button(this.choices[place], choice.letter, element("span", { class: "words" }, visible(choice.words)),
      element("span", { class: "by" }, ...drawing.crowd(choice.people, (who) => this.name(who)), choice.suggested ? drawing.suggestion() : null)));
    const same = (edit) => edit && item.agreed && JSON.stringify([...edit].sort()) === JSON.stringify([...item.agreed.edit].sort());
    this.agreed = item.agreed && !item.choices.some(({ edit }) => same(edit)) ? { kind: "decide", value: item.agreed.edit, edit: item.agreed.edit, words: item.agreed.words } : null;
    if (this.agreed) answers.push(button(this.agreed, "o", element("span", { class: "words" }, visible(item.agreed.words)), element("span", { class: "by" }, "only what all agree on")));
    this.nothing = { kind: "nothing" };
    this.cannot = { kind: "cannot" };
    const note = element("p", { class: "quiet" }, item.kind.charAt(0).toUpperCase() + item.kind.slice(1) + " are chosen whole here, and not edited.");
    this.reason = element("select", { id: "reason" }, element("option", { value: "" }, "–"), ...this.context.state.reasons.map((reason) => element("option", { value: reason }, visible(reason))));
    this.comment = element("textarea", { id: "comment", rows: 2, dir: "auto" });
    const { person } = this.context.state;
    this.who = element("input", { id: "who", disabled: Boolean(person), value: person ? person.name : remembered("who") || "", placeholder: "your name", autocomplete: "off", change: () => remember("who", this.who.value.trim()) });
    this.save = element("button", { type: "button", class: "main", disabled: true, click: () => this.keep() }, "Save ", element("kbd", {}, "Enter"));
    const standing = item.standing;
    return element("section", { class: "pane side-pane", "aria-label": "Decision" },
      standing ? element("div", { class: "standing" }, element("p", { dir: "auto" }, element("strong", {}, "Decided: "), visible(standing.words)),
        element("p", { class: "quiet" }, "by " + visible(standing.who) + ", " + new Date(standing.time).toLocaleString() + (standing.blind ? ", names hidden" : "") + (standing.reason ? " · " + visible(standing.reason) : "")),
        standing.comment ? element("p", { dir: "auto" }, visible(standing.comment)) : null) : null,
      item.ruled ? element("div", { class: "standing" }, element("p", { dir: "auto" }, element("strong", {}, "By rule: "), visible(item.ruled.words)), element("p", { class: "quiet" }, visible(item.ruled.rule) + "; a decision here goes before it")) : null,
      element("h2", {}, "Take an answer"), element("div", { class: "choices", role: "group", "aria-label": "Answers" }, ...answers),
      this.editor ? (Object.hasOwn(BESIDE, item.editor) ? null : this.editing(item.editor === "label" ? "Or another label " : "Or edit it ", true)) : note,
      element("div", { class: "choices others", role: "group", "aria-label": "Other decisions" },
        button(this.nothing, "n", item.nothing ? "Nothing is right here (" + item.nothing + ")" : "Nothing is right here"), button(this.cannot, "x", "Cannot be decided")),
      element("div", { class: "why" }, element("label", { class: "field", for: "reason" }, "Reason"), this.reason, this.reasons(),
        element("label", { class: "field", for: "comment" }, "Comment"), this.comment),
      this.problem = element("div", { class: "problem", role: "alert" }),
      element("div", { class: "actions" }, this.save,
        element("button", { type: "button", click: () => this.keep({ kind: "skip" }) }, "Skip ", element("kbd", {}, "s")),
        element("button", { type: "button", click: () => this.undo() }, "Undo ", element("kbd", {}, "u"))),
      this.settings());
  }

  reasons() {
    const lines = element("textarea", { id: "reasons", rows: 5 });
    lines.value = this.context.state.reasons.join("\n");
    const said = element("span", { role: "status" });
    const keep = async () => {
      const value = lines.value.split("\n").map((line) => line.trim()).filter(Boolean);
      try {
        await post("/decide.json", { op: newOp(), base: newest, question: "", item: "", kind: "reasons", fingerprint: "", value });
        const before = this.reason.value;
        this.context.state.reasons = value;
        this.reason.replaceChildren(element("option", { value: "" }, "–"), ...value.map((reason) => element("option", { value: reason, selected: reason === before }, visible(reason))));
        said.textContent = "saved";
      } catch (failure) {
        said.textContent = failure.message;
      }
    };
    return element("details", { class: "reasons" }, element("summary", {}, "Edit the reasons"), element("label", { for: "reasons" }, "One in each line"), lines,
      element("button", { type: "button", click: keep }, "Save the list"), said);
  }

  settings() {
    const box = (name, label, changed) => {
      const input = element("input", { type: "checkbox", change: () => { remember(name, input.checked); changed(); } });
      input.checked = name === "blind" ? this.blind : remembered(name) !== false;
      return element("label", { class: "tick" }, input, label);
    };
    const keys = [["a b …", "take an answer"], ["o", "only what all agree on"], ["Enter", "save, next item"], ["n", "nothing is right here"], ["x", "cannot be decided"], ["s", "skip"], ["e", "edit"], ["r", "reason"], ["u", "undo"], ["Ctrl+Enter", "save from a text field"]];
    return element("div", { class: "settings" }, box("blind", "Hide names, shuffle answers", () => this.context.show()), box("letter-keys", "Letter keys", () => {}),
      element("label", { class: "field", for: "who" }, "Decided by"), this.who,
      element("details", {}, element("summary", {}, "Keys"), element("dl", {}, ...keys.flatMap(([key, words]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, words)]))));
  }

  choose(choice) {
    this.chosen = choice;
    if (choice.kind === "decide" && this.editor && choice.edit !== null && choice.edit !== undefined) this.editor.set(choice.edit);
    this.mark();
  }

  mark() {
    for (const [choice, button] of this.buttons) button.setAttribute("aria-pressed", String(choice === this.chosen));
    this.root.classList.toggle("edited", Boolean(this.chosen) && !this.buttons.some(([choice]) => choice === this.chosen));
    this.save.disabled = !this.chosen || Boolean(this.context.state.person && this.context.state.person.role === "look");
  }

  // -------------------------------------------------------------------------------------------------- saving

  event(more) {
    const { item } = this;
    return {
      op: newOp(), base: item.base, question: item.question, item: item.item, fingerprint: item.fingerprint, blind: item.blind,
      who: this.who.value.trim() || null, reason: this.reason.value, comment: this.comment.value.trim(),
      seconds: Math.round((performance.now() - this.began) / 100) / 10, ...more,
    };
  }

  keep(chosen = this.chosen) {
    if (!chosen || this.sent) return;
    if (this.context.state.person && this.context.state.person.role === "look") { interagree.tell("You may look, and not decide"); return; }
    const { kind } = chosen;
    const value = kind !== "decide" ? {} : "value" in chosen ? { value: chosen.value } : { stored: chosen.stored };
    this.words = chosen.words || (kind === "decide" ? "an edited answer" : kind);
    this.sent = this.event({ kind, ...value });
    this.save.disabled = true;
    outbox.add(this.sent);
  }

  answered(event, answer, failure) {
    if (answer) newest = Math.max(newest, answer.event.seq);
    if (event.kind === "undo") this.undone(event, answer, failure);
    else if (answer) past.push({ question: event.question, item: event.item, base: answer.event.seq });
    if (this.sent && event.op === this.sent.op) {
      this.sent = null;
      if (failure) this.refused(event, failure);
      else {
        interagree.tell("Saved");
        const path = event.item === "" ? { question: event.question } : event.kind === "undo" ? { question: event.question, item: event.item } : { question: event.question, after: event.item };
        this.context.go(address("/decide", path)).then(() => scrollTo(0, 0));
      }
    } else if (failure) this.problem.replaceChildren(element("p", {}, "An earlier decision was refused: " + visible(failure.message)));
  }

  /** What was taken back goes; where somebody decided on the item meanwhile, it stays until it is said what is to be done. */
  undone(event, answer, failure) {
    if (!answer && failure.body && failure.body.theirs) return;
    this.forget(event);
    if (answer) for (const entry of past) if (entry.question === event.question && entry.item === event.item) entry.base = answer.event.seq;
  }

  forget(event) {
    const place = past.findLastIndex((entry) => entry.question === event.question && entry.item === event.item);
    if (place >= 0) past.splice(place, 1);
  }

  refused(event, failure) {
    this.mark();
    const { theirs } = failure.body || {};
    const keep = () => { if (event.kind === "undo") this.forget(event); this.context.show(); };
    const again = () => { this.item.base = theirs.seq; this.sent = { ...event, op: newOp(), base: theirs.seq }; this.problem.replaceChildren(); outbox.add(this.sent); };
    this.problem.replaceChildren(element("p", {}, visible(failure.message.charAt(0).toUpperCase() + failure.message.slice(1)) + "."),
      ...(theirs ? [element("table", {}, element("tbody", {},
        element("tr", {}, element("th", { scope: "row" }, "You"), element("td", { dir: "auto" }, visible(this.words))),
        element("tr", {}, element("th", { scope: "row" }, visible(theirs.who)), element("td", { dir: "auto" }, theirs.kind === "rule" && this.blind ? "a rule" : visible(theirs.words))))),
      element("div", { class: "actions" }, element("button", { type: "button", class: "main", click: keep }, "Keep theirs"),
        element("button", { type: "button", click: again }, event.kind === "undo" ? "Take theirs back" : "Decide as I did"))] : [element("button", { type: "button", click: () => this.context.show() }, "Look again")]));
  }

  undo(named = null) {
    if (this.sent) return;
    const { item } = this;
    const last = named || past.at(-1) || (item.standing ? { question: item.question, item: item.item, base: item.base } : null);
    if (!last) { interagree.tell("Nothing to undo"); return; }
    this.sent = { op: newOp(), kind: "undo", fingerprint: "", blind: this.item.blind, who: this.who.value.trim() || null, ...last };
    this.words = "taken back";
    outbox.add(this.sent);
  }

  // ---------------------------------------------------------------------------------------------------- keys

  pressed(event) {
    if (event.defaultPrevented || event.altKey) return;
    const { target } = event;
    const typing = target.closest("textarea, select, input:not([type=checkbox]):not([type=radio])");
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); this.keep(); return; }
    if (event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" && !target.closest("textarea, select, summary, a, button:not(.choice)")) {
      if (target.closest("button.choice") && target.getAttribute("aria-pressed") !== "true") return;
      event.preventDefault();
      if (typing) typing.dispatchEvent(new Event("change"));
      this.keep();
      return;
    }
    if (event.key === "Escape" && typing) { target.blur(); return; }
    if (typing || remembered("letter-keys") === false) return;
    const choice = this.choices.find(({ letter }) => letter === event.key);
    const act = choice ? () => this.choose(choice) : Object.hasOwn(OTHERS, event.key) && this[OTHERS[event.key]] ? () => this.choose(this[OTHERS[event.key]])
      : { s: () => this.keep({ kind: "skip" }), u: () => this.undo(), e: () => this.edit(), r: () => this.reason.focus() }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  edit() {
    if (!this.editor) return;
    this.root.querySelector("details.editing").open = true;
    this.editor.focus();
  }
}
