import * as z from "zod";
import { PROVIDER_TYPES } from "./provider.js";

/** The types of these schemas, with the schemas' descriptions. */
export type { Provider, ProviderList } from "./provider-types.js";

/** A provider. */
export const providerSchema = z
  .object({
    name: z
      .string()
      .describe("Value to pass as provider when creating a deployment, and path segment of the images endpoint."),
    type: z.string().describe("vm, container or bare-metal. More values may be added."),
  })
  .meta({ id: "Provider", description: "A provider of GPU instances." });

/** Response of `GET /api/v1/providers`. */
export const providerListSchema = z
  .object({ data: z.array(providerSchema).describe("All providers, sorted by name.") })
  .meta({ id: "ProviderList", description: "All providers, sorted by name." });

/** A provider's name in our catalogs: lower-case and URL-safe, so that it can be a path segment. */
export const providerNameSchema = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/, "must be lower-case letters and digits, joined by single hyphens or points");

/** A provider for publishing: {@link providerSchema} with the known types. */
export const publishedProviderSchema = z.strictObject({
  name: providerNameSchema,
  type: z.enum(PROVIDER_TYPES),
});
