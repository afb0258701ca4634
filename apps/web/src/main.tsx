import { render } from "preact";
import { App } from "./app.js";
import { Page } from "./page-state.js";

// The first rows are in the HTML. They stay until the list is loaded; then the page takes over, with what was typed so far.

const root = document.getElementById("app");
if (root === null) {
  throw new Error("The page has no element #app.");
}
const page = new Page(location.search);
const stop = page.subscribe(() => {
  const { result, failure, keyProblem } = page.state;
  if (result === undefined && failure === undefined && keyProblem === undefined) {
    return;
  }
  stop();
  const field = document.querySelector<HTMLInputElement>("#q");
  const typed = field === null || field.value === field.defaultValue ? undefined : field.value;
  const isFocused = field !== null && document.activeElement === field;
  root.replaceChildren();
  render(<App page={page} />, root);
  if (typed !== undefined) {
    page.set("q", typed);
  }
  if (isFocused) {
    document.querySelector<HTMLInputElement>("#q")?.focus();
  }
});
void page.start();
