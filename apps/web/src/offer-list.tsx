import type { FunctionComponent, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AnySortKey } from "@gpu-offers/domain";
import { findWorthColumn, type ListingRow } from "@gpu-offers/list";
import { NothingFound } from "./nothing-found.js";
import { listingAt, type Catalog } from "./evaluate.js";
import { NUMBER_CELLS, totalTitle } from "./offer-cells.js";
import { Row } from "./offer-row.js";
import type { Page } from "./page.js";

/** Rows rendered beyond the visible ones on each side. */
const MARGIN = 6;
/** Rows rendered for printing. */
const PRINTED = 200;

/** The table of offers. Only rows near the visible ones are rendered, and the row with the cursor. */
export const OfferList: FunctionComponent<{ page: Page }> = ({ page }) => {
  const { catalog, result } = page.state;
  const box = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const [seen, setSeen] = useState({ width: 0, from: 0, to: 30, rem: 16, isPrinting: false });
  useEffect(() => {
    const look = (): void => {
      const shown = body.current?.getBoundingClientRect();
      const frame = box.current?.getBoundingClientRect();
      if (shown === undefined || frame === undefined) {
        return;
      }
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const height = rowHeight(frame.width, rem);
      const top = Math.max(0, frame.top, 0);
      const from = Math.max(0, Math.floor((top - shown.top) / height));
      const to = Math.ceil((Math.min(innerHeight, Math.max(frame.bottom, top)) - shown.top) / height);
      setSeen((old) =>
        old.from === from && old.to === to && old.width === frame.width && old.rem === rem
          ? old
          : { ...old, from, to, width: frame.width, rem },
      );
    };
    look();
    const resized = new ResizeObserver(look);
    resized.observe(box.current ?? document.body);
    document.addEventListener("scroll", look, { capture: true, passive: true });
    addEventListener("resize", look);
    const print = (isPrinting: boolean) => () => setSeen((old) => ({ ...old, isPrinting }));
    const [before, after] = [print(true), print(false)];
    addEventListener("beforeprint", before);
    addEventListener("afterprint", after);
    return () => {
      resized.disconnect();
      document.removeEventListener("scroll", look, { capture: true });
      removeEventListener("resize", look);
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", after);
    };
  }, [catalog === undefined]);
  const rows = page.rows;
  const cursorIndex = Math.max(
    0,
    rows.findIndex(({ at, places }) => at === page.state.cursor || places?.includes(page.state.cursor)),
  );
  useKeptScroll(catalog, cursorIndex, rowHeight(seen.width, seen.rem), box);
  if (catalog === undefined || result === undefined) {
    return <div class="list" id="offers" tabIndex={-1} />;
  }
  const { width, rem } = seen;
  const isWide = width >= 760;
  const height = rowHeight(width, rem);
  const sort = result.selection.sort;
  const cells = NUMBER_CELLS.filter(({ id, from }) => width >= from && (id !== "hours" || result.hours !== undefined));
  const worth = findWorthColumn(sort.sort);
  const divider =
    result.available < result.positions.length
      ? rows.findIndex(({ at }) => !listingAt(catalog, at, false).offer.isAvailable)
      : -1;
  const [from, to] = seen.isPrinting ? [0, PRINTED] : [seen.from - MARGIN, seen.to + MARGIN];
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
        const row = body.current?.querySelector<HTMLElement>(".open[tabindex='0']");
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
            {title}
            {isSorted && <span aria-hidden="true">{sort.order === "asc" ? " ↑" : " ↓"}</span>}
          </button>
        )}
      </th>
    );
  };
  const columns = [
    "2.25rem",
    isWide ? "minmax(11rem, 2fr)" : "minmax(0, 1fr)",
    ...(isWide ? ["minmax(6rem, 1fr)", "minmax(7rem, 1.4fr)"] : []),
    ...cells.map(({ id }) => (isWide ? "minmax(5.5rem, auto)" : id === "hours" ? "4rem" : "5.2rem")),
    ...(worth === undefined ? [] : ["6rem"]),
  ];
  const grid = isWide ? columns.map((column) => column.replace(", auto)", ", 7rem)")).join(" ") : columns.join(" ");
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
              {cells.map(({ id, title, sort: key }) =>
                heading(
                  id === "total" ? totalTitle(result.diskGb) : id === "hours" ? `${result.hours} h` : title,
                  key,
                  true,
                ),
              )}
              {worth !== undefined &&
                heading(worth.title(undefined).toLowerCase().replace("-h", "-h"), worth.sort, true)}
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
                  Not available now
                </td>
              </tr>
            )}
          </tbody>
        </table>
      )}
    </div>
  );
};

function rowKey({ at, places, isMember }: ListingRow): string {
  return `${at}${places === undefined ? "" : "+"}${isMember === true ? "." : ""}`;
}

function rowHeight(width: number, rem: number): number {
  return Math.round((width >= 760 ? 2.25 : 3.6) * rem);
}

/** A new catalog must not move what one reads: the row with the cursor keeps its place. */
function useKeptScroll(
  catalog: Catalog | undefined,
  cursorIndex: number,
  height: number,
  box: { current: HTMLDivElement | null },
): void {
  const last = useRef({ catalog, cursorIndex });
  useLayoutEffect(() => {
    const { catalog: before, cursorIndex: index } = last.current;
    if (before !== undefined && before !== catalog && box.current !== null) {
      const isInner = box.current.scrollHeight > box.current.clientHeight;
      const scroller = isInner ? box.current : document.documentElement;
      if (scroller.scrollTop > 0) {
        scroller.scrollTop += (cursorIndex - index) * height;
      }
    }
    last.current = { catalog, cursorIndex };
  });
}
