import type * as LaterModule from "./later.js";
import type { Page } from "./page.js";

/** What opens beside the list; undefined until it is loaded. */
export function panesOf(page: Page): typeof LaterModule | undefined {
  // The state knows only the words of it, because the panes know the state
  return page.parts.later.value as typeof LaterModule | undefined;
}
