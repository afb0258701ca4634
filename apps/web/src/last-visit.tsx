import type { FunctionComponent } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { ageText, usdMicrosText } from "@gpu-offers/list";
import { pricesByGpu } from "./price-against-median.js";
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

/** The GPUs that are cheaper than at the last visit. The browser alone remembers that. */
export const CheaperSince: FunctionComponent<{ page: Page }> = ({ page }) => {
  const { catalog, nowMs } = page.state;
  const last = useMemo(() => JSON.parse(browserStorage.getItem(NAME) ?? "null") as Visit | null, []);
  const now = catalog && pricesByGpu(catalog);
  useEffect(() => {
    const atMs = Date.now();
    if (now !== undefined && (last === null || atMs - last.atMs > VISIT_MS)) {
      const micros = Object.fromEntries([...now].map(([slug, one]) => [slug, one.micros[0] ?? 0]));
      browserStorage.setItem(NAME, JSON.stringify({ atMs, micros } satisfies Visit));
    }
  }, [now]);
  const cheaper = [...(now ?? [])].flatMap(([slug, { name, micros: all }]) => {
    const [micros = 0] = all;
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
