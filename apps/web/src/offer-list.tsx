import type { FunctionComponent, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { present, usualOrder, type AnySortKey } from "@gpu-offers/domain";
import { memoizeLast, type ListingRow, type Result } from "@gpu-offers/list";
import { writeAddress } from "./address.js";
import { findPosition, identityAt, rowsOfResult, type Catalog } from "./catalog.js";
import { rowWithCursor } from "./focus.js";
import type { Place } from "./kept-place.js";
import { arrowOf, layoutOf, type Layout } from "./list-columns.js";
import { Row } from "./offer-row.js";
import type { Page } from "./page.js";
import { panesOf } from "./panes.js";
import { useSeenRows, type ElementRef } from "./seen-rows.js";

/** Rows rendered beyond the visible ones on each side. */
const MARGIN = 6;

/** The list, or why it is empty. */
export const OfferList: FunctionComponent<{ page: Page }> = ({ page }) => {
  const { catalog, result } = page.state;
  const box = useRef<HTMLDivElement>(null);
  return (
    <div class="list" id="offers" tabIndex={-1} ref={box}>
      {catalog !== undefined && result !== undefined && (
        <OfferTable page={page} box={box} catalog={catalog} result={result} />
      )}
    </div>
  );
};

/** The table of offers. Only rows near the visible ones are rendered, and the row with the cursor. */
const OfferTable: FunctionComponent<{
  page: Page;
  box: ElementRef;
  catalog: Catalog;
  result: Result;
}> = ({ page, box, catalog, result }) => {
  const { NothingFound } = panesOf(page) ?? {};
  const body = useRef<HTMLTableSectionElement>(null);
  const rows = rowsOfResult(catalog, result, page.state.open);
  const { sort } = result.selection;
  const { shownDiskGb: gb } = result;
  const layoutAt = (width: number, rem: number): Layout => layoutOf(width, rem, catalog, result);
  const seen = useSeenRows(box, body, (width, rem) => layoutAt(width, rem).height, rows);
  const layout = layoutAt(seen.width, seen.rem);
  const { isWide, isTall, height, cells, grid } = layout;
  const cursorIndex = Math.max(0, indexOf(rows, page.state.cursor));
  const divider = result.available < result.positions.length ? firstUnavailable(catalog, rows) : -1;
  /** Lines of the table above a row, or of all rows. */
  const linesAbove = (index: number): number => index + (divider >= 0 && index >= divider ? 1 : 0);
  const topOf = (index: number): number => linesAbove(index) * height;
  const query = writeAddress({ given: page.state.address.given, view: "list" });
  usePlace(page, box, body, { catalog, query, rows, height, cursorIndex, topOf });
  if (rows.length === 0) {
    return NothingFound === undefined ? null : <NothingFound page={page} result={result} />;
  }
  const from = Math.max(0, seen.from - MARGIN);
  const near = rows.slice(from, Math.max(from, seen.to + MARGIN)).map((_, index) => from + index);
  const shown = [...new Set([cursorIndex, ...near])].sort((a, b) => a - b);
  const move = (index: number): void => {
    page.moveTo(present(rows[Math.max(0, Math.min(rows.length - 1, index))]).at);
    requestAnimationFrame(() => {
      const row = rowWithCursor();
      row?.focus({ preventScroll: true });
      row?.closest("tr")?.scrollIntoView({ block: "nearest" });
    });
  };
  const onKey = (event: KeyboardEvent): void => {
    const screen = Math.max(1, seen.to - seen.from - 2);
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      j: 1,
      k: -1,
      PageDown: screen,
      PageUp: -screen,
      Home: -rows.length,
      End: rows.length,
    };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      move(cursorIndex + step);
    } else if (event.key === "x") {
      void page.marks.toggle(present(rows[cursorIndex]).at);
    }
  };
  const heading = (title: string, name: "c-gpu" | "num", key?: AnySortKey): JSX.Element => {
    const isSorted = sort.sort === key;
    const [way, other] = sort.order === "asc" ? (["ascending", "desc"] as const) : (["descending", "asc"] as const);
    return (
      <th key={title} role="columnheader" scope="col" class={name} aria-sort={isSorted ? way : undefined}>
        {key === undefined ? (
          title
        ) : (
          <button
            onClick={() =>
              page.setAll([
                ["sort_by", key === "pricePerGpu" ? "" : key],
                ["sort_order", isSorted && sort.order === usualOrder(key) ? other : ""],
                // The order is that of what is shown
                ...(key === "total" && gb !== undefined && gb !== result.diskGb ? [["disk", String(gb)] as const] : []),
              ])
            }
          >
            {isSorted && <span aria-hidden="true">{arrowOf(key, result)}</span>}
            {title}
          </button>
        )}
      </th>
    );
  };
  const columns = 2 + (isWide ? 2 : 0) + cells.length;
  return (
    <table
      id="rows"
      role="table"
      class={`offers${isWide ? " is-wide" : ""}${isTall ? " is-tall" : ""}`}
      aria-label="Offers"
      aria-rowcount={1 + linesAbove(rows.length)}
      aria-colcount={columns}
      style={{ "--grid": grid, "--row": `${height}px` }}
    >
      <thead role="rowgroup">
        <tr role="row" aria-rowindex={1}>
          <th role="columnheader" scope="col" class="mark">
            <span class="unseen">Compare</span>
          </th>
          {heading("GPU", "c-gpu", "gpuCount")}
          {isWide && heading("Provider", "c-gpu")}
          {isWide && heading("Where", "c-gpu")}
          {cells.map((cell) => heading(cell.title(result, isWide), "num", cell.sort))}
        </tr>
      </thead>
      <tbody role="rowgroup" ref={body} onKeyDown={onKey} style={{ height: `${topOf(rows.length)}px` }}>
        {shown.map((index) => {
          const row = present(rows[index]);
          return (
            <Row
              key={rowKey(row)}
              page={page}
              catalog={catalog}
              result={result}
              row={row}
              layout={layout}
              top={topOf(index)}
              index={linesAbove(index) + 2}
              isCurrent={index === cursorIndex}
            />
          );
        })}
        {divider >= 0 && (
          <tr role="row" class="divider" aria-rowindex={divider + 2} style={{ top: `${divider * height}px` }}>
            <td role="cell" colSpan={columns}>
              Sold out
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
};

function rowKey({ at, places, isMember }: ListingRow): string {
  return `${at}${places === undefined ? "" : "+"}${isMember === true ? "." : ""}`;
}

const indexOf = memoizeLast((rows: readonly ListingRow[], cursor: number): number =>
  rows.findIndex(({ at, places }) => at === cursor || places?.includes(cursor)),
);

/** Index of the first row that is sold out; -1 if there is none. */
const firstUnavailable = memoizeLast(({ index }: Catalog, rows: readonly ListingRow[]): number =>
  rows.findIndex(({ at }) => index.availabilityAt(at) === "sold_out"),
);

/** What the position of the list depends on. */
interface Shown {
  catalog: Catalog;
  query: string;
  rows: readonly ListingRow[];
  /** Height of a row, px. */
  height: number;
  cursorIndex: number;
  /** Distance of a row from the first, px. */
  topOf: (index: number) => number;
}

/**
 * Keeps one's place by row: a list that becomes narrower, and so has rows of two lines, and a new catalog move nothing that
 * one reads. The row with the cursor stays where it is, or the first that is seen; a row with the focus keeps that, too,
 * although elements may show other offers. A new query shows its first offers.
 */
function usePlace(page: Page, box: ElementRef, body: ElementRef, shown: Shown): void {
  const hasFocus = body.current?.contains(document.activeElement) === true;
  const last = useRef<(Shown & { place?: Place | undefined }) | undefined>(undefined);
  const remember = useRef(() => {
    const { current: now } = last;
    const [frame, table] = [box.current, body.current].map((element) => element?.getBoundingClientRect());
    if (now === undefined || frame === undefined || table === undefined) {
      return;
    }
    const { height, topOf, rows, cursorIndex } = now;
    const seenFrom = Math.max(0, frame.top);
    const cursorTop = table.top + topOf(cursorIndex);
    const isSeen = cursorTop >= seenFrom && cursorTop + height <= Math.min(innerHeight, frame.bottom);
    const first = Math.max(0, Math.ceil((seenFrom - table.top) / height));
    const index = isSeen ? cursorIndex : Math.min(first, rows.length - 1);
    const row = rows[index];
    if (row !== undefined) {
      const top = table.top + topOf(index);
      now.place = { row: identityAt(now.catalog, row.at), top, open: [...page.state.open] };
      page.place.keep(now.place);
    }
  }).current;
  useLayoutEffect(() => {
    const { catalog, query, rows, height, topOf } = shown;
    const before = last.current;
    last.current = { ...shown, place: before?.place };
    if (box.current === null || body.current === null) {
      return;
    }
    const table = body.current;
    const isInner = box.current.scrollHeight > box.current.clientHeight;
    const scroller = isInner ? box.current : document.documentElement;
    const show = (place: Place): number => {
      const index = indexOf(rows, findPosition(catalog, place.row) ?? -1);
      if (index >= 0) {
        scroller.scrollTop += table.getBoundingClientRect().top + topOf(index) - place.top;
      }
      return index;
    };
    const wanted = page.place.take();
    const isNew = before?.catalog !== catalog || before.rows !== rows;
    // The list has the focus if a key wanted a row before there were rows
    if (before === undefined ? document.activeElement === box.current : before.catalog !== catalog && hasFocus) {
      rowWithCursor()?.focus({ preventScroll: true });
    }
    if (wanted !== undefined) {
      const index = show(wanted);
      if (index >= 0) {
        last.current.cursorIndex = index;
        page.moveTo(present(rows[index]).at);
      }
    } else if (before !== undefined && before.query !== query) {
      scroller.scrollTop = 0;
    } else if (before?.place !== undefined && (before.height !== height || (isNew && scroller.scrollTop > 0))) {
      show(before.place);
    }
    remember();
  });
  useEffect(() => {
    document.addEventListener("scroll", remember, { capture: true, passive: true });
    return () => document.removeEventListener("scroll", remember, { capture: true });
  }, []);
}
