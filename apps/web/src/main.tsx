import { render } from "preact";
import { isListingParameter, present } from "@gpu-offers/domain";
import { App } from "./app.js";
import { keepFocus } from "./focus.js";
import laterStyles from "./later.css?url";
import { MARKET_NAME, Page } from "./page.js";
import { browserStorage } from "./storage.js";

// The first rows are in the HTML. They stay until the list is loaded and the query is read; then the page takes over, with
// what was typed so far. They also stay if that fails, which is said, or if the catalog is too large for the list.

const root = present(document.querySelector<HTMLElement>("#app") ?? undefined);
const page = new Page(() =>
  Promise.all([import("./later.js"), loadLaterStyles()])
    .then(([later]) => later)
    .catch(() => {
      throw new Error("A part of the page can't be loaded.");
    }),
);
page.parts.market.value = root.querySelector("#market") ?? undefined;
const market = root.querySelector<HTMLDetailsElement>("#market details");
if (market !== null && browserStorage.getItem(MARKET_NAME) !== null) {
  market.open = false;
  page.toggleMarket(market);
}
const stateBox = document.createElement("div");
const fields = (): (HTMLInputElement | HTMLSelectElement)[] => [
  ...root.querySelectorAll<HTMLInputElement | HTMLSelectElement>("form.query :is(input:not([type=hidden]), select)"),
];
const servedValue = (field: HTMLInputElement | HTMLSelectElement): string =>
  field instanceof HTMLInputElement
    ? field.defaultValue
    : (field.querySelector<HTMLOptionElement>("[selected]")?.value ?? "");
const typed = () => fields().filter((field) => field.value !== servedValue(field));
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
    root.querySelector<HTMLElement>(`.query [name=${focused}]`)?.focus();
  }
};
const unsubscribe = page.subscribe(draw);
root.addEventListener("input", draw);
void page.start();

function loadLaterStyles(): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers();
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: laterStyles });
  link.addEventListener("load", resolve);
  link.addEventListener("error", reject);
  document.head.append(link);
  return promise;
}

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
