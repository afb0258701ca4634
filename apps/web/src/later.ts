// What the page loads once its list is shown, in one request: the words and names of queries, the figures of GPUs (see
// vite.config.ts), and what opens beside the list. No other module may import these statically, or the first list waits for them.

import { jobWords as readJob, memoizeLast } from "@gpu-offers/list";
import { copyRows } from "./copy-rows.js";

export { ComparePane } from "./compare-pane.js";
export { KeyForm } from "./key-form.js";
export { CheaperSince } from "./last-visit.js";
export { Doors } from "./doors.js";
export { percentOfMedian } from "./price-against-median.js";
export { DetailsPane } from "./details-pane.js";
export { Facets } from "./facets.js";
export { NothingFound } from "./nothing-found.js";
export { ReadAs } from "./read-as.js";
export { ListingCatalog } from "@gpu-offers/domain";
export { withoutJobWords } from "@gpu-offers/list";

/** Every control of the job asks for them. */
export const jobWords = memoizeLast(readJob);

copyRows();
