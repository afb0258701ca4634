import * as z from "zod";
import { PROVIDER_TYPES } from "./provider.js";

/** A provider. */
export const providerSchema = z
  .object({
    name: z
      .string()
      .describe("Value to pass as provider when creating a deployment, and path segment of the images endpoint."),
    type: z.string().describe("vm, container or bare-metal. More values may be added."),
  })
  .meta({ id: "Provider", description: "A provider of GPU instances." });
export type Provider = z.output<typeof providerSchema>;

/** Response of `GET /api/v1/providers`. */
export const providerListSchema = z
  .object({ data: z.array(providerSchema).describe("All providers, sorted by name.") })
  .meta({ id: "ProviderList", description: "All providers, sorted by name." });
export type ProviderList = z.output<typeof providerListSchema>;

/** A provider's name in our catalogs: lower-case and URL-safe, so that it can be a path segment. */
export const providerNameSchema = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/, "must be lower-case letters and digits, joined by single hyphens or points");

/** A provider for publishing: {@link providerSchema} with the known types. */
export const publishedProviderSchema = z.strictObject({ name: providerNameSchema, type: z.enum(PROVIDER_TYPES) });
