// Generated from the schemas: `npx -y pnpm@12 exec vitest run --project domain schema-types -u`. The comments are the
// schemas' descriptions.

import type { Offer } from "./offer-types.js";
import type { GpuFacts } from "../gpu/gpu-facts-types.js";
import type { OsImage } from "../image/os-image-types.js";
import type { Deployment } from "./deployment-types.js";

/**
 * Terms of the instance if it may be taken back at any time; null if there are none or they are unknown. The price is
 * USD per hour of the whole instance, without the disk.
 */
export interface Spot {
  /** USD per hour of the whole instance, without the disk. */
  priceHourly: number;
  /** `price`: what is charged; `bid`: the minimum bid, which a higher one takes the instance from. */
  kind: string;
}

/** What the source states about the offer beyond its price. */
export interface ListingFacts {
  /** What the provider calls the machine and takes when one rents it, such as `p5.48xlarge`; null if unknown. */
  instanceType: string | null;
  /** The marketplace's own id of what one rents; null if there is none. It may be short-lived. */
  providerOfferId: string | null;
  /**
   * `cloud`: the provider's own machine; `partner`: a vetted data center of a marketplace; `host`: an individual's
   * machine; null if unknown.
   */
  seller: string | null;
  /** Whether the marketplace has verified the host; null if it doesn't say. */
  verified: boolean | null;
  /** Reliability of the host from 0 to 1, as the marketplace states it; null if it doesn't say. */
  reliability: number | null;
  /** What only SkyPilot (`sky`) and dstack (`dstack`) call the machine. */
  toolNames: {
    /** Name of the instance type in SkyPilot. */
    sky?: string | undefined;
    /** Name of the machine in dstack. */
    dstack?: string | undefined;
  };
  /** USD for each GB of outbound traffic; null if unknown. */
  egressPerGB: number | null;
  /**
   * Terms of the instance if it may be taken back at any time; null if there are none or they are unknown. The price is
   * USD per hour of the whole instance, without the disk.
   */
  spot: Spot | null;
}

/** An offer, what to rent, who sells it, and how old its price is. */
export interface Listing {
  /** A rentable GPU instance. */
  offer: Offer;
  /** What the provider calls the machine and takes when one rents it, such as `p5.48xlarge`; null if unknown. */
  instanceType: string | null;
  /** The marketplace's own id of what one rents; null if there is none. It may be short-lived. */
  providerOfferId: string | null;
  /**
   * `cloud`: the provider's own machine; `partner`: a vetted data center of a marketplace; `host`: an individual's
   * machine; null if unknown.
   */
  seller: string | null;
  /** Whether the marketplace has verified the host; null if it doesn't say. */
  verified: boolean | null;
  /** Reliability of the host from 0 to 1, as the marketplace states it; null if it doesn't say. */
  reliability: number | null;
  /** What only SkyPilot (`sky`) and dstack (`dstack`) call the machine. */
  toolNames: {
    /** Name of the instance type in SkyPilot. */
    sky?: string | undefined;
    /** Name of the machine in dstack. */
    dstack?: string | undefined;
  };
  /** USD for each GB of outbound traffic; null if unknown. */
  egressPerGB: number | null;
  /**
   * Terms of the instance if it may be taken back at any time; null if there are none or they are unknown. The price is
   * USD per hour of the whole instance, without the disk.
   */
  spot: Spot | null;
  /** Time or date of the price; null if unknown. */
  pricesAsOf: string | null;
  /** True if the source hasn't confirmed the offer for too long, so that it counts as unavailable. */
  isStale: boolean;
  /** Basis of isAvailable: `live` stock, `listed` in the provider's price list, or `unknown`. */
  stock: string;
  /** Name of its source in `GET /sources`. */
  source: string;
}

/** Cost with the disk of the query, at its spot or on-demand price. */
export interface ListingTotal {
  /** USD per hour of the instance with the disk. */
  hourly: number;
  /** True if a part of the cost is unknown, so that the amounts are lower bounds. */
  isAtLeast: boolean;
  /** USD for the hours of the query; only if it states hours. */
  forHours?: number | undefined;
}

/** A listing, the figures of its GPU, and its cost with the disk of the query. */
export interface Listed {
  /** A rentable GPU instance. */
  offer: Offer;
  /** What the provider calls the machine and takes when one rents it, such as `p5.48xlarge`; null if unknown. */
  instanceType: string | null;
  /** The marketplace's own id of what one rents; null if there is none. It may be short-lived. */
  providerOfferId: string | null;
  /**
   * `cloud`: the provider's own machine; `partner`: a vetted data center of a marketplace; `host`: an individual's
   * machine; null if unknown.
   */
  seller: string | null;
  /** Whether the marketplace has verified the host; null if it doesn't say. */
  verified: boolean | null;
  /** Reliability of the host from 0 to 1, as the marketplace states it; null if it doesn't say. */
  reliability: number | null;
  /** What only SkyPilot (`sky`) and dstack (`dstack`) call the machine. */
  toolNames: {
    /** Name of the instance type in SkyPilot. */
    sky?: string | undefined;
    /** Name of the machine in dstack. */
    dstack?: string | undefined;
  };
  /** USD for each GB of outbound traffic; null if unknown. */
  egressPerGB: number | null;
  /**
   * Terms of the instance if it may be taken back at any time; null if there are none or they are unknown. The price is
   * USD per hour of the whole instance, without the disk.
   */
  spot: Spot | null;
  /** Time or date of the price; null if unknown. */
  pricesAsOf: string | null;
  /** True if the source hasn't confirmed the offer for too long, so that it counts as unavailable. */
  isStale: boolean;
  /** Basis of isAvailable: `live` stock, `listed` in the provider's price list, or `unknown`. */
  stock: string;
  /** Name of its source in `GET /sources`. */
  source: string;
  /** Published figures of one GPU, as in `GET /gpus`; null for an unknown GPU. */
  facts: GpuFacts | null;
  /** Cost with the disk of the query, at its spot or on-demand price. */
  total: ListingTotal;
}

/** A page of matching listings. */
export interface ListingList {
  /** Listings of the requested page. */
  listings: Listed[];
  /** Current page number, 0-indexed. */
  page: number;
  /** Total number of pages; 0 if nothing matches. */
  totalPages: number;
  /** Total number of matching listings. */
  totalElements: number;
  /** Whether further pages follow. */
  hasMore: boolean;
  /** Names and words that were taken for something else than written. */
  understood: {
    /** The name or words, as written. */
    text: string;
    /** What they were taken for. */
    as: string;
    /** Only of a word that no name contains: names like it, nearest first. */
    nearest?: string[] | undefined;
  }[];
  /** If nothing matches: by parameter, how many would match without it. */
  excludedBy?: Record<string, number> | undefined;
}

/** A listing with its OS images. */
export interface ListingDetails {
  /** A rentable GPU instance. */
  offer: Offer;
  /** What the provider calls the machine and takes when one rents it, such as `p5.48xlarge`; null if unknown. */
  instanceType: string | null;
  /** The marketplace's own id of what one rents; null if there is none. It may be short-lived. */
  providerOfferId: string | null;
  /**
   * `cloud`: the provider's own machine; `partner`: a vetted data center of a marketplace; `host`: an individual's
   * machine; null if unknown.
   */
  seller: string | null;
  /** Whether the marketplace has verified the host; null if it doesn't say. */
  verified: boolean | null;
  /** Reliability of the host from 0 to 1, as the marketplace states it; null if it doesn't say. */
  reliability: number | null;
  /** What only SkyPilot (`sky`) and dstack (`dstack`) call the machine. */
  toolNames: {
    /** Name of the instance type in SkyPilot. */
    sky?: string | undefined;
    /** Name of the machine in dstack. */
    dstack?: string | undefined;
  };
  /** USD for each GB of outbound traffic; null if unknown. */
  egressPerGB: number | null;
  /**
   * Terms of the instance if it may be taken back at any time; null if there are none or they are unknown. The price is
   * USD per hour of the whole instance, without the disk.
   */
  spot: Spot | null;
  /** Time or date of the price; null if unknown. */
  pricesAsOf: string | null;
  /** True if the source hasn't confirmed the offer for too long, so that it counts as unavailable. */
  isStale: boolean;
  /** Basis of isAvailable: `live` stock, `listed` in the provider's price list, or `unknown`. */
  stock: string;
  /** Name of its source in `GET /sources`. */
  source: string;
  /** Published figures of one GPU, as in `GET /gpus`; null for an unknown GPU. */
  facts: GpuFacts | null;
  /** Cost with the disk of the query, at its spot or on-demand price. */
  total: ListingTotal;
  /** OS images that it can boot; empty if none are known, and the provider's default is used. */
  images: OsImage[];
}

/** Query parameters with typed values. */
export interface LaunchQuery {
  /** Disk in GB; omit it if the disk is fixed. */
  disk_gb?: number | undefined;
  /** Id of an OS image; by default the provider's default. */
  os_image_id?: string | undefined;
  /** Hours to estimate the cost for. */
  hours?: number | undefined;
  /** Whether to launch with spot terms. */
  spot?: "true" | "false" | undefined;
}

/** How to launch the listing with one tool. */
export interface LaunchText {
  /** `sky`, `dstack`, or `cli`: the provider's own command line or API. */
  kind: string;
  /** Name of the program. */
  tool: string;
  /** What the text is, for a heading. */
  title: string;
  /** File or command, with placeholders in angle brackets. */
  text: string;
  /** What to replace in the text. */
  placeholders: string[];
  /** Document that the form is from. */
  source: {
    /** Title of the document. */
    title: string;
    /** Its address. */
    url: string;
  };
}

/** How to launch a listing. */
export interface LaunchPlan {
  /** Parameters of a deployment; null if there are problems. */
  deployment: Deployment | null;
  /** Why the choice is not valid; empty if it is. */
  problems: {
    /** Part of the choice, such as disk_gb. */
    field: string;
    /** What is invalid, and what would be valid. */
    reason: string;
  }[];
  /** Cost of the choice; null if there are problems. */
  total: ListingTotal | null;
  /** Empty if it isn't known what to ask the provider for. */
  launch: LaunchText[];
}
