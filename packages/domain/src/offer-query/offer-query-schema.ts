import * as z from "zod";
import { emptyCountRange, isCountRangeEmpty } from "../gpu/gpu-count-range.js";
import { findGpuSlug, MAX_SLUG_LENGTH } from "../gpu/gpu-slug.js";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, MAX_PARAMETER_INTEGER } from "../page-size.js";
import { offerSchema } from "../offer/offer-schema.js";
import { SORT_KEYS, SORT_ORDERS } from "./offer-sort.js";
import { queryNumberSchema, queryTextSchema } from "../text/query-text-schema.js";
import { CONTINENTS, findContinent, type Continent } from "../place/continent.js";

// The query of GET /api/v1/offers, as a schema over the texts of a URL, and its response.

function oneOf<const Values extends readonly string[]>(values: Values) {
  return queryTextSchema().pipe(z.enum(values, { error: `must be one of ${values.join(", ")}` }));
}

/** White space other than the space: trim() removes it, but the API's lists do not allow it. */
const OTHER_WHITE_SPACE = /[^\S ]/;

function commaList<Item>(readItem: (text: string) => Item | undefined, rule: string) {
  return queryTextSchema().transform((text, context): Item[] => {
    const items = new Set<Item>();
    for (const part of text.split(",")) {
      const trimmed = part.trim();
      const item = OTHER_WHITE_SPACE.test(part) ? undefined : readItem(trimmed);
      if (item === undefined) {
        const problem = trimmed === "" ? "must not have an empty item" : rule;
        context.issues.push({ code: "custom", message: problem, input: text });
        return z.NEVER;
      }
      items.add(item);
    }
    return [...items];
  });
}

/** A pattern of a comma-separated list, as the published document states it. */
function listPattern(item: string): string {
  return `^ *${item} *(?:, *${item} *)*$`;
}

/** A slug in any case. It states no lengths of words between hyphens, so it allows some that are too long. */
const SLUG_PATTERN = "[A-Za-z0-9](?:-?[A-Za-z0-9]){0,63}";

const CONTINENT_PATTERN = `(?:${CONTINENTS.map((name) =>
  name.replaceAll(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`),
).join("|")})`;

const slugList = commaList(
  findGpuSlug,
  `must be a comma-separated list of GPU slugs: letters, digits and single hyphens, at most ${MAX_SLUG_LENGTH} characters each`,
);

const continentList = commaList<Continent>(
  findContinent,
  `must be a comma-separated list of continents from: ${CONTINENTS.join(", ")}`,
);

/**
 * Query parameters of `GET /api/v1/offers`, from the texts of a URL (a repeated parameter as an array)
 * to typed values with the API's names and defaults. Strict: an unknown name, a repeated one or
 * a value out of its limits is an issue, and all issues are reported together.
 *
 * @example listOffersQuerySchema.parse({ gpu: "h100-sxm, H200", size: "10" })
 */
export const listOffersQuerySchema = z
  .strictObject({
    gpu: slugList
      .pipe(z.array(z.string()))
      .optional()
      .meta({
        description:
          "Comma-separated GPU slugs, case-insensitive, such as `h100-sxm`, `a100-sxm-80gb` or `rtx-4090`. `GET /api/v2/gpus` lists all slugs. A valid slug without offers matches nothing.",
        examples: ["h100-sxm,h200-sxm"],
        pattern: listPattern(SLUG_PATTERN),
      }),
    continent: continentList
      .pipe(z.array(z.enum(CONTINENTS)))
      .optional()
      .meta({
        description: `Comma-separated continent names, case-insensitive: ${CONTINENTS.join(", ")}.`,
        examples: ["Europe,North America"],
        pattern: listPattern(CONTINENT_PATTERN),
      }),
    min_gpu_count: queryNumberSchema(1, MAX_PARAMETER_INTEGER)
      .optional()
      .meta({ description: "Minimum GPU count per instance.", examples: [1] }),
    max_gpu_count: queryNumberSchema(1, MAX_PARAMETER_INTEGER)
      .optional()
      .meta({ description: "Maximum GPU count per instance; must not be below min_gpu_count.", examples: [8] }),
    sort_by: oneOf(SORT_KEYS)
      .default("pricePerGpu")
      .meta({
        description: "Sort key. Ties are broken by pricePerGpu, priceHourly and id, always ascending.",
        examples: ["pricePerGpu"],
      }),
    sort_order: oneOf(SORT_ORDERS)
      .default("asc")
      .meta({ description: "Sort direction: ascending or descending.", examples: ["asc"] }),
    page: queryNumberSchema(0, MAX_PARAMETER_INTEGER)
      .default(0)
      .meta({
        description: "Page number, 0-indexed. A page past the end is empty, with the correct totals.",
        examples: [0],
      }),
    size: queryNumberSchema(1, MAX_PAGE_SIZE)
      .default(DEFAULT_PAGE_SIZE)
      .meta({ description: "Page size.", examples: [25] }),
  })
  .check(
    z.refine((query) => !isCountRangeEmpty(query.min_gpu_count, query.max_gpu_count), {
      path: ["min_gpu_count"],
      error: emptyCountRange("max_gpu_count"),
      // Runs despite other problems, so that all of them are reported together.
      when: (payload) => typeof payload.value === "object" && payload.value !== null,
    }),
  );
/** Query parameters with typed values. */
export type ListOffersQuery = z.output<typeof listOffersQuerySchema>;

/** Response of `GET /api/v1/offers`. */
export const offerListSchema = z
  .object({
    offers: z.array(offerSchema).describe("Offers of the requested page."),
    page: z.int().min(0).describe("Current page number, 0-indexed."),
    totalPages: z.int().min(0).describe("Total number of pages; 0 if nothing matches."),
    totalElements: z.int().min(0).describe("Total number of matching offers."),
    hasMore: z.boolean().describe("Whether further pages follow."),
  })
  .meta({ id: "OfferList", description: "A page of matching offers." });
export type OfferList = z.output<typeof offerListSchema>;
