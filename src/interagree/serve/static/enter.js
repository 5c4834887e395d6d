/* A name and a password, where a team works on a project. */

import { enter, leave } from "./net.js";
import { page } from "./pages.js";

const { element, visible } = interagree;

export function door({ show }) {
  const said = element("p", { class: "problem", role: "alert" });
  const name = element("input", { id: "name", autocomplete: "username", required: true });
  const password = element("input", { id: "password", type: "password", autocomplete: "current-password", required: true });
  const come = async () => {
    said.textContent = "";
    try {
      await enter(name.value.trim(), password.value);
      await show();
    } catch (failure) {
      said.textContent = failure.message;
      password.select();
    }
  };
  const entered = (event) => { if (event.key === "Enter") come(); };
  for (const input of [name, password]) input.addEventListener("keydown", entered);
  return page("Sign in", element("section", { class: "door" },
    element("label", { class: "field", for: "name" }, "Name"), name, element("label", { class: "field", for: "password" }, "Password"), password, said,
    element("p", {}, element("button", { type: "button", class: "main", click: come }, "Sign in"))));
}

/** Who is here, and the way out. */
export const badge = (person, show) => element("span", { class: "person" }, element("bdi", {}, visible(person.name)), " (" + person.role + ") ",
  element("button", { type: "button", click: async () => { await leave().catch(() => {}); await show(); } }, "Sign out"));
