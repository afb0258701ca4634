import { ERROR_CODES, errorBodySchema } from "@gpu-offers/domain";
import * as z from "zod";

/** The error body as this service sends it: with the closed list of codes, and always with the page about the error. */
export const apiErrorSchema = errorBodySchema
  .extend({
    code: z.enum(ERROR_CODES).describe("Stable code for programs; the list is closed."),
    docUrl: z.string().describe("Path of the page about this error: /docs/errors/<code>."),
  })
  .meta({ id: "ApiError", description: "Body of every response with a status of 400 or above." });
