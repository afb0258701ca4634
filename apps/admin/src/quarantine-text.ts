import * as z from "zod";
import type { ChangedOffer, ProviderQuarantine } from "@gpu-offers/store/quarantine";
import { formatTable, type Columns } from "./table.js";

/** An implausible change as JSON. */
export const quarantineJson = z.strictObject({
  provider: z.string(),
  gates: z.array(z.strictObject({ gate: z.string(), message: z.string() })),
  offers_before: z.int(),
  offers_after: z.int(),
  added: z.int(),
  removed: z.int(),
  repriced: z.int(),
  examples: z.array(
    z.strictObject({
      id: z.string(),
      gpu: z.string(),
      before: z.number().nullable().describe("USD per hour now; null if the offer is new"),
      after: z.number().nullable().describe("USD per hour in the new catalog; null if the offer is gone"),
    }),
  ),
});

const COLUMNS: Columns<ChangedOffer> = {
  OFFER: "id",
  GPU: "gpu",
  "USD/H NOW": "before",
  "USD/H NEW": ({ after }) => after ?? "removed",
};

/** Describes how an implausible change would affect a provider. */
export function formatQuarantine(quarantine: ProviderQuarantine): string {
  const { provider, gates, examples, offers_before, offers_after, added, removed, repriced } = quarantine;
  return [
    `${provider}: ${offers_before} offers now, ${offers_after} in the new catalog; added ${added}, removed ${removed}, repriced ${repriced}`,
    ...gates.map(({ gate, message }) => `  ${gate}: ${message}`),
    ...(examples.length === 0 ? [] : [formatTable(COLUMNS, examples)]),
  ].join("\n");
}
