import * as z from "zod";
import { isPlainText } from "./plain-text.js";

/** A text in a published catalog: at most 200 characters, and {@link isPlainText}. */
export const plainTextSchema = z
  .string()
  .max(200)
  .refine(isPlainText, "must not contain control or invisible characters");
