import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Fragment, type FunctionComponent } from "preact";
import {
  ageSince,
  ageText,
  chipsOf,
  countOf,
  countText,
  leftOutOf,
  leftOutText,
  givenQuery,
  JOB_FILTERS,
  MAX_COMPARED,
  usualStock,
} from "@gpu-offers/list";
import { Field } from "./field.js";
import { focusRow } from "./focus.js";
import { OfferList } from "./offer-list.js";
import type { Page } from "./page.js";
import { panesOf } from "./panes.js";
import { StateLine } from "./state-line.js";

/** Milliseconds after the last key before the count is announced. */
const ANNOUNCED_MS = 500;

export const App: FunctionComponent<{ page: Page }> = ({ page }) => {
  const [, redraw] = useState(0);
  // An effect would miss what is loaded before the first paint.
  useLayoutEffect(() => page.subscribe(() => redraw((count) => count + 1)), [page]);
  const [areFiltersOpen, setFiltersOpen] = useState(false);
  const { address, catalog, details, keyProblem, result } = page.state;
  const { later } = page.parts;
  const panes = panesOf(page);
  useKeys(page);
  const closeFilters = (): void => {
    setFiltersOpen(false);
    document.querySelector<HTMLElement>(".open-filters")?.focus();
  };
  // A cursor that moves draws neither of these again.
  const header = useMemo(() => <Header page={page} />, [page, address, catalog, result]);
  const facets = useMemo(
    () => (panes === undefined ? null : <panes.Facets page={page} isOpen={areFiltersOpen} onClose={closeFilters} />),
    [page, panes, catalog, result, address, areFiltersOpen],
  );
  const isPaneOpen = details !== undefined || address.compare !== undefined;
  return (
    <>
      <a class="skip" href="#offers">
        Skip to the offers
      </a>
      {header}
      {keyProblem !== undefined && panes !== undefined && <panes.KeyForm page={page} problem={keyProblem} />}
      <Notices page={page} />
      {keyProblem === undefined && (
        <>
          <Market page={page} />
          {panes !== undefined && <panes.CheaperSince page={page} />}
          <CountLine page={page} areFiltersOpen={areFiltersOpen} onFilters={() => setFiltersOpen(!areFiltersOpen)} />
          <div class={`panes${isPaneOpen ? " with-pane" : ""}${areFiltersOpen ? " with-filters" : ""}`}>
            {facets}
            <OfferList page={page} />
            {isPaneOpen && panes === undefined && (
              <section class="pane" aria-label="Offer">
                <StateLine part={later} what="Offer" />
              </section>
            )}
            {panes !== undefined && details !== undefined && <panes.DetailsPane page={page} details={details} />}
            {panes !== undefined && details === undefined && address.compare !== undefined && (
              <panes.ComparePane page={page} />
            )}
          </div>
        </>
      )}
    </>
  );
};

const Header: FunctionComponent<{ page: Page }> = ({ page }) => {
  const { address, catalog } = page.state;
  const gpus = catalog?.list.columns.values.gpu.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
  return (
    <header class="top">
      <h1>
        <a href="./">gpu-offers</a>
      </h1>
      <form class="query" role="search" action="./" method="get" onSubmit={(event) => event.preventDefault()}>
        <input
          id="q"
          name="q"
          type="search"
          aria-label="Search words"
          placeholder="8xh100 eu <2.5"
          title="Press / to type here"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={address.given.get("q") ?? ""}
          onInput={(event) => page.set("q", event.currentTarget.value)}
        />
        <div class="job">
          {JOB_FILTERS.map((name) => (
            <Field key={name} page={page} name={name} isOfJob />
          ))}
          <datalist id="gpu-names">
            {gpus?.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </datalist>
        </div>
      </form>
      <nav aria-label="Pages">
        <a href="./?view=gpus">GPUs</a> <a href="./docs">API</a>
      </nav>
    </header>
  );
};

/** The market, as the service made it. A tile filters the list. */
const Market: FunctionComponent<{ page: Page }> = ({ page }) => {
  const { market, list } = page.parts;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (market.value !== undefined) {
      box.current?.replaceChildren(market.value);
    }
  }, [market.value]);
  useEffect(() => {
    // This event doesn't bubble
    const onToggle = ({ target }: Event): void => {
      if (target instanceof HTMLDetailsElement) {
        page.toggleMarket(target);
      }
    };
    box.current?.addEventListener("toggle", onToggle, true);
  }, [page]);
  return (
    <>
      {list.problem === undefined && market.problem !== undefined && <StateLine part={market} what="Market" />}
      <div
        ref={box}
        onClick={(event) => {
          const tile = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-slug]") : null;
          if (tile !== null && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
            event.preventDefault();
            page.set("gpu", `=${tile.dataset["slug"] ?? ""}`);
          }
        }}
      />
    </>
  );
};

const Notices: FunctionComponent<{ page: Page }> = ({ page }) => {
  const { address, result, isTooLarge, keyProblem, loadedAtMs, nowMs, catalog } = page.state;
  const { list } = page.parts;
  const age = loadedAtMs === 0 ? "" : ` loaded ${ageText(Math.max(0, nowMs - loadedAtMs))} ago`;
  const lines = [...(catalog?.list.notices ?? []), ...address.problems, ...(result?.problems ?? [])];
  return (
    <>
      {list.problem !== undefined && !isTooLarge && keyProblem === undefined && (
        <StateLine part={list} what={`List${age}`} />
      )}
      {lines.map((line) => (
        <p key={line} class="notice">
          {line}
        </p>
      ))}
    </>
  );
};

const CountLine: FunctionComponent<{ page: Page; areFiltersOpen: boolean; onFilters: () => void }> = ({
  page,
  areFiltersOpen,
  onFilters,
}) => {
  const { catalog, result, marks, address } = page.state;
  if (catalog === undefined) {
    return null;
  }
  if (result === undefined) {
    return (
      <div class="count">
        <StateLine part={page.parts.later} what="Words of your query" />
      </div>
    );
  }
  const { given } = address;
  const later = panesOf(page);
  const filters = chipsOf(givenQuery(given)).filter(({ name }) => name !== "q" && !JOB_FILTERS.includes(name));
  return (
    <div class="count">
      <span>
        <strong>{countOf(result.positions.length, "offer")}</strong> of {countText(catalog.index.size)} ·{" "}
        {agesText(page)}
        {usualStock(catalog.index).text}
        {leftOutOf(result).map((one) => (
          <Fragment key={one.name}>
            {" "}
            · {leftOutText(one)}{" "}
            <button class="link" onClick={() => page.set(one.name, one.off)}>
              show
            </button>
          </Fragment>
        ))}
        {later !== undefined && <later.ReadAs page={page} understood={result.understood} />}
      </span>
      <Announced text={countOf(result.positions.length, "offer")} />
      {filters.map(({ name, text }) => (
        <button
          key={name}
          class="chip"
          data-filter={name}
          aria-label={`${text}, remove`}
          onClick={() => page.set(name, "")}
        >
          {text} <span aria-hidden="true">×</span>
        </button>
      ))}
      {marks.length > 0 && (
        <button class="chip strong" onClick={() => page.marks.compare()}>
          Compare {marks.length}
          {marks.length === MAX_COMPARED && " (maximum)"}
        </button>
      )}
      <button class="chip open-filters" aria-expanded={areFiltersOpen} onClick={onFilters}>
        Filters{filters.length > 0 && ` ${filters.length}`}
      </button>
      {later !== undefined && <later.Doors given={given} catalog={catalog} result={result} />}
    </div>
  );
};

/** The count, for screen readers, some time after the last key. */
const Announced: FunctionComponent<{ text: string }> = ({ text }) => {
  const [said, setSaid] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text), ANNOUNCED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <span role="status" class="unseen">
      {said}
    </span>
  );
};

function agesText(page: Page): string {
  const { catalog, nowMs } = page.state;
  const sources = catalog?.list.sources.filter(({ offers }) => offers > 0) ?? [];
  const dates = sources.flatMap(({ pricesAsOf }) => pricesAsOf ?? []).sort();
  if (dates.length === 0) {
    return "prices undated";
  }
  const [from, to] = [dates.at(-1), dates[0]].map((date = "") => ageSince(date, nowMs) ?? "?");
  const undated = dates.length < sources.length ? ", some undated" : "";
  return `prices ${from === to ? from : `${from} to ${to}`} old${undated}`;
}

/** Keys that work everywhere but in fields. */
function useKeys(page: Page): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target instanceof HTMLElement ? event.target : document.body;
      const isField = target.matches("input:not([type=checkbox]), textarea, select");
      if (event.ctrlKey || event.metaKey || event.altKey) {
        return;
      }
      if (event.key === "Escape") {
        const { details, address } = page.state;
        if (details !== undefined) {
          page.details.close();
        } else if (address.compare !== undefined) {
          page.marks.close();
        } else if (target.id !== "q") {
          return;
        }
        // Browsers clear a search field
        event.preventDefault();
        focusRow();
      } else if (isField) {
        return;
      } else if (event.key === "/") {
        event.preventDefault();
        document.querySelector<HTMLInputElement>("#q")?.select();
      } else if (/^[jk]$/.test(event.key) && target.closest("#rows") === null) {
        focusRow();
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [page]);
}
