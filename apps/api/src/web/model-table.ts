import { toMicrosUp, worth, type GpuEntry, type WorthKey } from "@gpu-offers/domain";
import { countOf, countText, decimalsFor, microsText, UNKNOWN, WORTH_DECIMALS, type Decimals } from "@gpu-offers/list";
import { html, type Html, table } from "./html.js";
import { gpuPath } from "./market-tiles.js";

// A table of GPU models, with what they cost and what they are worth.

interface NumberColumn {
  title: string;
  /** The key of the order of offers that sorts by it. */
  sort?: string;
  value: (gpu: GpuEntry) => number | null;
  text: (value: number, gpu: GpuEntry, decimals: Decimals) => string;
}

const priced = (title: string, value: NumberColumn["value"], more: { sort?: string } = {}): NumberColumn => ({
  title,
  value,
  ...more,
  text: (price, { market }, decimals) =>
    `${market.isAtLeast && title === "from" ? "≥" : ""}${microsText(toMicrosUp(price), decimals)}`,
});

/** By the lowest price. */
const worthColumn = (title: string, key: WorthKey): NumberColumn => ({
  title,
  sort: key,
  value: (gpu) => gpu.market.pricePerGpu && worth({ gpu, pricePerGpu: gpu.market.pricePerGpu.min }, key),
  text: (price) => microsText(toMicrosUp(price), WORTH_DECIMALS),
});

export const COLUMNS: readonly NumberColumn[] = [
  priced("from", ({ market }) => market.pricePerGpu?.min ?? null, { sort: "pricePerGpu" }),
  priced("median", ({ market }) => market.pricePerGpu?.median ?? null),
  priced("spot", ({ market }) => market.spotMin),
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

/** A table of models. @param root the root as a relative link. @param linkOf the heading that sorts by a key. */
export function modelTable(
  gpus: readonly GpuEntry[],
  { root, shown, linkOf }: { root: string; shown: ReadonlySet<string>; linkOf?: (sort: string, title: string) => Html },
): Html {
  const decimals = decimalsFor(
    COLUMNS.slice(0, 3).flatMap(({ value }) => gpus.flatMap((gpu) => toMicrosUp(value(gpu) ?? 0))),
  );
  const mark = ({ slug, name }: GpuEntry): Html =>
    linkOf === undefined
      ? html``
      : html`<input
          type="checkbox"
          name="gpu"
          value="=${slug}"
          aria-label="${name} in the chart"
          ${shown.has(slug) ? "checked" : ""}
        />`;
  const isMixed = gpus.some(({ market }) => market.rentable > 0 && !market.sample);
  return table({
    label: "GPUs",
    className: "models",
    headings: [
      "GPU",
      { num: "Offers" },
      ...COLUMNS.map(({ title, sort }) => ({
        num: sort === undefined || linkOf === undefined ? title : linkOf(sort, title),
      })),
    ],
    rows: gpus.map((gpu) => [
      html`${mark(gpu)} <a href="${root}${gpuPath(gpu.slug)}">${gpu.name}</a>${
          isMixed && gpu.market.sample ? html` <small>sample</small>` : ""
        }`,
      html`<a
        href="${root}?gpu==${encodeURIComponent(gpu.slug)}"
        aria-label="${countOf(gpu.market.offers, "offer")} of ${gpu.name}"
        >${countText(gpu.market.offers)}</a
      >`,
      ...COLUMNS.map(({ value, text }) => {
        const number = value(gpu);
        return number === null ? UNKNOWN : text(number, gpu, decimals);
      }),
    ]),
    attributes: (index) => (shown.has(gpus[index]?.slug ?? "") ? html`class="is-current"` : html``),
  });
}
