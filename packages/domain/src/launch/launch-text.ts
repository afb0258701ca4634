import type { FilteredListing } from "../listing-query/listing-parameter.js";
import type { LaunchPlan, ListingFacts } from "../offer/listing-schema.js";
import type { OsImage } from "../image/os-image-schema.js";
import { providerKey } from "../provider/provider-key.js";
import { storageOf } from "../offer/storage.js";

// The form of a text with which one launches a listing, and what is chosen of the listing. What isn't known of the choice is
// a placeholder in angle brackets.

/** Tools that a text may be for: `cli` is the provider's own command line, or its API. */
export const LAUNCH_KINDS = ["sky", "dstack", "cli"] as const;

/** One of {@link LAUNCH_KINDS}. */
export type LaunchKind = (typeof LAUNCH_KINDS)[number];

type PublishedLaunchText = LaunchPlan["launch"][number];

/** How a listing is launched. */
export interface LaunchText extends PublishedLaunchText {
  /** `sky`, `dstack` or `cli`. */
  kind: LaunchKind;
}

/** What is chosen of a listing. */
export interface LaunchChoice {
  /** Whole GB; ignored if it is the included disk. */
  diskGb?: number | undefined;
  /** The chosen image. */
  image?: Pick<OsImage, "id" | "displayName"> | undefined;
  /** Whether to ask for spot terms. Tools that can't have no text then. */
  isSpot?: boolean | undefined;
}

/** What is needed of a listing. */
export type LaunchedListing = Pick<FilteredListing, "offer" | "storage" | "isCostComplete"> &
  Pick<ListingFacts, "instanceType" | "providerOfferId" | "seller" | "toolNames" | "spot"> &
  Partial<Pick<ListingFacts, "availability" | "sample">>;

/** What readers of catalogs call the region of an offer whose source has none. */
const UNKNOWN_REGION_NAME = "unknown";

/** RunPod's ids of data centers are like EU-NL-1; other regions of its offers are countries. */
const RUNPOD_DATA_CENTER = /^[A-Z]{2,4}-[A-Z]{2,4}-\d+$/;

/**
 * The region that the provider's own tools take, without its zone, whose id may mean another zone in another account; for
 * RunPod the data center. Undefined if it is unknown.
 */
export function launchRegion({ offer }: Pick<LaunchedListing, "offer">): string | undefined {
  const parts = offer.region.split("/");
  if (providerKey(offer.provider.name) === "runpod") {
    return parts.find((part) => RUNPOD_DATA_CENTER.test(part));
  }
  return parts[0] === UNKNOWN_REGION_NAME ? undefined : parts[0];
}

/** The size of the chosen disk, GB; undefined if it is the included one. */
export function launchDisk(listing: LaunchedListing, { diskGb = 0 }: LaunchChoice): number | undefined {
  const { includedGb } = storageOf({ ...listing.offer, storage: listing.storage });
  return diskGb > (includedGb ?? 0) ? diskGb : undefined;
}

/** A text, with the placeholders that it has. */
export function launchText(
  kind: LaunchKind,
  tool: string,
  title: string,
  text: string,
  source: LaunchText["source"],
): LaunchText {
  const placeholders = [...text.matchAll(/<([^<>\n]+)>/g)].map(([, name = ""]) => name);
  return { kind, tool, title, text: `${text}\n`, placeholders: [...new Set(placeholders)], source };
}

/** A text as a YAML scalar: plain if it cannot be read as anything else, otherwise in double quotes, as in JSON. */
export function yamlScalar(text: string): string {
  const isPlain = /^[A-Za-z][\w./-]*$/.test(text) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
