import * as z from "zod";
import { HOURS_OF_A_MONTH, MAX_PRICE } from "../money/money.js";

const sizeGb = z.int().min(0).max(1_000_000_000).nullable().default(null);
const monthly = z.number().min(0).max(MAX_PRICE);
const text = z.string().max(2000).nullable().default(null);

/** The disks that an instance can have, and what they cost. For readers. */
export const storageSchema = z
  .object({
    includedGb: sizeGb.describe("Disk that the price of the instance includes, in GB; null if unknown."),
    minGb: sizeGb.describe("Smallest disk in GB; null if unknown."),
    maxGb: sizeGb.describe("Largest disk in GB, the included one counted; null if unknown."),
    minAddedGb: sizeGb.describe(
      "Smallest volume that can be added to the included disk, in GB; null if any, or unknown.",
    ),
    pricePerGbMonth: monthly
      .nullable()
      .default(null)
      .describe("USD per month for each GB beyond the included ones; null if unknown or priced by size."),
    steps: z
      .array(
        z.object({
          gb: z.int().min(1).describe("Size in GB."),
          pricePerMonth: monthly.describe("USD per month for the whole disk."),
        }),
      )
      .nullable()
      .default(null)
      .describe(
        "Sizes with prices of their own, smallest first: a disk costs what the next larger one does. Null if there are none.",
      ),
    hoursPerMonth: z
      .number()
      .positive()
      .max(744)
      .default(HOURS_OF_A_MONTH)
      .describe("Hours that the price of a month is divided by, as the provider bills."),
    product: text.describe("Name of the disk as a product; null if unknown."),
    asOf: text.describe("Date of the price; null if unknown, or if it is that of the offer."),
    source: text.describe("Page or API that has the price; null if unknown."),
  })
  .meta({ id: "Storage", description: "The disks that an instance can have. Null where unknown." });
export type Storage = z.output<typeof storageSchema>;

/** The same in a catalog file: a price needs sizes, and larger disks never cost less. */
export const statedStorageSchema = z
  .strictObject(storageSchema.shape)
  .refine(({ minGb, maxGb }) => minGb == null || maxGb == null || minGb <= maxGb, "minGb must not be above maxGb")
  .refine(
    ({ steps }) => steps?.every((step, at) => at === 0 || isAfter(step, steps[at - 1])) ?? true,
    "steps must have increasing sizes, and prices that don't fall",
  )
  .refine(({ pricePerGbMonth, steps }) => pricePerGbMonth !== 0 && steps?.[0]?.pricePerMonth !== 0, "0 is no price");

function isAfter(step: NonNullable<Storage["steps"]>[number], before: typeof step | undefined): boolean {
  return before === undefined || (step.gb > before.gb && step.pricePerMonth >= before.pricePerMonth);
}
