import * as z from "zod";
import { findInstanceType } from "../instance/instance-type.js";
import { gcpGpus } from "../price-lists.facts.js";
import { Rejection } from "../rejection.js";
import { showValue } from "../shown-value.js";
import { builtInSource } from "./built-in-source.js";
import { pagesOf } from "./define-source.js";
import type { LiveRow } from "./live-offers.js";
import { bodiesOf, bodyOf, matchingRows, nameSchema, rowsOf } from "./response.js";
import { spotTerms } from "./terms.js";

// https://cloud.google.com/billing/docs/reference/rest/v1/services.skus/list: the price list of Compute Engine. It has
// prices of GPUs, cores, memory and local disks, and no machines: the price of a machine is the sum of its parts.

const URL_OF_SKUS = "https://cloudbilling.googleapis.com/v1/services/6F81-5844-456A/skus";

// ASCII: other texts may not be encodable in a URL.
const tokenSchema = z.string().regex(/^[\x21-\x7e]{0,4000}$/, "must be a token of ASCII characters");
const pageSchema = z.object({ skus: z.array(z.unknown()), nextPageToken: tokenSchema.nullish() });

const skuSchema = z.object({
  description: z.string().max(500),
  category: z.object({ resourceFamily: z.string(), resourceGroup: z.string().nullish(), usageType: z.string() }),
  serviceRegions: z.array(nameSchema),
  pricingInfo: z
    .array(
      z.object({
        pricingExpression: z.object({
          usageUnit: z.string().nullish(),
          tieredRates: z.array(
            z.object({
              unitPrice: z.object({
                currencyCode: z.string().nullish(),
                // Whole dollars as text, and billionths of one.
                units: z.string().regex(/^\d{1,9}$/, "must be a whole number as text"),
                nanos: z.int().min(0).max(999_999_999),
              }),
            }),
          ),
        }),
      }),
    )
    .min(1),
});
type Sku = z.output<typeof skuSchema>;

/**
 * A machine type that includes GPUs.
 * @param localGbPerGpu Local disks for each GPU that the machine always has and that are charged apart, in GiB.
 */
function documented(type: string, localGbPerGpu: number) {
  const { gpuCount: gpus, vcpu, ramGb } = findInstanceType("gcp", type) ?? {};
  if (gpus === undefined || vcpu === undefined || ramGb === undefined) {
    throw new Error(`The instance tables lack GPUs, vCPUs or memory of ${type}.`);
  }
  return { type, gpus, vcpu, ramGb, localGb: gpus * localGbPerGpu };
}

const N1_FAMILIES = [
  { name: "n1-standard", gbPerVcpu: 3.75 },
  { name: "n1-highmem", gbPerVcpu: 6.5 },
];
const N1_MACHINES = N1_FAMILIES.flatMap(({ name, gbPerVcpu }) =>
  [2, 4, 8, 16, 32, 64, 96].map((vcpu) => ({ type: `${name}-${vcpu}`, vcpu, ramGb: vcpu * gbPerVcpu })),
);

/**
 * The GPUs that Google Cloud rents, and its machine types by GPU: which prices make up theirs.
 * https://cloud.google.com/compute/docs/accelerator-optimized-machines, https://cloud.google.com/compute/docs/gpus
 */
export const GCP_CARDS = gcpGpus.map((row) => ({
  // As in the descriptions of prices, in lower case, without the maker.
  names: row.names ?? [],
  // The family of the prices for cores and memory.
  family: row.cores,
  machines: [
    ...(row.types ?? []).map((type) => documented(type, row.localGb)),
    ...(row.n1 ?? []).flatMap(([gpus, vcpu, ramGb]) =>
      N1_MACHINES.filter((machine) => machine.vcpu <= vcpu && machine.ramGb <= ramGb).map((machine) =>
        Object.assign({ gpus, localGb: 0 }, machine),
      ),
    ),
  ],
  // Machine types that are only sold as Spot, in reservations or by Flex-start, although GPUs have on-demand prices.
  notOnDemand: row.notOnDemand,
  // GB of one card that is added to machines of any size: then its name, not the machine type, determines the GPU.
  addedGb: row.n1 && row.vramGb,
}));
type Card = (typeof GCP_CARDS)[number];
type Machine = Card["machines"][number];

export const gcp = builtInSource("gcp", {
  auth: (key) => ({ "x-goog-api-key": key }),
  requests: () =>
    pagesOf(
      (_, token?: string) => {
        const page = token === undefined ? "" : `&pageToken=${encodeURIComponent(token)}`;
        return { part: "skus", url: `${URL_OF_SKUS}?currencyCode=USD&pageSize=5000${page}` };
      },
      (reply) => bodyOf(reply, pageSchema).nextPageToken,
    ),

  items(offers, replies) {
    const rows = bodiesOf(replies, "skus", pageSchema).flatMap((body) => body.skus);
    const skus = rowsOf(rows, skuSchema, "skus");
    const prices = pricesIn(matchingRows(skus));
    return offers.items(skus, (sku) => {
      const meaning = meaningOf(sku);
      return meaning instanceof Rejection ? meaning : meaning?.card && [...machinesOf(sku, meaning.card, prices)];
    });
  },
});

type Terms = "OnDemand" | "Preemptible";

type Prices = ReadonlyMap<string, number>;

/** What a SKU is the price of. */
interface Meaning {
  /** The key of {@link Prices}. */
  key: string;
  /** The card whose machines are listed by this SKU: one with a price on demand. */
  card?: Card;
  /** Hours that the price is for. */
  hours: number;
}

/**
 * Prices of parts in USD per hour and unit, by region. Of several prices of a part, the highest counts: an estimate must
 * never be too low.
 */
function pricesIn(skus: readonly Sku[]): Prices {
  const prices = new Map<string, number>();
  for (const sku of skus) {
    const meaning = meaningOf(sku);
    if (meaning !== undefined && !(meaning instanceof Rejection)) {
      const rates = sku.pricingInfo.flatMap(({ pricingExpression }) => pricingExpression.tieredRates);
      const amounts = rates.map(({ unitPrice: { units, nanos } }) => Number(units) + nanos / 1e9);
      for (const region of sku.serviceRegions) {
        const key = `${meaning.key} ${region}`;
        prices.set(key, Math.max(prices.get(key) ?? 0, ...amounts.map((amount) => amount / meaning.hours)));
      }
    }
  }
  return new Map([...prices].filter(([, price]) => price > 0));
}

/** The price of a machine in USD per hour; undefined if the list lacks one of its parts in the region. */
function priceOf(prices: Prices, card: Card, machine: Machine, place: { terms: Terms; region: string }) {
  const parts = [
    [`gpu ${card.names[0]}`, machine.gpus],
    [`core ${card.family}`, machine.vcpu],
    [`ram ${card.family}`, machine.ramGb],
    ["disk", machine.localGb],
  ] as const;
  return parts.reduce<number | undefined>((sum, [part, units]) => {
    const price = units === 0 ? 0 : prices.get(`${part} ${place.terms}`.toLowerCase() + ` ${place.region}`);
    return sum === undefined || price === undefined ? undefined : sum + units * price;
  }, 0);
}

/** Local disks are priced by month: https://cloud.google.com/compute/disks-image-pricing */
const HOURS_PER_MONTH = 730;

// "Nvidia Tesla A100 80GB GPU running in Americas", "Nvidia L4 GPU attached to Spot Preemptible VMs running in Paris".
const GPU = /^(?:Nvidia )?(?:Tesla )?(.{1,60}?) GPU (attached to Spot Preemptible VMs )?running in /i;
// DWS is the Dynamic Workload Scheduler: Flex-start and calendar mode.
const OTHER_TERMS = /^Commitment\b|^Reserved\b|\bDWS\b|\bCalendar\b|\bSole Tenancy\b/i;
const NOT_ON_DEMAND = /\b(?:B200|GB200|GB300|B300)\b/i;
// "A2 Instance Core running in Americas", "Spot Preemptible A3Plus Instance Ram running in Americas".
const CORE_OR_RAM = /^(Spot Preemptible )?(A2|A3|A3Plus|G2|G4|N1 Predefined) Instance (Core|Ram) running in /i;
const LOCAL_DISK = /^SSD backed Local Storage( attached to Spot Preemptible VMs)?(?: in |$)/i;

/** What a SKU is the price of; undefined if no machine with GPUs has it. */
function meaningOf(sku: Sku): Meaning | Rejection | undefined {
  const { category, description } = sku;
  if (category.resourceFamily === "Storage") {
    const [found, spot] = LOCAL_DISK.exec(description) ?? [];
    return found === undefined ? undefined : partOf(sku, { key: "disk", isSpot: spot !== undefined, unit: "GiBy.mo" });
  }
  if (category.resourceFamily !== "Compute") {
    return undefined;
  }
  const [, spot, family = "", part = ""] = CORE_OR_RAM.exec(description) ?? [];
  if (part !== "") {
    const unit = part.toLowerCase() === "core" ? "h" : "GiBy.h";
    return partOf(sku, { key: `${part} ${family}`, isSpot: spot !== undefined, unit });
  }
  return category.resourceGroup === "GPU" ? gpuOf(sku) : undefined;
}

function gpuOf(sku: Sku): Meaning | Rejection {
  const { category, description } = sku;
  const shown = showValue(description);
  if (category.usageType.startsWith("Commit") || OTHER_TERMS.test(description)) {
    return new Rejection("other_terms", `${shown} is a price for a commitment, a reservation or a fixed duration.`);
  }
  if (/\bvGPU\b/i.test(description)) {
    return new Rejection("fractional_gpu", `${shown} is the price of a share of a card.`);
  }
  const [, name = "", spot] = GPU.exec(description) ?? [];
  const card = GCP_CARDS.find(({ names }) => names.includes(name.toLowerCase()));
  if (card !== undefined) {
    const part = partOf(sku, { key: `gpu ${card.names[0]}`, isSpot: spot !== undefined, unit: "h" });
    return part instanceof Rejection || spot !== undefined ? part : { ...part, card };
  }
  if (NOT_ON_DEMAND.test(description)) {
    return new Rejection("not_rentable", `${shown} is only sold as Spot, in reservations or by Flex-start.`);
  }
  return category.usageType === "Preemptible"
    ? new Rejection("spot_only", `${shown} is a spot price.`)
    : new Rejection("unknown_gpu", `${shown} is the price of no GPU in the tables.`, name === "" ? undefined : name);
}

/** A part of machines; a price in another unit, currency or for other terms than its description says is none. */
function partOf(sku: Sku, { key, isSpot, unit }: { key: string; isSpot: boolean; unit: string }): Meaning | Rejection {
  const { description, category, pricingInfo } = sku;
  const terms: Terms = isSpot ? "Preemptible" : "OnDemand";
  if (category.usageType !== terms) {
    return new Rejection("other_terms", `${showValue(description)} is for ${showValue(category.usageType)}.`);
  }
  for (const { pricingExpression } of pricingInfo) {
    const { usageUnit, tieredRates } = pricingExpression;
    if ((usageUnit ?? unit) !== unit) {
      return new Rejection("bad_unit", `${showValue(description)} is priced per ${showValue(usageUnit)}, not ${unit}.`);
    }
    const other = tieredRates.find(({ unitPrice: { currencyCode } }) => (currencyCode ?? "USD") !== "USD");
    if (other !== undefined) {
      return new Rejection("unknown_currency", `The price is in ${showValue(other.unitPrice.currencyCode)}.`);
    }
  }
  return { key: `${key} ${terms}`.toLowerCase(), hours: unit.endsWith(".mo") ? HOURS_PER_MONTH : 1 };
}

/** The machines with a card in the regions of its price, and one rejection each for those without one. */
function* machinesOf({ serviceRegions }: Sku, card: Card, prices: Prices): Generator<LiveRow | Rejection> {
  if (card.notOnDemand !== undefined) {
    yield new Rejection("not_rentable", `${card.notOnDemand} are only sold as Spot, in reservations or by Flex-start.`);
  }
  const lacking = new Set<string>();
  for (const region of serviceRegions.filter((name) => name !== "global")) {
    for (const machine of card.machines) {
      const priceHourly = priceOf(prices, card, machine, { terms: "OnDemand", region });
      if (priceHourly === undefined) {
        lacking.add(region);
      } else {
        const spotHourly = priceOf(prices, card, machine, { terms: "Preemptible", region });
        yield { ...rowOf(card, machine, spotTerms(spotHourly)), region, priceHourly };
      }
    }
  }
  if (lacking.size > 0) {
    const [first = ""] = lacking;
    const where = `${lacking.size} of ${serviceRegions.length} regions, such as ${showValue(first)}`;
    yield new Rejection(
      "half_machine",
      `The cores, memory or disk of machines with this GPU have no price in ${where}.`,
    );
  }
}

function rowOf(
  card: Card,
  machine: Machine,
  spot: ReturnType<typeof spotTerms>,
): Omit<LiveRow, "region" | "priceHourly"> {
  const { type, gpus, vcpu, ramGb, localGb } = machine;
  const { addedGb } = card;
  return {
    instanceType: type,
    typeFixesGpu: addedGb === undefined,
    // A documented type determines its GPU.
    gpu: addedGb === undefined ? { name: "" } : { name: card.names[0] ?? "", count: gpus, vramGb: addedGb },
    // A region has a price for GPUs that none of its zones has.
    isAvailable: false,
    vcpu,
    ramGb,
    disk: { kind: "unpriced", sizeGb: localGb },
    listing: { instanceType: type, seller: "cloud", spot },
  };
}
