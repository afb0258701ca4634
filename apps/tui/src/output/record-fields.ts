import { listingFactsSchema, nearNames, offerSchema } from "@gpu-offers/domain";
import * as z from "zod";
import type { Format } from "./formats.js";
import type { Estimate } from "./result.js";

// The fields of the records that scripts get, by path such as `gpu.slug`. They follow from the schemas, because a row may
// lack optional ones.

const ESTIMATE = {
  hourly: true,
  currency: true,
  pricesAsOf: true,
  per30Days: true,
  forHours: true,
  runwaySeconds: true,
  isAtLeast: true,
  spot: true,
} as const satisfies Record<keyof Estimate, true>;

/** Columns that only CSV has. */
const CSV = ["total_hourly", "price_is_minimum"];

/** The problem of the first unknown field, with the nearest ones; undefined if all are known. */
export function unknownField(fields: readonly string[], format: Format): string | undefined {
  const paths = [
    ...pathsOf(offerSchema),
    ...pathsOf(listingFactsSchema, "listing"),
    "estimate",
    "rentUrl",
    ...Object.keys(ESTIMATE).map((name) => `estimate.${name}`),
    ...(format === "csv" ? CSV : []),
  ];
  const unknown = fields.find((field) => !paths.includes(field));
  if (unknown === undefined) {
    return undefined;
  }
  const members = paths.filter((path) => path.endsWith(`.${unknown}`));
  const near = members.length > 0 ? members : nearNames(unknown, paths);
  const top = paths.filter((path) => !path.includes("."));
  const hint = near.length > 0 ? `did you mean ${near.join(" or ")}?` : `use ${top.join(", ")} or their members.`;
  return `--fields ${JSON.stringify(unknown)} is unknown; ${hint}`;
}

/** The path of a value and of all that it contains. The whole offer has none. */
function pathsOf(schema: unknown, path = ""): string[] {
  const own = path === "" ? [] : [path];
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return pathsOf(schema.unwrap(), path);
  }
  if (!(schema instanceof z.ZodObject)) {
    return own;
  }
  const members = Object.entries<unknown>(schema.shape);
  return [...own, ...members.flatMap(([name, member]) => pathsOf(member, path === "" ? name : `${path}.${name}`))];
}
