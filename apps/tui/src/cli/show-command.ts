import { compareOffers, type Balance, type ComparedFact, type ComparedValue, type Offer } from "@gpu-offers/domain";
import type { OfferSource } from "../catalog/offer-source.js";
import { EXIT, Failure } from "../output/exit.js";
import { formatList, type Format, type Grid } from "../output/formats.js";
import { offerFacts } from "../output/offer-words.js";
import { dateText } from "../text/age-text.js";
import { usdText } from "../text/price-text.js";
import { countText } from "../text/count-text.js";
import { runwayText } from "../text/runway-text.js";
import { printable } from "../text/width.js";
import { getOffer } from "./first-command.js";

// Subcommands for offers by id. Ids come from --list or the picker's `y`.

/** Context of the output. */
export interface ShowOptions {
  format: Format;
  diskGb?: number | undefined;
  balance?: Balance | undefined;
  /** Date of the prices by provider. */
  pricesAsOf?: ReadonlyMap<string, string> | undefined;
}

/** `show <id>`: all facts about an offer. */
export async function showText(source: OfferSource, id: string, options: ShowOptions): Promise<string> {
  const offer = await getOffer(source, id);
  return formatList(options.format, [offer], () => ({
    titles: ["FACT", "VALUE"],
    aligns: ["left", "left"],
    rows: offerFacts(offer, options),
  }));
}

/**
 * `compare <id> <id> ...`: a column per offer, with differences first.
 * @throws Failure if there are fewer than two offers, or if one doesn't exist.
 */
export async function compareText(
  source: OfferSource,
  ids: readonly string[],
  { format, diskGb, balance, pricesAsOf }: ShowOptions,
): Promise<string> {
  if (new Set(ids).size < 2) {
    throw new Failure(EXIT.usage, "compare requires two or more different ids.");
  }
  const offers = await Promise.all([...new Set(ids)].map((id) => getOffer(source, id)));
  const facts = compareOffers(offers, {
    diskGb,
    balance,
    pricesAsOf: ({ provider }) => pricesAsOf?.get(provider.name),
  });
  if (format !== "table") {
    return formatList(format, facts, () => comparisonGrid(offers, facts));
  }
  const same = facts
    .filter(({ differs }) => !differs)
    .map((fact) => `${TITLES[fact.key]} ${valueText(fact, fact.values[0] ?? null)}`);
  return `${formatList("table", facts, () => comparisonGrid(offers, facts))}${same.length === 0 ? "" : `\nsame: ${same.join(", ")}\n`}`;
}

function comparisonGrid(offers: readonly Offer[], facts: readonly ComparedFact[]): Grid {
  return {
    titles: ["", ...offers.map(({ id }) => printable(id))],
    aligns: ["left", ...offers.map(() => "left" as const)],
    rows: facts
      .filter(({ differs }) => differs)
      .map((fact) => [TITLES[fact.key]].concat(fact.values.map((value, index) => cellText(fact, value, index)))),
  };
}

/** Labels of lines. */
const TITLES: Readonly<Record<ComparedFact["key"], string>> = {
  totalHourly: "$/h with disk",
  total30Days: "30 days",
  runwaySeconds: "runway",
  pricePerGpu: "$/GPU-h",
  priceHourly: "$/h without disk",
  priceIsMinimum: "price is a minimum",
  isAvailable: "available",
  pricesAsOf: "prices as of",
  gpu: "GPU",
  gpuCount: "GPUs",
  vramGb: "VRAM",
  totalVramGb: "total VRAM",
  nvlink: "NVLink",
  interconnect: "network",
  architecture: "architecture",
  vcpu: "vCPU",
  ramGb: "memory",
  diskGb: "disk",
  storageMinGb: "smallest disk",
  storageMaxGb: "largest disk",
  storageCostPerGb: "$/GB-h of disk",
  provider: "provider",
  deploymentType: "type",
  region: "region",
  country: "country",
  city: "city",
  continent: "continent",
};

function cellText(fact: ComparedFact, value: ComparedValue, index: number): string {
  const percent = index === 0 ? null : (fact.percent[index] ?? null);
  const distance = percent === null ? "" : percent === 0 ? " (same)" : ` (${percent > 0 ? "+" : ""}${percent} %)`;
  return `${valueText(fact, value)}${distance}`;
}

function valueText({ key, unit }: ComparedFact, value: ComparedValue): string {
  if (value === null) {
    return "–";
  }
  if (typeof value === "boolean") {
    return value ? "yes" : "no";
  }
  if (typeof value === "string") {
    return printable(key === "pricesAsOf" ? dateText(value) : value);
  }
  switch (unit) {
    case "usd":
      return key === "total30Days"
        ? `$${countText(Math.ceil(value))}`
        : value < 0.01 && value > 0
          ? `$${value}`
          : usdText(value);
    case "seconds":
      return runwayText(value);
    case "gb":
      return `${countText(value)} GB`;
    case "count":
    case "boolean":
    case "text":
      return countText(value);
  }
}
