import { CHOOSABLE_COLUMNS } from "../picker/pane-actions.js";
import { countText } from "../output/count-text.js";
import { facetRows, type FacetRow } from "../picker/facets.js";
import { BINDINGS, CONTEXT_TITLES, CONTEXTS, keyText, type Context } from "../picker/keys.js";
import { currentOffer } from "../picker/offer-view.js";
import { contextOf, listHeight, type PickerState } from "../picker/state.js";
import { fit, printable } from "../text/width.js";
import { balanceText } from "./header-lines.js";
import { BLANK, line, pair, piece, type Line } from "./line.js";
import { offerFacts } from "./offer-words.js";

// The panes that cover the list.

/** Lines around a cursor that fit; the cursor stays away from the edges as long as there is something behind them. */
function around(lines: readonly Line[], cursor: number, height: number): Line[] {
  const top = Math.max(0, Math.min(cursor - Math.floor(height / 2), lines.length - height));
  return lines.slice(top, top + height);
}

/** The facets with their counts. */
export function facetLines(state: PickerState): Line[] {
  const rows = facetRows(state.held.offers, state.query.filter);
  const lines: Line[] = [];
  let group = "";
  let place = 0;
  for (const [index, row] of rows.entries()) {
    if (row.kind === "value" && row.group !== group) {
      group = row.group;
      lines.push(BLANK, line(`   ${group}`, "muted"));
    }
    if (index === state.facetCursor) {
      place = lines.length;
    }
    lines.push(facetLine(state, row, index === state.facetCursor));
  }
  const title = line(" Facets   Space sets a value, digits type a number, Backspace erases", "muted");
  return [title, ...around(lines, place, listHeight(state) + 1)];
}

function facetLine(state: PickerState, row: FacetRow, isCurrent: boolean): Line {
  const pointer = piece(isCurrent ? " ❯ " : "   ", "accent");
  const role = isCurrent ? "strong" : "plain";
  switch (row.kind) {
    case "number": {
      const text = (isCurrent ? state.facetDraft : undefined) ?? String(row.value ?? "");
      const field = isCurrent ? [piece(text, "strong"), piece(" ", "cursor")] : [piece(text, "strong")];
      return [pointer, piece(fit(row.facet.label, 18), role), piece("[ "), ...field, piece(" ]")];
    }
    case "flag":
      return [pointer, piece(`[${row.isSet ? "x" : " "}] ${row.label}`, role)];
    case "value": {
      const text = `[${row.isSet ? "x" : " "}] ${fit(row.label, 28)} `;
      return [pointer, piece(text, role), piece(countText(row.count).padStart(6), "muted")];
    }
  }
}

/** The choice of columns. */
export function columnLines({ columnCursor, hiddenColumns }: PickerState): Line[] {
  const lines = CHOOSABLE_COLUMNS.map(({ id, title, dropRank }, index): Line => {
    const isCurrent = index === columnCursor;
    const mark = dropRank === undefined ? "always" : hiddenColumns.has(id) ? "[ ]   " : "[x]   ";
    return [piece(isCurrent ? " ❯ " : "   ", "accent"), piece(`${mark} ${title}`, isCurrent ? "strong" : "plain")];
  });
  return [line(" Columns   those that do not fit are left out all the same", "muted"), BLANK, ...lines];
}

/** Everything that is known of the offer under the cursor. */
export function detailLines(state: PickerState): Line[] {
  const offer = currentOffer(state.view);
  if (offer === undefined) {
    return [line(" No offer under the cursor.", "muted")];
  }
  return offerFacts(offer, state.query.filter.diskGb, state.credit?.balance).map(([name, value]) => pair(name, value));
}

/** Whose key it is, and the credit. */
export function accountLines({ credit }: PickerState): Line[] {
  if (credit === undefined) {
    return [line(" No account: set GPU_OFFERS_API_KEY to your API key.")];
  }
  const { account, balance, fault } = credit;
  return [
    ...(fault === undefined ? [] : [line(` ${fault.message}`, "warning"), BLANK]),
    pair("account", printable(account?.display_name ?? "...")),
    pair("e-mail", printable(account?.email ?? "...")),
    pair("since", account?.created_at.slice(0, 10) ?? "..."),
    pair("balance", balance === undefined ? "..." : `$${balanceText(balance.balance)}`),
  ];
}

/** The keys that work where help was asked for, and those that work everywhere. */
export function helpLines(state: PickerState): Line[] {
  const context = contextOf({ ...state, pane: state.paneUnderHelp });
  const here = BINDINGS.filter((binding) => binding.in.includes(context) && !isEverywhere(binding.in));
  const shared = BINDINGS.filter((binding) => isEverywhere(binding.in));
  return inColumns(
    [
      line(` ${CONTEXT_TITLES[context]}`, "accent"),
      ...here.map(helpLine),
      line(" everywhere", "accent"),
      ...shared.map(helpLine),
    ],
    state,
  );
}

function helpLine({ keys, help }: (typeof BINDINGS)[number]): Line {
  return [piece(`  ${fit(shortKeys(keys), 12)} `, "strong"), piece(help)];
}

function isEverywhere(contexts: readonly Context[]): boolean {
  return contexts.length === CONTEXTS.length;
}

/** Keys with a space between; a row of digits is a range. */
export function shortKeys(keys: readonly string[]): string {
  return keys.length > 2 && keys.every((key) => /^\d$/.test(key))
    ? `${keys[0]}–${keys.at(-1)}`
    : keys.map(keyText).join(" ");
}

/** Lines in as many columns as there is room for, each as wide as the help of a key needs. */
function inColumns(lines: readonly Line[], { columns, rows }: PickerState): Line[] {
  const width = 40;
  const height = rows - 5;
  const count = Math.max(1, Math.floor(columns / width));
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: count }, (__, column) => lines[column * height + row] ?? BLANK).flatMap((cell) =>
      fitted(cell, width),
    ),
  );
}

function fitted(cell: Line, width: number): Line {
  const [first, ...others] = cell;
  const used = first?.text.length ?? 0;
  return first === undefined
    ? line(" ".repeat(width))
    : [
        first,
        ...(others.length === 0
          ? [piece(" ".repeat(Math.max(0, width - used)))]
          : others.map((other) => piece(fit(other.text, width - used), other.role))),
      ];
}
