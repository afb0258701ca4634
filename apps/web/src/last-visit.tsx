import type { FunctionComponent } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { ListingCursor, toMicrosUp } from "@gpu-offers/domain";
import { ageText, memoizeLast, usdMicrosText } from "@gpu-offers/list";
import type { Catalog } from "./catalog.js";
import type { Page } from "./page.js";
import { browserStorage } from "./storage.js";

const NAME = "gpu-offers-visit";

/** Milliseconds after which a load of the page is another visit. */
const VISIT_MS = 1_800_000;
const SHOWN = 5;

/** The lowest price per GPU-hour of each GPU, in micro-dollars, by slug. */
interface Visit {
  atMs: number;
  micros: Record<string, number>;
}

const lowestPrices = memoizeLast(({ list, index }: Catalog): Map<string, { name: string; micros: number }> => {
  const lowest = new Map<string, { name: string; micros: number }>();
  const cursor = new ListingCursor(list.columns, false);
  for (let at = 0; at < index.size; at++) {
    cursor.at = at;
    const { gpu, pricePerGpu } = cursor.offer;
    const micros = toMicrosUp(pricePerGpu);
    const before = lowest.get(gpu.slug)?.micros ?? Number.POSITIVE_INFINITY;
    if (index.availabilityAt(at) !== "sold_out" && micros < before) {
      lowest.set(gpu.slug, { name: gpu.name, micros });
    }
  }
  return lowest;
});

/** The GPUs that are cheaper than at the last visit. The browser alone remembers that. */
export const CheaperSince: FunctionComponent<{ page: Page }> = ({ page }) => {
  const { catalog, nowMs } = page.state;
  const last = useMemo(() => JSON.parse(browserStorage.getItem(NAME) ?? "null") as Visit | null, []);
  const lowest = catalog && lowestPrices(catalog);
  useEffect(() => {
    const now = Date.now();
    if (lowest !== undefined && (last === null || now - last.atMs > VISIT_MS)) {
      const micros = Object.fromEntries([...lowest].map(([slug, one]) => [slug, one.micros]));
      browserStorage.setItem(NAME, JSON.stringify({ atMs: now, micros } satisfies Visit));
    }
  }, [lowest]);
  const cheaper = [...(lowest ?? [])].flatMap(([slug, { name, micros }]) => {
    const before = last?.micros[slug] ?? 0;
    return micros < before ? [{ slug, name, micros, before }] : [];
  });
  if (last === null || cheaper.length === 0) {
    return null;
  }
  return (
    <p class="moves since">
      Cheaper since your last visit {ageText(Math.max(0, nowMs - last.atMs))} ago:
      {cheaper
        .sort((a, b) => a.micros / a.before - b.micros / b.before)
        .slice(0, SHOWN)
        .map(({ slug, name, micros, before }) => (
          <span key={slug}>
            {" "}
            <button class="link" onClick={() => page.set("gpu", `=${slug}`)}>
              {name}
            </button>{" "}
            {usdMicrosText(before)} → {usdMicrosText(micros)}
          </span>
        ))}
    </p>
  );
};
