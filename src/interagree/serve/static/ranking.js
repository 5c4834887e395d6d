/* The editor of rankings: entries are moved with the keys, with buttons, and with the mouse or a finger. */

const { element, visible } = interagree;

export function ranking(item, changed) {
  const state = { order: [], at: 0 };
  const called = (entry) => visible(item.options[entry]);
  const list = element("ol", { class: "ranks", role: "listbox", "aria-label": "The ranking that you decide on, best first", "aria-describedby": "rank-keys" });
  const rest = element("div", { class: "choices-row" });
  const button = (words, act) => element("button", { type: "button", click: () => { if (state.order.length) act(); } }, words);
  const tools = element("div", { class: "choices-row", role: "group", "aria-label": "Move the chosen entry" }, button("↑ Up", () => move(state.at - 1)), button("↓ Down", () => move(state.at + 1)),
    button("To the top", () => move(0)), button("Take out", () => out(state.at)));

  function done(focus) {
    draw();
    if (focus && list.children[state.at]) list.children[state.at].focus();
    changed([...state.order]);
  }

  function move(to, focus = false) {
    if (to < 0 || to >= state.order.length || to === state.at) return;
    const [entry] = state.order.splice(state.at, 1);
    state.order.splice(to, 0, entry);
    state.at = to;
    done(focus);
    interagree.tell(called(entry) + ", " + (to + 1) + " of " + state.order.length);
  }

  function out(place, focus = false) {
    const [entry] = state.order.splice(place, 1);
    state.at = Math.max(0, Math.min(place, state.order.length - 1));
    done(focus);
    interagree.tell(called(entry) + " taken out");
  }

  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = state.order.length - 1;
    const to = { ArrowUp: state.at - 1, ArrowDown: state.at + 1, Home: 0, End: last }[event.key];
    let act = null;
    if (to !== undefined && event.shiftKey) act = () => move(to, true);
    else if (to !== undefined) act = () => { state.at = Math.max(0, Math.min(last, to)); draw(); list.children[state.at].focus(); };
    else if ((event.key === "Delete" || event.key === "Backspace") && last >= 0) act = () => out(state.at, true);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  function grabbed(event, place) {
    if (event.button || (event.pointerType === "touch" && !event.target.closest(".grip"))) return; // elsewhere a finger scrolls
    event.preventDefault();
    const before = state.order.join();
    state.at = place;
    draw();
    list.children[place].focus({ preventScroll: true });
    const over = (next) => {
      const to = [...list.children].findIndex((row) => next.clientY < row.getBoundingClientRect().bottom);
      const now = to < 0 ? state.order.length - 1 : to;
      if (now === state.at) return;
      state.order.splice(now, 0, state.order.splice(state.at, 1)[0]);
      state.at = now;
      draw();
    };
    const end = () => {
      removeEventListener("pointermove", over);
      for (const kind of ["pointerup", "pointercancel"]) removeEventListener(kind, end);
      if (state.order.join() !== before) done(true);
    };
    addEventListener("pointermove", over);
    for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, end);
  }

  function draw() {
    list.replaceChildren(...state.order.map((entry, place) => element("li", {
      role: "option", tabindex: place === state.at ? "0" : "-1", "aria-selected": place === state.at ? "true" : "false", "aria-posinset": place + 1, "aria-setsize": state.order.length,
      keydown: pressed, pointerdown: (event) => grabbed(event, place), focus: () => { if (state.at !== place) { state.at = place; draw(); list.children[place].focus(); } } },
    element("span", { class: "grip", "aria-hidden": "true" }, "⠿"), element("span", { class: "quiet" }, place + 1 + "."), element("bdi", {}, called(entry)))));
    const missing = item.options.map((_, entry) => entry).filter((entry) => !state.order.includes(entry));
    rest.replaceChildren(...missing.map((entry) => element("button", { type: "button", "aria-label": "Rank " + called(entry) + " last", click: () => { state.order.push(entry); state.at = state.order.length - 1; done(true); } }, "+ ", element("bdi", {}, called(entry)))));
    others.hidden = !missing.length;
  }

  const others = element("div", {}, element("p", { class: "field" }, "Not ranked"), rest);
  const first = item.choices.find((choice) => choice.suggested && choice.edit) || item.choices.find((choice) => choice.edit);
  state.order = first ? [...first.edit] : [];
  draw();
  return {
    root: element("div", {}, element("p", { class: "quiet", id: "rank-keys" }, "Best first; you begin with the answer taken. ↑ ↓ go from entry to entry, with Shift they move it, Home and End to an end; Delete takes it out. Or drag it."), list, tools, others),
    set: (value) => { state.order = [...value]; state.at = 0; draw(); },
    focus: () => (list.children[state.at] || rest.firstChild || list).focus(),
  };
}
