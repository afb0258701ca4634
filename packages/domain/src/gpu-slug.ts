import { z } from "zod";

/** Longest GPU slug that the `gpu` filter accepts. */
export const MAX_SLUG_LENGTH = 64;

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** True for lower-case letters and digits joined by single hyphens, at most 64 characters. */
export function isGpuSlug(text: string): boolean {
  return text.length <= MAX_SLUG_LENGTH && SLUG.test(text);
}

/** A GPU slug: `h100-sxm`, `a100-pcie-80gb`, `rtx-4090`. See {@link isGpuSlug}. */
export const gpuSlugSchema = z
  .string()
  .refine(isGpuSlug, "must be lower-case letters and digits joined by single hyphens, at most 64 characters");
