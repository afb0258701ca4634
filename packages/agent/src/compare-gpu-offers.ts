import {
  compareOffers,
  diskFor,
  isDiskUnknown,
  isSample,
  sampleText,
  sizesText,
  type ComparedFact,
  type ComparedKey,
  type ComparedValue,
  type ListedOffer,
  type Offer,
} from "@gpu-offers/domain";
import * as z from "zod";
import { getOffers, readCredit, type AgentCatalog } from "./agent-catalog.js";
import { ToolArgumentError } from "./argument-error.js";
import { ageOf, readPriceTimes } from "./oldest-price.js";
import type { Tool } from "./tool.js";

const input = z.strictObject({
  ids: z.array(z.string().min(1).max(64)).min(2).max(5),
  diskGb: z.int().min(0).max(1_000_000).default(0),
});

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const output = z.object({
  ids: z.array(z.string()),
  differs: z
    .record(z.string(), z.object({ values: z.array(value), percent: z.array(z.number().nullable()).optional() }))
    .describe("One value per offer; percent relative to the first"),
  same: z.record(z.string(), value),
  ageDays: z.number().nullable().describe("Of the oldest price"),
  notes: z.array(z.string()).optional(),
});

/** `compare_gpu_offers`: compares offers fact by fact. */
export function compareGpuOffers(catalog: AgentCatalog): Tool<typeof input, typeof output> {
  return {
    name: "compare_gpu_offers",
    title: "Compare GPU offers",
    description: "Compare offers by id: which facts differ (with percent from the first offer) and which are the same.",
    input,
    output,
    run: async ({ ids: asked, diskGb }) => {
      const offers = await getOffers(catalog, asked);
      const ids = offers.map(({ id }) => id);
      if (new Set(ids).size < ids.length) {
        throw new ToolArgumentError(["ids: must be different offers."]);
      }
      const asOf = await readPriceTimes(catalog);
      const { balance, balanceProblem } = await readCredit(catalog);
      const facts = compareOffers(offers, {
        diskGb,
        balance,
        pricesAsOf: (offer: Offer) => asOf.get(offer.provider.name),
      });
      const different = facts.filter(({ differs }) => differs);
      const same = facts.filter(({ differs }) => !differs);
      return {
        ids,
        differs: Object.fromEntries(different.map((fact) => [nameOf(fact), difference(fact)])),
        same: Object.fromEntries(same.map((fact) => [nameOf(fact), valuesOf(fact)[0] ?? null])),
        ageDays: ageOf(offers.flatMap(({ provider }) => asOf.get(provider.name) ?? [])).ageDays,
        notes: notesOf(offers, { diskGb, balanceProblem, asOf }),
      };
    },
  };
}

/** Names of facts, with units and as in the other tools, where the domain's differ. */
const NAMES: Partial<Record<ComparedKey, string>> = {
  totalHourly: "usdPerHourWithDisk",
  total30Days: "usd30Days",
  runwaySeconds: "runwayHours",
  pricePerGpu: "usdPerGpuHour",
  priceHourly: "usdPerHour",
  priceIsMinimum: "atLeast",
  storageMinGb: "minDiskGb",
  storageMaxGb: "maxDiskGb",
  storagePricePerGbMonth: "usdPerGbMonth",
};

function nameOf({ key }: ComparedFact): string {
  return NAMES[key] ?? key;
}

function valuesOf({ key, values }: ComparedFact): ComparedValue[] {
  const hours = (seconds: ComparedValue) => (typeof seconds === "number" ? Math.floor(seconds / 36) / 100 : seconds);
  return key === "runwaySeconds" ? values.map(hours) : [...values];
}

function notesOf(
  offers: readonly ListedOffer[],
  about: { diskGb: number; balanceProblem: string | undefined; asOf: ReadonlyMap<string, string> },
): string[] | undefined {
  const { diskGb, balanceProblem, asOf } = about;
  const notes = [
    ...offers.filter(isSample).map(({ id, provider }) => `${id}: ${sampleText(asOf.get(provider.name))}.`),
    ...offers
      .filter((offer) => diskFor(offer, diskGb) === undefined)
      .map(
        (offer) =>
          `${offer.id} does not support a ${diskGb} GB disk (only ${sizesText(offer)} GB), so its total is unknown.`,
      ),
    ...offers
      .filter((offer) => isDiskUnknown(offer, diskGb))
      .map(({ id }) => `${id}: the price of the disk is unknown, so its total excludes it.`),
    ...(balanceProblem === undefined ? [] : [`The balance is unknown: ${balanceProblem}`]),
  ];
  return notes.length === 0 ? undefined : notes;
}

function difference(fact: ComparedFact) {
  const { percent } = fact;
  const hasPercent = percent.some((part) => part !== null && part !== 0);
  return { values: valuesOf(fact), percent: hasPercent ? [...percent] : undefined };
}
