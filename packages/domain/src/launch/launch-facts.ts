import { imageForms } from "./tool-names.facts.js";
import type { LaunchChoice, LaunchedListing } from "./launch-text.js";
import { launchCeiling } from "./launch-ceiling.js";
import { storageOf } from "../offer/storage.js";
import { UNKNOWN_REGION } from "../place/region.js";
import { providerKey } from "../provider/provider-key.js";

// What a launch is made from: where a listing is, and what is chosen of it, under the names that providers and tools use.

/** Where a listing is, as the tools of its provider take it. */
export interface LaunchPlace {
  /** Region, or a data center of RunPod; undefined if it is unknown. */
  region: string | undefined;
  /** Name of the zone, if its source states one; ids such as `use1-az2` mean another zone in another account. */
  zone: string | undefined;
  /** ISO 3166-1 alpha-2; undefined if it is unknown. */
  country: string | undefined;
}

/** What readers of catalogs call the region of an offer whose source has none. */
const UNKNOWN_REGION_NAME = "unknown";

/** RunPod's ids of data centers are like EU-NL-1; other regions of its offers are countries. */
const RUNPOD_DATA_CENTER = /^[A-Z]{2,4}-[A-Z]{2,4}-\d+$/;

/** Zones in place of a region, with the region in them: `us-central1-b`, `us-east-1a`, `us-west-2-lax-1a`. */
const ZONES: ReadonlyMap<string, RegExp> = new Map([
  ["gcp", /^([a-z]+(?:-[a-z]+)+\d+)-[a-z]$/],
  ["aws", /^([a-z]{2}(?:-[a-z]+)+-\d)(?:[a-z]|-[a-z\d-]+)$/],
]);

/** Where a listing is. */
export function launchPlace({ offer }: Pick<LaunchedListing, "offer">): LaunchPlace {
  const key = providerKey(offer.provider.name);
  const { countryCode } = offer.regionInfo;
  const country = countryCode === UNKNOWN_REGION.countryCode ? undefined : countryCode;
  const parts = offer.region.split("/");
  if (key === "runpod") {
    return { region: parts.find((part) => RUNPOD_DATA_CENTER.test(part)), zone: undefined, country };
  }
  const [stated = ""] = parts;
  const region = ZONES.get(key)?.exec(stated)?.[1];
  const isKnown = stated !== "" && stated !== UNKNOWN_REGION_NAME;
  return region === undefined
    ? { region: isKnown ? stated : undefined, zone: undefined, country }
    : { region, zone: stated, country };
}

/** What a command is made from. */
export type LaunchFacts = ReturnType<typeof launchFacts>;

/**
 * Whole GB of the volume that a choice adds to the included disk, at least the smallest that is sold; undefined if it adds
 * none, as where the machine boots from the chosen disk, or if what it boots from is unknown.
 */
export function addedVolumeGb({ offer, storage }: LaunchedListing, { diskGb = 0 }: LaunchChoice): number | undefined {
  const { includedGb, minAddedGb, product } = storageOf({ ...offer, storage });
  const addedGb = diskGb - (includedGb ?? 0);
  const isAdded = includedGb === null ? product !== null : includedGb > 0;
  return isAdded && addedGb > 0 ? Math.max(addedGb, minAddedGb ?? 0) : undefined;
}

/** That a tool doesn't add the volume of a choice. */
export function volumeText(tool: string, addedGb: number): string {
  return `The disk is the included one and a volume of ${addedGb} GB, which ${tool} doesn't add: add it afterwards.`;
}

/** The images of Google Cloud by their newest: `projects/ubuntu-os-cloud/global/images/family/ubuntu-2404-lts-amd64`. */
const IMAGE_FAMILY = /^projects\/([^/]+)\/global\/images\/family\/([^/]+)$/;

/** Cards that Google Cloud adds to its N1 machines. */
const ADDED_CARD = /^(t4|v100|p100|p4|k80)(?:-|$)/;

/** The facts of a choice, which lines of facts/launch-lines.csv name. @param type What the provider takes as the machine: an instance type, or the id of a marketplace's offer. */
export function launchFacts(listing: LaunchedListing, choice: LaunchChoice, type: string) {
  const { offer, seller, spot, providerOfferId, toolNames } = listing;
  const { diskGb, image, isSpot = false, nodes = 1 } = choice;
  const { product, includedGb } = storageOf({ ...offer, storage: listing.storage });
  const addedGb = addedVolumeGb(listing, choice);
  const forms = imageForms.get(providerKey(offer.provider.name));
  const form = forms?.find(({ images }) => images === undefined || (image !== undefined && images.test(image.id)));
  const [, imageProject, imageFamily] = IMAGE_FAMILY.exec(image?.id ?? "") ?? [];
  return {
    ...launchPlace(listing),
    provider: providerKey(offer.provider.name),
    type,
    /** The marketplace's id of the place or offer, where the type isn't it. */
    offerId: providerOfferId,
    gpuCount: offer.gpuCount,
    addedCard: type.startsWith("n1-") ? ADDED_CARD.exec(offer.gpu.slug)?.[1] : undefined,
    vcpu: offer.specs.vcpu,
    ramGb: offer.specs.ram,
    /** Id of the provider's image; undefined if none is chosen. */
    imageId: image?.id,
    imageName: image?.displayName,
    imageNumber: /^\d+$/.test(image?.id ?? "") ? Number(image?.id) : undefined,
    imageProject,
    imageFamily,
    /** Who logs in to the image, and what it calls the disk that it boots from; undefined if that is unknown. */
    login: form?.login,
    rootDevice: form?.rootDevice,
    /** Whole GB; undefined if the included disk is used. */
    diskGb,
    /** Whole GB of the volume beside the included disk, if `diskGb` is more than that. */
    addedGb,
    /** Whole GB of a volume where the command that launches the machine can't state its disk. */
    volumeGb: addedGb ?? ((includedGb ?? 0) > 0 ? undefined : diskGb),
    isHyperdisk: product?.startsWith("Hyperdisk") === true,
    isSpot,
    /** Minimum bid of the whole instance, USD per hour; undefined if the spot price isn't a bid. */
    bid: isSpot && spot?.kind === "bid" ? spot.priceHourly : undefined,
    /** Limit of the price, USD per hour; undefined for a free machine. */
    ceiling: launchCeiling(listing, choice)?.usd,
    nodes,
    isHost: seller === "host",
    /** The cloud of a reseller's machine, with which its names in SkyPilot begin; undefined if it is unknown. */
    cloud: toolNames.sky?.includes("_") === true ? toolNames.sky.split("_", 1)[0] : undefined,
  };
}
