import type { FunctionComponent, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { present, usualOrder, type AnySortKey } from "@gpu-offers/domain";
import { findWorthColumn, memoizeLast, type ListingRow } from "@gpu-offers/list";
import { writeAddress } from "./address.js";
import { findPosition, identityAt, type Catalog } from "./catalog.js";
import type { Place } from "./kept-place.js";
import { layoutOf, nameWidthOf, textWidth, type Layout } from "./list-layout.js";
import { Row } from "./offer-row.js";
import type { Page } from "./page.js";
import { useSeenRows } from "./seen-rows.js";

/** Rows rendered beyond the visible ones on each side. */
const MARGIN = 6;

/** The table of offers. Only rows near the visible ones are rendered, and the row with the cursor. */
export const OfferList: FunctionComponent<{ page: Page }> = ({ page }) => {
  const { catalog, result } = page.state;
  const { NothingFound } = page.parts.later.value ?? {};
  const box = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const rows = page.rows;
  const sort = result?.selection.sort;
  const worth = sort && findWorthColumn(sort.sort);
  const arrowOf = (key: AnySortKey | undefined): string =>
    key === undefined || key !== sort?.sort ? "" : sort.order === "asc" ? "↑ " : "↓ ";
  const worthTitle = worth?.title(undefined).replace(/-H$/, "");
  const layoutAt = (width: number, rem: number): Layout =>
    layoutOf(width, {
      nameWidth: catalog === undefined ? 0 : nameWidthOf(catalog, rem),
      hasHours: result?.hours !== undefined,
      worth: worthTitle && `↑ ${worthTitle}`,
      titleOf: (cell, isWide) => `${arrowOf(cell.sort)}${result === undefined ? "" : cell.title(result, isWide)}`,
      widthOf: (title) => textWidth(title, rem),
    });
  const heightOf = (width: number, rem: number): number => Math.round((layoutAt(width, rem).isWide ? 2.25 : 3.6) * rem);
  const seen = useSeenRows(box, body, heightOf, rows);
  const height = heightOf(seen.width, seen.rem);
  const cursorIndex = Math.max(0, indexOf(rows, page.state.cursor));
  const isDivided = result !== undefined && result.available < result.positions.length;
  const divider = isDivided && catalog !== undefined ? firstUnavailable(catalog, rows) : -1;
  const topOf = (index: number): number => (index + (divider >= 0 && index >= divider ? 1 : 0)) * height;
  const query = writeAddress({ given: page.state.address.given, view: "list" });
  usePlace(page, [box, body], { catalog, query, rows, height, cursorIndex, topOf });
  if (catalog === undefined || result === undefined || sort === undefined) {
    return <div class="list" id="offers" tabIndex={-1} ref={box} />;
  }
  const { isWide, cells, grid } = layoutAt(seen.width, seen.rem);
  const [from, to] = [seen.from - MARGIN, seen.to + MARGIN];
  const shown = new Set<number>(rows.length === 0 ? [] : [cursorIndex]);
  for (let index = Math.max(0, from); index < Math.min(rows.length, to); index++) {
    shown.add(index);
  }
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
                [
                  "sort_order",
                  isSorted && sort.order === usualOrder(key) ? (sort.order === "asc" ? "desc" : "asc") : "",
                ],
              ])
            }
          >
            {isSorted && <span aria-hidden="true">{arrowOf(key)}</span>}
            {title}
          </button>
        )}
      </th>
    );
  };
  return (
    <div class="list" id="offers" tabIndex={-1} ref={box}>
      {rows.length === 0 ? (
        NothingFound !== undefined && <NothingFound page={page} result={result} />
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
              {cells.map((cell) => heading(cell.title(result, isWide), cell.sort, true))}
              {worthTitle !== undefined && heading(worthTitle, worth?.sort, true)}
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

/** Index of the row of a listing; -1 if it has none. */
const indexOf = memoizeLast((rows: readonly ListingRow[], cursor: number): number =>
  rows.findIndex(({ at, places }) => at === cursor || places?.includes(cursor)),
);

/** Index of the first row that is sold out; -1 if there is none. */
const firstUnavailable = memoizeLast(({ index }: Catalog, rows: readonly ListingRow[]): number =>
  rows.findIndex(({ at }) => index.availabilityAt(at) === "sold_out"),
);

/** What the position of the list depends on. */
interface Shown {
  catalog: Catalog | undefined;
  /** The query as text. */
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
function usePlace(
  page: Page,
  [box, body]: [box: { current: HTMLElement | null }, body: { current: HTMLElement | null }],
  shown: Shown,
): void {
  const hasFocus = body.current?.contains(document.activeElement) === true;
  const last = useRef<(Shown & { place?: Place | undefined }) | undefined>(undefined);
  const remember = useRef(() => {
    const { current: now } = last;
    const [frame, table] = [box.current, body.current].map((element) => element?.getBoundingClientRect());
    if (now?.catalog === undefined || frame === undefined || table === undefined) {
      return;
    }
    const { height, topOf, rows, cursorIndex } = now;
    const [top, bottom] = [Math.max(0, frame.top), Math.min(innerHeight, frame.bottom)];
    const isSeen = (index: number): boolean =>
      table.top + topOf(index) >= top && table.top + topOf(index) + height <= bottom;
    const first = Math.max(0, Math.ceil((top - table.top) / height));
    const index = isSeen(cursorIndex) ? cursorIndex : Math.min(first, rows.length - 1);
    const row = rows[index];
    if (row !== undefined) {
      now.place = {
        row: identityAt(now.catalog, row.at),
        top: table.top + topOf(index),
        open: [...page.state.open],
      };
      page.place.keep(now.place);
    }
  }).current;
  useLayoutEffect(() => {
    const { catalog, query, rows, height, topOf } = shown;
    const before = last.current;
    last.current = { ...shown, place: before?.place };
    if (catalog === undefined || box.current === null || body.current === null) {
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
    if (before?.catalog !== undefined && before.catalog !== catalog && hasFocus) {
      rowWithCursor(table)?.focus({ preventScroll: true });
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
