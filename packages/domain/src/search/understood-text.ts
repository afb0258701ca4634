import type { Understood } from "./search-term.js";

/** A reading in words, with what is doubtful in it: `under $2: below $2 per GPU-hour`. */
export function understoodText({ text, as, doubt, instead }: Understood): string {
  const other = instead === undefined || instead === "" ? "" : `; or write ${JSON.stringify(instead)}`;
  return `${text}: ${as}${doubt === undefined ? "" : ` (${doubt}${other})`}`;
}
