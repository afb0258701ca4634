import { render } from "preact";
import { isListingParameter, present } from "@gpu-offers/domain";
import { App } from "./app.js";
import { copyRows } from "./copy-rows.js";
import { keepFocus } from "./focus.js";
import { Page } from "./page.js";

// The first rows are in the HTML. They stay until the list is loaded and the query is read; then the page takes over, with
// what was typed so far. They also stay if that fails, which is said, or if the catalog is too large for the list.

const root = present(document.querySelector<HTMLElement>("#app") ?? undefined);
const page = new Page(() =>
  import("./later.js").catch(() => {
    throw new Error("A part of the page can't be loaded.");
  }),
);
page.parts.market.value = root.querySelector("#market") ?? undefined;
const stateBox = document.createElement("div");
const fields = (): HTMLInputElement[] => [
  ...root.querySelectorAll<HTMLInputElement>("form.query input:not([type=hidden])"),
];
const typed = (): HTMLInputElement[] => fields().filter(({ value, defaultValue }) => value !== defaultValue);
const draw = (): void => {
  const { result, keyProblem, isTooLarge } = page.state;
  if (result === undefined && keyProblem === undefined) {
    const failed = [page.parts.list, page.parts.later].find(({ problem }) => problem !== undefined);
    if (root.querySelector("table") !== null) {
      showState(isTooLarge ? undefined : failed?.problem);
      return;
    }
    if (failed === undefined) {
      return;
    }
  }
  unsubscribe();
  root.removeEventListener("input", draw);
  const changes = typed().flatMap(({ name, value }) => (isListingParameter(name) ? [[name, value] as const] : []));
  const focused = fields().find((field) => field === document.activeElement)?.name;
  root.replaceChildren();
  render(<App page={page} />, root);
  keepFocus(root);
  if (changes.length > 0) {
    page.setAll(changes);
  }
  if (focused !== undefined) {
    root.querySelector<HTMLInputElement>(`.query [name=${focused}]`)?.focus();
  }
};
const unsubscribe = page.subscribe(draw);
root.addEventListener("input", draw);
copyRows();
void page.start();

/** Says above the first rows why they aren't all, or that they don't follow what was typed. */
function showState(problem: string | undefined): void {
  const stays = typed().length > 0 ? "These rows don't follow what you typed yet." : "These are the first offers.";
  const retry = (): void => Object.values(page.parts).forEach((part) => part.retry());
  root.querySelector("header")?.after(stateBox);
  render(
    problem !== undefined || typed().length > 0 ? (
      <p class="notice state" role="alert">
        {problem ?? "The list is loading."} {stays}{" "}
        {problem !== undefined && (
          <button class="link" onClick={retry}>
            Retry
          </button>
        )}
      </p>
    ) : null,
    stateBox,
  );
}
