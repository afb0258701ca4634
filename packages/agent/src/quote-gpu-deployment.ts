import {
  availabilityOf,
  checkDisk,
  defaultOsImage,
  deploymentSchema,
  fromMicros,
  HOURS_OF_30_DAYS,
  hourlyCostMicros,
  isDiskFixed,
  paidDisk,
  present,
  pricedOffer,
  runwaySeconds,
  sampleText,
  UNKNOWN_LISTING_FACTS,
  type LaunchPlan,
  type OsImage,
} from "@gpu-offers/domain";
import { alikeQuery, launchDisk, launchPlan, planOfTop } from "@gpu-offers/domain/launching";
import * as z from "zod";
import { getOffers, readCredit, type AgentCatalog } from "./agent-catalog.js";
import { ToolArgumentError } from "./argument-error.js";
import { gpuText, moneyOf } from "./offer-row.js";
import { ageOf, readPriceTimes } from "./oldest-price.js";
import type { Tool } from "./tool.js";

const input = z.strictObject({
  id: z.string().min(1).max(64),
  diskGb: z.int().min(0).max(1_000_000).describe("At least").optional(),
  fits: z.string().min(1).max(100).describe("Without diskGb: a model whose weights fit on the disk").optional(),
  spot: z.boolean().describe("At the spot price").optional(),
  osImageId: z.string().min(1).max(200).describe("Default: the provider's default image").optional(),
  hours: z.int().min(1).max(1_000_000).optional(),
  nodes: z.int().min(1).max(999).describe("Equal machines: usdTotal and usd30Days are for all").optional(),
  top: z
    .int()
    .min(1)
    .max(20)
    .describe("Launch the first available of this number of offers of its GPU and count")
    .optional(),
  expectUsdPerHour: z.number().positive().describe("With the disk, as agreed by the user; more is an error").optional(),
});

const output = z.object({
  sample: z.literal(true).optional(),
  note: z.string().optional(),
  deployment: z.object(deploymentSchema.shape),
  gpu: z.string(),
  images: z.array(z.string()).describe("Default first; none: unknown"),
  diskGb: z.number().describe("Priced disk").optional(),
  usdPerHour: z.number(),
  usdPerHourWithDisk: z.number().optional(),
  usdTotal: z.number().optional(),
  spot: z.string().optional(),
  atLeast: z.literal(true).optional(),
  diskUnknown: z.literal(true).optional(),
  usd30Days: z.number(),
  pricesAsOf: z.string().nullable(),
  ageDays: z.number().nullable(),
  balance: z.string().optional(),
  runwayHours: z.number().optional(),
  balanceProblem: z.string().optional(),
  listing: z
    .looseObject({ id: z.string(), region: z.string(), availability: z.string() })
    .describe("What to rent: instanceType, too"),
  launch: z.array(z.object({ tool: z.string(), text: z.string(), fill: z.array(z.string()) })),
  notes: z.array(z.string()).optional(),
});

const ARGUMENT_OF: Readonly<Record<string, string>> = { offer: "id", os_image_id: "osImageId", disk: "diskGb" };

/** `quote_gpu_deployment`: confirms a choice before anything is rented. */
export function quoteGpuDeployment(catalog: AgentCatalog): Tool<typeof input, typeof output> {
  return {
    name: "quote_gpu_deployment",
    title: "Quote a GPU deployment",
    description:
      "Confirm an offer before renting it: checks disk, image, availability and price, and returns the deployment.",
    input,
    output,
    run: async ({ id, osImageId, hours, expectUsdPerHour, top = 1, nodes = 1, ...given }) => {
      const { diskGb: askedGb, fits, spot: isSpot = false } = given;
      const { listing: facts = UNKNOWN_LISTING_FACTS, ...onDemand } = present((await getOffers(catalog, [id]))[0]);
      const { instanceType, spot } = facts;
      const offer = pricedOffer({ ...facts, offer: onDemand }, isSpot);
      const images = (await catalog.findImages(offer.provider.name, instanceType)) ?? [];
      const { diskGb } = launchDisk(offer, { askedGb, fits });
      const age = ageOf([(await readPriceTimes(catalog)).get(offer.provider.name) ?? []].flat());
      const { pricesAsOf } = age;
      const choice = { osImageId, diskGb: askedGb, fits, isSpot, nodes, pricesAsOf };
      const listing = { offer: onDemand, ...facts };
      const single = launchPlan(listing, images, choice);
      const alike = top === 1 ? [] : await catalog.find(alikeQuery(listing, choice));
      const plan = top === 1 ? single : planOfTop(single, alike, top, choice);
      const problems = plan.problems.map(problemText);
      // With an invalid disk, the price is only known if the disk is fixed.
      const isPriced = isDiskFixed(offer) || checkDisk(offer, diskGb).ok;
      const pricedGb = diskGb ?? paidDisk(offer);
      const micros = hourlyCostMicros(offer, pricedGb);
      const allMicros = micros * nodes;
      // Exact, because the user may have agreed to a price with more decimals than the quote shows.
      if (expectUsdPerHour !== undefined && isPriced && fromMicros(micros) > expectUsdPerHour) {
        problems.push(
          `expectUsdPerHour: the price is now ${fromMicros(micros)} USD an hour, not ${expectUsdPerHour}. Ask the user to confirm.`,
        );
      }
      if (plan.deployment === null || problems.length > 0) {
        throw new ToolArgumentError(problems);
      }
      const notes = [...plan.notes, ...plan.missing.map(({ reason }) => reason)];
      const { balance, balanceProblem } = await readCredit(catalog);
      return {
        ...(plan.sample && { sample: true as const, note: `These are ${sampleText(pricesAsOf)}.` }),
        deployment: plan.deployment,
        gpu: gpuText(offer),
        images: imageIds(images, osImageId),
        ...moneyOf(offer, pricedGb, hours && hours * nodes),
        spot: isSpot ? spot?.kind : undefined,
        usd30Days: fromMicros(allMicros * HOURS_OF_30_DAYS),
        ...age,
        balance: balance?.balance,
        runwayHours: balance && runwayHours(runwaySeconds(balance, allMicros)),
        balanceProblem,
        listing: {
          id: offer.id,
          region: offer.region,
          instanceType,
          availability: availabilityOf({ ...facts, offer }),
          stock14d: facts.stock14d ?? undefined,
          pricesAsOf,
          rentUrl: plan.rentUrl ?? undefined,
        },
        launch: plan.launch.map(({ tool, text, placeholders: fill }) => ({ tool, text, fill })),
        notes: notes.length === 0 ? undefined : notes,
      };
    },
  };
}

/** Maximum number of images in a quote, to keep it small. */
const MAX_IMAGES = 10;

/** The ids of a provider's images; the one of the deployment is first, by default the provider's default image. */
function imageIds(images: readonly OsImage[], osImageId = defaultOsImage(images)?.id): string[] {
  const ids = images.map(({ id }) => id);
  return [...ids.filter((id) => id === osImageId), ...ids.filter((id) => id !== osImageId)].slice(0, MAX_IMAGES);
}

/** JSON has no Infinity, so a free instance has no runway. */
function runwayHours(seconds: number): number | undefined {
  return Number.isFinite(seconds) ? Math.floor(seconds / 36) / 100 : undefined;
}

/** A problem with the name of its argument, in place of the API's field. */
function problemText({ field, reason }: LaunchPlan["problems"][number]): string {
  return `${ARGUMENT_OF[field] ?? field}: ${reason.replace(/^(?:disk|fits) /, "")}`;
}
