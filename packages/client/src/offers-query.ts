import type { SortKey, SortOrder } from "@gpu-offers/domain";

/**
 * Query of the offer list, by the names of its parameters (docs/interface.md, Listing). Undefined parameters are not sent, so the
 * service's defaults apply.
 */
export interface OffersQuery {
  /** GPU slugs in any case: an array, or a comma-separated string. */
  gpu?: string | readonly string[] | undefined;
  /** Continent names in any case: an array, or a comma-separated string. */
  continent?: string | readonly string[] | undefined;
  /** Minimum GPUs per instance, from 1. */
  min_gpu_count?: number | undefined;
  /** Maximum GPUs per instance, from 1 and not below min_gpu_count. */
  max_gpu_count?: number | undefined;
  /** Sort key; default: pricePerGpu. */
  sort_by?: SortKey | undefined;
  /** Sort direction; default: asc. */
  sort_order?: SortOrder | undefined;
  /** Page number, 0-indexed; default: 0. */
  page?: number | undefined;
  /** Page size, from 1 to 100; default: 25. */
  size?: number | undefined;
}
