import { composeDeployment, deploymentSchema, fromMicros, hourlyCostMicros, runwaySeconds } from "@gpu-offers/domain";
import * as z from "zod";
import type { AgentCatalog } from "./agent-catalog.js";
import { ArgumentError } from "./argument-error.js";
import { getOffers } from "./get-offers.js";
import { gpuText } from "./offer-row.js";
import type { Tool } from "./tool.js";

const HOURS_OF_30_DAYS = 720;

const input = z.strictObject({
  id: z.string().min(1).max(64),
  diskGb: z.int().min(0).max(1_000_000).optional(),
  osImageId: z.string().min(1).max(200).describe("Default: the provider's default image").optional(),
  expectUsdPerHour: z.number().positive().describe("Price the user agreed to; a higher price is an error").optional(),
});

const output = z.object({
  deployment: z.object(deploymentSchema.shape).describe("Parameters for creating the deployment"),
  gpu: z.string(),
  usdPerHour: z.number(),
  atLeast: z.literal(true).optional(),
  usd30Days: z.number(),
  pricesAsOf: z.string().nullable(),
  balance: z.string().optional(),
  runwayHours: z.number().optional(),
});

/** Argument names for the parts of a choice. */
const ARGUMENT_OF = { offer: "id", os_image_id: "osImageId", disk_gb: "diskGb" } as const;

/** `quote_gpu_deployment`: confirms a choice before anything is rented. */
export function quoteGpuDeployment(catalog: AgentCatalog): Tool<typeof input, typeof output> {
  return {
    name: "quote_gpu_deployment",
    title: "Quote a GPU deployment",
    description:
      "Confirm an offer before renting it: checks disk, image, availability and price, and returns the parameters of the deployment.",
    input,
    output,
    run: async ({ id, diskGb, osImageId, expectUsdPerHour }) => {
      const [offer] = await getOffers(catalog, [id]);
      if (offer === undefined) {
        throw new ArgumentError([`id: ${JSON.stringify(id)} is not the id of an offer.`]);
      }
      const images = (await catalog.findImages(offer.provider.name)) ?? [];
      const composed = composeDeployment({ offer, images, osImageId, diskGb });
      const problems = composed.ok
        ? []
        : composed.problems.map(({ field, reason }) => `${ARGUMENT_OF[field]}: ${inArguments(reason)}`);
      const micros = hourlyCostMicros(offer, diskGb ?? offer.storageMinGB);
      const usdPerHour = composed.ok ? Number(composed.hourly) : fromMicros(micros);
      if (expectUsdPerHour !== undefined && composed.ok && usdPerHour > expectUsdPerHour) {
        problems.push(
          `expectUsdPerHour: the price is now ${usdPerHour} USD an hour, not ${expectUsdPerHour}. Ask the user to confirm.`,
        );
      }
      if (!composed.ok || problems.length > 0) {
        throw new ArgumentError(problems);
      }
      const balance = await catalog.getBalance?.();
      return {
        deployment: composed.deployment,
        gpu: gpuText(offer),
        usdPerHour,
        ...(composed.isAtLeast ? { atLeast: true as const } : {}),
        usd30Days: fromMicros(micros * HOURS_OF_30_DAYS),
        pricesAsOf: (await catalog.pricesAsOf()).get(offer.provider.name) ?? null,
        ...(balance === undefined ? {} : { balance: balance.balance, ...runwayOf(runwaySeconds(balance, micros)) }),
      };
    },
  };
}

/** JSON has no Infinity, so a free instance has no runway. */
function runwayOf(seconds: number): { runwayHours?: number } {
  return Number.isFinite(seconds) ? { runwayHours: Math.floor(seconds / 36) / 100 } : {};
}

/** The domain's messages use the API's field name. */
function inArguments(reason: string): string {
  return reason.replaceAll("disk_gb", "diskGb").replaceAll("os_image_id", "osImageId");
}
