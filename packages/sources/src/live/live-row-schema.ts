import { AVAILABILITIES, PROVIDER_TYPES, SPOT_KINDS, statedFactsSchema, unknownParameter } from "@gpu-offers/domain";
import * as z from "zod";
import { SourceError } from "../source-error.js";
import { issueText } from "../issue-text.js";
import { showValue } from "../shown-value.js";

// What a source may say of a machine, for sources that no compiler has checked: a misspelled field would be lost.

const amount = z.number().min(0);
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullish();
const volume = z.record(z.string(), z.unknown()).optional();
const text = z.string().optional();

/** An object without other fields than these; an error names the nearest of them. */
function exactly<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => `${key} ${unknownParameter(key, known)}`).join("; ")
        : undefined,
  });
}

const diskSchema = z.discriminatedUnion("kind", [
  exactly({ kind: z.literal("included"), sizeGb: amount, scratchGb: amount.optional(), volume }),
  exactly({ kind: z.literal("stated"), sizeGb: amount }),
  exactly({ kind: z.literal("unpriced"), sizeGb: amount.optional(), volume }),
  exactly({
    kind: z.literal("chosen"),
    pricePerGbMonth: amount,
    hoursPerMonth: amount.optional(),
    minGb: amount,
    maxGb: amount,
  }),
  exactly({
    kind: z.literal("terms"),
    costPerGb: amount,
    minGb: amount,
    maxGb: amount,
    listedGb: amount.optional(),
  }),
]);

const liveRowSchema = exactly({
  instanceType: z.string(),
  region: z.string().nullable(),
  regionIdentifies: z.boolean().optional(),
  typeFixesGpu: z.boolean().optional(),
  place: optional(exactly({ zone: text, countryCode: text, country: text, continent: text, city: text })),
  gpu: exactly({
    name: z.string(),
    otherNames: z.array(z.string()).readonly().optional(),
    count: z.number().optional(),
    vramGb: z.number().optional(),
    totalVramGb: z.number().optional(),
    unclearVramGb: z.number().optional(),
  }),
  priceHourly: z.number(),
  currency: text,
  type: z.enum(PROVIDER_TYPES).optional(),
  isAvailable: z.boolean(),
  availability: z.enum(AVAILABILITIES).optional(),
  stockLevel: optional(z.union([z.string(), z.number()])),
  vcpu: optional(z.number()),
  ramGb: optional(z.number()),
  disk: diskSchema,
  nvlink: z.boolean().optional(),
  interconnect: optional(z.string()),
  costDataComplete: z.boolean().optional(),
  listing: exactly({
    ...statedFactsSchema.shape,
    egressPerGB: optional(amount),
    spot: optional(exactly({ priceHourly: amount, kind: z.enum(SPOT_KINDS) })),
  }).optional(),
});

/**
 * Checks a row of a source.
 * @throws SourceError that names each field that is unknown, missing or invalid, with its value.
 */
export function checkLiveRow(where: string, row: unknown): void {
  const result = liveRowSchema.safeParse(row);
  if (!result.success) {
    const values = result.error.issues.flatMap(({ path }) => {
      const value = path.reduce<unknown>((inner, key) => Object(inner)[key] as unknown, row);
      return path.length === 0 || value === undefined ? [] : [`${path.join(".")} is ${showValue(value)}`];
    });
    const got = values.length === 0 ? "" : ` (${values.join(", ")})`;
    throw new SourceError(`the source returns an invalid row. ${issueText(result.error)}${got}`, where);
  }
}
