import { render } from "preact";
import { isListingParameter } from "@gpu-offers/domain";
import { App } from "./app.js";
import { keepFocus } from "./focus.js";
import { Page } from "./page.js";

// The first rows are in the HTML. They stay until the list is loaded; then the page takes over, with what was typed so far.
// They also stay if it can't be loaded, or if the catalog is too large for it.

const root = document.getElementById("app");
if (root === null) {
  throw new Error("The page has no element #app.");
}
const page = new Page(() => import("./later.js"));
const stop = page.subscribe(() => {
  const { result, failure, keyProblem, isTooLarge, address } = page.state;
  if (result === undefined && keyProblem === undefined) {
    if (failure === undefined) {
      return;
    }
    if (address.view === "list" && root.querySelector("table") !== null) {
      if (!isTooLarge) {
        showFailure(root, failure);
      }
      return;
    }
  }
  stop();
  const fields = [...root.querySelectorAll<HTMLInputElement>("form.query input:not([type=hidden])")];
  const typed = fields.flatMap(({ name, value, defaultValue }) =>
    isListingParameter(name) && value !== defaultValue ? [[name, value] as const] : [],
  );
  const focused = fields.find((field) => field === document.activeElement)?.name;
  root.replaceChildren();
  render(<App page={page} />, root);
  keepFocus(root);
  if (typed.length > 0) {
    page.setAll(typed);
  }
  if (focused !== undefined) {
    root.querySelector<HTMLInputElement>(`.query [name=${focused}]`)?.focus();
  }
});
void page.start();

/** Says above the first rows why they aren't all. */
function showFailure(parent: HTMLElement, failure: string): void {
  const line = parent.querySelector("[role=alert]") ?? document.createElement("p");
  line.className = "notice";
  line.setAttribute("role", "alert");
  line.textContent = `${failure} These are the first offers.`;
  parent.querySelector("header")?.after(line);
}
