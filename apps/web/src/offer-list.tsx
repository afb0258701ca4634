import type { FunctionComponent, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { AnySortKey } from "@gpu-offers/domain";
import { findWorthColumn, memoizeLast, type ListingRow, type Address } from "@gpu-offers/list";
import { NothingFound } from "./nothing-found.js";
import type { Catalog } from "./catalog.js";
import { cellTitle } from "./offer-cells.js";
import { layoutOf, nameWidthOf, type Layout } from "./list-layout.js";
import { Row } from "./offer-row.js";
import type { Page } from "./page.js";
import { useSeenRows } from "./seen-rows.js";

/** Rows rendered beyond the visible ones on each side. */
const MARGIN = 6;

/** The table of offers. Only rows near the visible ones are rendered, and the row with the cursor. */
export const OfferList: FunctionComponent<{ page: Page }> = ({ page }) => {
  const { catalog, result } = page.state;
  const box = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const rows = page.rows;
  const sort = result?.selection.sort;
  const worth = sort && findWorthColumn(sort.sort);
  const layoutAt = (width: number, rem: number): Layout =>
    layoutOf(width, {
      nameWidth: catalog === undefined ? 0 : nameWidthOf(catalog, rem),
      hasHours: result?.hours !== undefined,
      hasWorth: worth !== undefined,
    });
  const heightOf = (width: number, rem: number): number => Math.round((layoutAt(width, rem).isWide ? 2.25 : 3.6) * rem);
  const seen = useSeenRows(box, body, heightOf, rows);
  const height = heightOf(seen.width, seen.rem);
  const cursorIndex = indexOf(rows, page.state.cursor);
  const hasFocus = body.current?.contains(document.activeElement) === true;
  useScroll(box, { catalog, given: page.state.address.given, cursorIndex, hasFocus }, height);
  if (catalog === undefined || result === undefined || sort === undefined) {
    return <div class="list" id="offers" tabIndex={-1} />;
  }
  const { isWide, cells, grid } = layoutAt(seen.width, seen.rem);
  const divider = result.available < result.positions.length ? firstUnavailable(catalog, rows) : -1;
  const [from, to] = [seen.from - MARGIN, seen.to + MARGIN];
  const shown = new Set<number>(rows.length === 0 ? [] : [cursorIndex]);
  for (let index = Math.max(0, from); index < Math.min(rows.length, to); index++) {
    shown.add(index);
  }
  const topOf = (index: number): number => (index + (divider >= 0 && index >= divider ? 1 : 0)) * height;
  const move = (index: number): void => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (next !== undefined) {
      page.moveTo(next.at);
      requestAnimationFrame(() => {
        const row = rowWithCursor(body.current);
        row?.focus({ preventScroll: true });
        row?.closest("tr")?.scrollIntoView({ block: "nearest" });
      });
    }
  };
  const onKey = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      j: 1,
      k: -1,
      PageDown: Math.max(1, seen.to - seen.from - 2),
      PageUp: -Math.max(1, seen.to - seen.from - 2),
      Home: -rows.length,
      End: rows.length,
    };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      move(cursorIndex + step);
    } else if (event.key === "x") {
      const row = rows[cursorIndex];
      void (row && page.marks.toggle(row.at));
    }
  };
  const count = cells.length + 2 + (isWide ? 2 : 0) + (worth === undefined ? 0 : 1);
  const heading = (title: string, key: AnySortKey | undefined, isNumber: boolean): JSX.Element => {
    const isSorted = key !== undefined && sort.sort === key;
    return (
      <th
        key={title}
        role="columnheader"
        scope="col"
        class={isNumber ? "num" : "c-gpu"}
        aria-sort={isSorted ? (sort.order === "asc" ? "ascending" : "descending") : undefined}
      >
        {key === undefined ? (
          title
        ) : (
          <button
            onClick={() =>
              page.setAll([
                ["sort_by", key === "pricePerGpu" ? "" : key],
                ["sort_order", isSorted && sort.order === "asc" ? "desc" : ""],
              ])
            }
          >
            {isSorted && <span aria-hidden="true">{sort.order === "asc" ? "↑ " : "↓ "}</span>}
            {title}
          </button>
        )}
      </th>
    );
  };
  return (
    <div class="list" id="offers" tabIndex={-1} ref={box}>
      {rows.length === 0 ? (
        <NothingFound page={page} result={result} />
      ) : (
        <table
          id="rows"
          role="table"
          class={`offers${isWide ? " is-wide" : ""}`}
          aria-label="Offers"
          aria-rowcount={rows.length + 1 + (divider >= 0 ? 1 : 0)}
          aria-colcount={count}
          style={{ "--grid": grid, "--row": `${height}px` }}
        >
          <thead role="rowgroup">
            <tr role="row" aria-rowindex={1}>
              <th role="columnheader" scope="col" class="mark">
                <span class="unseen">Compare</span>
              </th>
              {heading("GPU", "gpuCount", false)}
              {isWide && heading("Provider", undefined, false)}
              {isWide && heading("Where", undefined, false)}
              {cells.map((cell) => heading(cellTitle(cell, result, isWide), cell.sort, true))}
              {worth !== undefined && heading(worth.title(undefined).replace(/-H$/, ""), worth.sort, true)}
            </tr>
          </thead>
          <tbody
            role="rowgroup"
            ref={body}
            onKeyDown={onKey}
            style={{ height: `${(rows.length + (divider >= 0 ? 1 : 0)) * height}px` }}
          >
            {[...shown]
              .sort((a, b) => a - b)
              .map((index) => {
                const row = rows[index];
                return (
                  row !== undefined && (
                    <Row
                      key={rowKey(row)}
                      page={page}
                      catalog={catalog}
                      result={result}
                      row={row}
                      cells={cells}
                      isWide={isWide}
                      top={topOf(index)}
                      index={index + 2 + (divider >= 0 && index >= divider ? 1 : 0)}
                      isCurrent={index === cursorIndex}
                    />
                  )
                );
              })}
            {divider >= 0 && (
              <tr role="row" class="divider" aria-rowindex={divider + 2} style={{ top: `${divider * height}px` }}>
                <td role="cell" colSpan={count}>
                  Sold out
                </td>
              </tr>
            )}
          </tbody>
        </table>
      )}
    </div>
  );
};

function rowWithCursor(element: HTMLElement | null): HTMLElement | null | undefined {
  return element?.querySelector<HTMLElement>(".open[tabindex='0']");
}

function rowKey({ at, places, isMember }: ListingRow): string {
  return `${at}${places === undefined ? "" : "+"}${isMember === true ? "." : ""}`;
}

/** Index of the row with the cursor; the first, if none has it. */
const indexOf = memoizeLast((rows: readonly ListingRow[], cursor: number): number =>
  Math.max(
    0,
    rows.findIndex(({ at, places }) => at === cursor || places?.includes(cursor)),
  ),
);

/** Index of the first row that is sold out; -1 if there is none. */
const firstUnavailable = memoizeLast(({ index }: Catalog, rows: readonly ListingRow[]): number =>
  rows.findIndex(({ at }) => index.availabilityAt(at) === "sold_out"),
);

/** What the position of the list depends on. */
interface ScrollCauses {
  catalog: Catalog | undefined;
  given: Address["given"];
  cursorIndex: number;
  /** Whether a row had the focus before it was drawn again. */
  hasFocus: boolean;
}

/**
 * A new catalog must not move what one reads: the row with the cursor keeps its place and the focus, although elements may show
 * other offers. A new query shows its first offers.
 */
function useScroll(box: { current: HTMLDivElement | null }, causes: ScrollCauses, height: number): void {
  const last = useRef(causes);
  useLayoutEffect(() => {
    const before = last.current;
    last.current = causes;
    if (before.catalog === undefined || box.current === null) {
      return;
    }
    const isInner = box.current.scrollHeight > box.current.clientHeight;
    const scroller = isInner ? box.current : document.documentElement;
    if (before.catalog !== causes.catalog && causes.hasFocus) {
      rowWithCursor(box.current)?.focus({ preventScroll: true });
    }
    if (before.catalog !== causes.catalog && scroller.scrollTop > 0) {
      scroller.scrollTop += (causes.cursorIndex - before.cursorIndex) * height;
    } else if (before.given !== causes.given) {
      scroller.scrollTop = 0;
    }
  });
}
