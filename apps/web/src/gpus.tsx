import type { FunctionComponent } from "preact";
import { useState } from "preact/hooks";
import { toMicrosUp, worth, type GpuEntry, type GpuPrices, type WorthKey } from "@gpu-offers/domain";
import { countOf, countText, decimalsFor, microsText, UNKNOWN, WORTH_DECIMALS, type Decimals } from "@gpu-offers/list";
import { PriceChart, type ChartPoint } from "./chart.js";
import type { Page } from "./page.js";

// The view of GPUs: what models cost now and over time, and what they are worth.

/** A column of numbers. */
interface NumberColumn {
  title: string;
  /** What it is sorted by; null if unknown. */
  value: (gpu: GpuEntry) => number | null;
  text: (value: number, gpu: GpuEntry, decimals: Decimals) => string;
}

const priced = (
  title: string,
  value: NumberColumn["value"],
  isAtLeast: (gpu: GpuEntry) => boolean = ({ market }) => market.isAtLeast,
): NumberColumn => ({
  title,
  value,
  text: (usd, gpu, decimals) => `${isAtLeast(gpu) ? "≥" : ""}${microsText(toMicrosUp(usd), decimals)}`,
});

/** By the lowest price. */
const worthColumn = (title: string, key: WorthKey): NumberColumn => ({
  title,
  value: (gpu) => {
    const { pricePerGpu } = gpu.market;
    return pricePerGpu === null ? null : worth({ gpu, pricePerGpu: pricePerGpu.min }, key);
  },
  text: (usd) => microsText(toMicrosUp(usd), WORTH_DECIMALS),
});

const COLUMNS: readonly NumberColumn[] = [
  priced("from", ({ market }) => market.pricePerGpu?.min ?? null),
  priced("median", ({ market }) => market.pricePerGpu?.median ?? null),
  priced(
    "spot",
    ({ market }) => market.spotMin,
    () => false,
  ),
  { title: "GB", value: ({ vramGB }) => vramGB, text: countText },
  {
    title: "TB/s",
    value: ({ memoryBandwidthGBs }) => memoryBandwidthGBs,
    text: (bandwidth) => (bandwidth / 1000).toFixed(3),
  },
  { title: "BF16 TF", value: ({ bf16Tflops }) => bf16Tflops, text: (flops) => countText(Math.round(flops)) },
  worthColumn("$/GB", "vramPrice"),
  worthColumn("$/TB/s", "bandwidthPrice"),
  worthColumn("$/BF16 PF", "bf16Price"),
  worthColumn("$/FP8 PF", "fp8Price"),
];

/** The lowest prices, with a gap after each that isn't followed by one of the next day, hour or week. */
function observedPoints({ series, step }: GpuPrices): ChartPoint[] {
  const stepMs = { hour: 1, day: 24, week: 168 }[step] * 3_600_000;
  const times = series.map(({ at }) => Date.parse(at));
  return series.flatMap(({ min }, index) => {
    const atMs = times[index] ?? 0;
    const isLast = times[index + 1] !== atMs + stepMs;
    return [{ atMs, usd: min }, ...(isLast ? [{ atMs: atMs + stepMs, usd: null }] : [])];
  });
}

/** The models with offers, and the price of one over time. */
export const Gpus: FunctionComponent<{ page: Page }> = ({ page }) => {
  const { gpus, prices, shown, problem } = page.state.gpus;
  const listed = (gpus ?? []).filter(({ market }) => market.offers > 0);
  // All at once, so that nothing moves while one reads
  const isReady = prices !== undefined || problem !== undefined || listed.length === 0;
  return (
    <div class="gpus" id="offers" tabIndex={-1}>
      {problem !== undefined && <p class="notice">{problem}</p>}
      <section aria-label="Prices over time">
        <h2>{shown === undefined ? "GPUs" : `${nameOf(listed, prices?.gpu ?? shown)} over time`}</h2>
        {prices !== undefined && (
          <PriceChart label="Lowest price per GPU-hour" nowMs={page.state.nowMs} points={observedPoints(prices)} />
        )}
      </section>
      {gpus !== undefined && isReady && (
        <>
          <p>
            {countOf(listed.length, "model")}. Prices in USD per GPU-hour of what can be rented now, without disk; worth
            by the lowest one.
          </p>
          <ModelTable page={page} listed={listed} shown={shown} />
        </>
      )}
    </div>
  );
};

const ModelTable: FunctionComponent<{ page: Page; listed: readonly GpuEntry[]; shown: string | undefined }> = ({
  page,
  listed,
  shown,
}) => {
  const [sort, setSort] = useState<{ title: string; direction: 1 | -1 }>();
  const decimals = decimalsFor(
    COLUMNS.slice(0, 3).flatMap(({ value }) => listed.flatMap((gpu) => toMicrosUp(value(gpu) ?? 0))),
  );
  const column = COLUMNS.find(({ title }) => title === sort?.title);
  const last = Number.POSITIVE_INFINITY * (sort?.direction ?? 1);
  const keyOf = (gpu: GpuEntry): number => (column?.value(gpu) ?? last) * (sort?.direction ?? 1);
  const rows = column === undefined ? listed : listed.toSorted((a, b) => compareNumbers(keyOf(a), keyOf(b)));
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="GPUs, scrollable">
      <table class="models" aria-label="GPUs">
        <thead>
          <tr>
            <th scope="col">GPU</th>
            <th scope="col" class="num">
              Offers
            </th>
            {COLUMNS.map(({ title }) => {
              const direction = sort?.title === title ? sort.direction : undefined;
              return (
                <th
                  key={title}
                  scope="col"
                  class="num"
                  aria-sort={direction === undefined ? undefined : direction === 1 ? "ascending" : "descending"}
                >
                  <button onClick={() => setSort({ title, direction: direction === 1 ? -1 : 1 })}>
                    {direction !== undefined && <span aria-hidden="true">{direction === 1 ? "↑ " : "↓ "}</span>}
                    {title}
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((gpu) => (
            <tr key={gpu.slug} class={isShown(gpu, shown) ? "is-current" : undefined}>
              <th scope="row">
                <button
                  class="link"
                  aria-pressed={isShown(gpu, shown)}
                  onClick={() => void page.gpus.show(`=${gpu.slug}`)}
                >
                  {gpu.name}
                </button>
              </th>
              <td class="num">
                <button
                  class="link"
                  aria-label={`${countOf(gpu.market.offers, "offer")} of ${gpu.name}`}
                  onClick={() => void page.goTo("list", `=${gpu.slug}`)}
                >
                  {countText(gpu.market.offers)}
                </button>
              </td>
              {COLUMNS.map(({ title, value, text }) => {
                const number = value(gpu);
                return (
                  <td key={title} class="num">
                    {number === null ? UNKNOWN : text(number, gpu, decimals)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** Infinite ones, which are unknown, are equal. */
function compareNumbers(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function isShown({ slug }: GpuEntry, shown: string | undefined): boolean {
  return slug === shown?.replace(/^=/, "");
}

function nameOf(gpus: readonly GpuEntry[], name: string): string {
  return gpus.find((gpu) => isShown(gpu, name))?.name ?? name;
}
