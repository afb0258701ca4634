import * as z from "zod";
import { isGpuSlug, MAX_SLUG_LENGTH } from "./gpu-slug.js";

/** A GPU slug: `h100-sxm`, `a100-pcie-80gb`, `rtx-4090`. See {@link isGpuSlug}. */
export const gpuSlugSchema = z
  .string()
  .refine(
    isGpuSlug,
    `must be lower-case letters and digits joined by single hyphens, at most ${MAX_SLUG_LENGTH} characters`,
  );
