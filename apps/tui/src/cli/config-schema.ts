import * as z from "zod";
import { ALL_SORT_KEYS, SORT_ORDERS } from "@gpu-offers/domain";
import { HIDEABLE_COLUMNS } from "@gpu-offers/list";
import { isServiceUrl, URL_REASON } from "./service-url.js";

export const configSchema = z.strictObject({
  url: z.string().refine(isServiceUrl, URL_REASON).optional(),
  apiKey: z.string().min(1).optional(),
  disk: z.int().min(1).optional(),
  sort: z.enum(ALL_SORT_KEYS).optional(),
  order: z.enum(SORT_ORDERS).optional(),
  hiddenColumns: z
    .array(z.enum(HIDEABLE_COLUMNS, { error: `must be one of ${HIDEABLE_COLUMNS.join(", ")}` }))
    .optional(),
  accessible: z.boolean().optional(),
});

/** Content of the config file. */
export type Config = z.output<typeof configSchema>;
