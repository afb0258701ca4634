// Generated from the schemas: `npx -y pnpm@12 exec vitest run --project domain schema-types -u`. The comments are the
// schemas' descriptions.

import type { Offer } from "../offer/offer-types.js";

/** Query parameters with typed values. */
export interface ListOffersQuery {
  /**
   * Comma-separated GPU slugs, case-insensitive, such as `h100-sxm`, `a100-sxm-80gb` or `rtx-4090`. `GET /gpus` lists
   * all slugs. A valid slug without offers matches nothing.
   */
  gpu?: string[] | undefined;
  /**
   * Comma-separated continent names, case-insensitive: Africa, Antarctica, Asia, Europe, North America, Oceania, South
   * America.
   */
  continent?:
    | ("Africa" | "Antarctica" | "Asia" | "Europe" | "North America" | "Oceania" | "South America")[]
    | undefined;
  /** Minimum GPU count per instance. */
  min_gpu_count?: number | undefined;
  /** Maximum GPU count per instance; must not be below min_gpu_count. */
  max_gpu_count?: number | undefined;
  /** Sort key. Ties are broken by pricePerGpu, priceHourly and id, always ascending. */
  sort_by: "pricePerGpu" | "priceHourly" | "gpuCount";
  /** Sort direction: ascending or descending. */
  sort_order: "asc" | "desc";
  /** Page number, 0-indexed. A page past the end is empty, with the correct totals. */
  page: number;
  /** Page size. */
  size: number;
}

/** A page of matching offers. */
export interface OfferList {
  /** Offers of the requested page. */
  offers: Offer[];
  /** Current page number, 0-indexed. */
  page: number;
  /** Total number of pages; 0 if nothing matches. */
  totalPages: number;
  /** Total number of matching offers. */
  totalElements: number;
  /** Whether further pages follow. */
  hasMore: boolean;
}
