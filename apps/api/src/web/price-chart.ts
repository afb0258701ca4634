import { toMicrosUp, type GpuPrices, type GpuPricesAt } from "@gpu-offers/domain";
import { microsText, decimalsFor } from "@gpu-offers/list";
import { html, type Html, table } from "./html.js";

// Charts of prices over time as SVG: medians, with gaps where nothing was observed, on an axis that begins at zero.

/** The prices of a GPU or a family. */
export interface Series {
  name: string;
  prices: GpuPrices;
}

/** What a chart shows, in milliseconds since 1970. */
interface ChartSpan {
  sinceMs: number;
  untilMs: number;
  /** How long a point holds. */
  stepMs: number;
}

/** Size of a chart, and of its margins. */
type Frame = Record<"width" | "height" | "left" | "right" | "top" | "bottom", number>;

const CHART: Frame = { width: 720, height: 240, left: 52, right: 8, top: 10, bottom: 22 };
const SPARK: Frame = { width: 120, height: 28, left: 0, right: 0, top: 2, bottom: 2 };

/** The highest price at the top of the axis: the next 1, 2, 2.5 or 5 of a power of ten. */
function axisTop(usd: number): number {
  const power = 10 ** Math.floor(Math.log10(usd));
  return power * ([1, 2, 2.5, 5, 10].find((step) => usd <= step * power) ?? 10);
}

const round = (value: number): number => Math.round(value * 10) / 10;

function scales({ sinceMs, untilMs }: ChartSpan, frame: Frame, low: number, high: number) {
  const { width, height, left, right, top, bottom } = frame;
  const clamp = (ms: number): number => Math.min(untilMs, Math.max(sinceMs, ms));
  return {
    x: (ms: number): number =>
      round(left + ((clamp(ms) - sinceMs) / Math.max(1, untilMs - sinceMs)) * (width - left - right)),
    y: (usd: number): number =>
      round(height - bottom - ((usd - low) / Math.max(1e-9, high - low)) * (height - top - bottom)),
  };
}

/** A step line of the median of each point, interrupted where the next point doesn't follow. */
function linePath(points: readonly GpuPricesAt[], { x, y }: ReturnType<typeof scales>, stepMs: number): string {
  let endMs = Number.NaN;
  return points
    .flatMap(({ at, median: usd }) => {
      if (usd === null) {
        return [];
      }
      const atMs = Date.parse(at);
      const start = atMs === endMs ? `V${y(usd)}` : `M${x(atMs)} ${y(usd)}`;
      endMs = atMs + stepMs;
      return [`${start}H${x(endMs)}`];
    })
    .join("");
}

/** What lies between the tenth and the ninetieth percent of the offers at each point, as areas. */
function bandPath(points: readonly GpuPricesAt[], { x, y }: ReturnType<typeof scales>, stepMs: number): string {
  return points
    .flatMap(({ at, p10, p90 }) => {
      const atMs = Date.parse(at);
      return p10 === null || p90 === null ? [] : [`M${x(atMs)} ${y(p10)}V${y(p90)}H${x(atMs + stepMs)}V${y(p10)}Z`];
    })
    .join("");
}

/** The chart of several GPUs; undefined if nothing was observed. */
export function priceChart(all: readonly Series[], span: ChartSpan, label: string): Html | undefined {
  const isOne = all.length === 1;
  const known = all.flatMap(({ prices: { series } }) =>
    series.flatMap(({ median, p90 }) => (isOne ? p90 : median) ?? []),
  );
  if (known.length === 0) {
    return undefined;
  }
  const top = axisTop(Math.max(...known));
  const to = scales(span, CHART, 0, top);
  const ticks = [0, top / 2, top];
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const base = CHART.height - CHART.bottom;
  return html`<svg
    class="chart wide"
    viewBox="0 0 ${CHART.width} ${CHART.height}"
    role="img"
    aria-label="${label}"
    data-base="${base}"
  >
    ${ticks.map(
      (usd) =>
        html`<path class="axis" d="M${CHART.left} ${to.y(usd)}H${CHART.width - CHART.right}" />
          <text x="${CHART.left - 6}" y="${to.y(usd) + 3}" text-anchor="end">$${String(usd)}</text>`,
    )}
    ${all.map(
      ({ prices: { series } }, index) =>
        html`${isOne ? html`<path class="band" d="${bandPath(series, to, span.stepMs)}" />` : ""}
          <path class="line s${index}" d="${linePath(series, to, span.stepMs)}" />`,
    )}
    <text x="${CHART.left}" y="${CHART.height - 6}">${day(span.sinceMs)}</text>
    <text x="${CHART.width - CHART.right}" y="${CHART.height - 6}" text-anchor="end">${day(span.untilMs)}</text>
  </svg>`;
}

/** A small line without an axis. */
export function sparkline(points: readonly GpuPricesAt[], span: ChartSpan): Html {
  const known = points.flatMap(({ median }) => median ?? []);
  const to = scales(span, SPARK, Math.min(...known) * 0.98, Math.max(...known) * 1.02);
  return html`<svg class="spark" viewBox="0 0 ${SPARK.width} ${SPARK.height}" aria-hidden="true">
    <path class="line" d="${known.length === 0 ? "" : linePath(points, to, span.stepMs)}" />
  </svg>`;
}

/** The columns of a single GPU. */
const ONE = ["lowest", "p10", "median", "p90", "offers", "sellers read"];

/** The medians of each day as a table; scripts read it for the values at a point of the chart. */
export function priceTable(all: readonly Series[], span: ChartSpan): Html {
  const { x } = scales(span, CHART, 0, 1);
  const times = [...new Set(all.flatMap(({ prices: { series } }) => series.map(({ at }) => at)))].sort();
  const decimals = decimalsFor(
    all.flatMap(({ prices: { series } }) =>
      series.flatMap(({ median, min, p90 }) => [median, min, p90].map((usd) => toMicrosUp(usd ?? 0))),
    ),
  );
  const byTime = all.map(({ prices }) => new Map(prices.series.map((point) => [point.at, point])));
  const isOne = all.length === 1;
  const text = (usd: number | null | undefined): string =>
    usd === null || usd === undefined ? "–" : microsText(toMicrosUp(usd), decimals);
  return html`<details>
    <summary>As a table</summary>
    ${table({
      label: "Prices per GPU-hour, USD",
      className: "facts values",
      headings: ["From", ...(isOne ? ONE : all.map(({ name }) => name)).map((num) => ({ num }))],
      rows: times.map((at) => {
        const points = byTime.map((known) => known.get(at));
        const { min, p10, median, p90, offers = 0, observed = 0, known = 0 }: Partial<GpuPricesAt> = points[0] ?? {};
        const cells = [...[min, p10, median, p90].map(text), String(offers), `${observed} of ${known}`];
        return [at.slice(0, 10), ...(isOne ? cells : points.map((point) => text(point?.median)))];
      }),
      attributes: (index) => html`data-x="${x(Date.parse(times[index] ?? ""))}"`,
    })}
  </details>`;
}
