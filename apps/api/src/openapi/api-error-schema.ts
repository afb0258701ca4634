import { ERROR_CODES, errorBodySchema } from "@gpu-offers/domain";
import * as z from "zod";

/** The error body that this service sends: with the closed list of codes, and always with a documentation page. */
export const apiErrorSchema = errorBodySchema
  .extend({
    code: z.enum(ERROR_CODES).describe("Stable, machine-readable code from a closed list."),
    docUrl: z.string().describe("Path of this error's documentation: /docs/errors/<code>."),
  })
  .meta({ id: "ApiError", description: "Body of every response with status 400 or above." });
