import type { GpuMarket } from "../gpus/gpu-market.js";
import type { GpuPriceReader } from "../gpus/gpu-prices.js";
import type { ListingView } from "../listings/listing-view.js";
import type { Html } from "./html.js";

// What pages that the service makes consist of, and what those of GPUs are made of.

/** What the pages are made of. */
export interface GpuPageSources {
  view: ListingView;
  market: GpuMarket;
  prices: Pick<GpuPriceReader, "read">;
  nowMs: number;
}

/** A page: its title, a sentence for search engines and previews, and its content. */
export interface PageContent {
  title: string;
  description: string;
  content: Html;
  /** The address of its feed. */
  feed?: string;
}
