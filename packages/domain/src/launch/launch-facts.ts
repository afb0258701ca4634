import { launchCeiling } from "./launch-ceiling.js";
import { launchPlace } from "./launch-place.js";
import type { LaunchChoice, LaunchedListing } from "./launch-text.js";
import { providerKey } from "../provider/provider-key.js";
import { storageOf } from "../offer/storage.js";
import { imageForms } from "./tool-names.facts.js";

// What a command is made from: a listing and what is chosen of it, under the names that providers use.

/** What a command is made from. */
export type LaunchFacts = ReturnType<typeof launchFacts>;

/** The facts of a choice. @param type What the provider takes as the machine: an instance type, or the id of a marketplace's offer. */
export function launchFacts(listing: LaunchedListing, choice: LaunchChoice, type: string) {
  const { offer, seller, spot, providerOfferId, toolNames } = listing;
  const { diskGb, image, isSpot = false, nodes = 1 } = choice;
  const { includedGb, product } = storageOf({ ...offer, storage: listing.storage });
  const forms = imageForms.get(providerKey(offer.provider.name));
  const form = forms?.find(({ images }) => images === undefined || (image !== undefined && images.test(image.id)));
  return {
    ...launchPlace(listing),
    type,
    /** The marketplace's id of the place or offer, where the type isn't it. */
    offerId: providerOfferId,
    gpuCount: offer.gpuCount,
    gpuSlug: offer.gpu.slug,
    vcpu: offer.specs.vcpu,
    ramGb: offer.specs.ram,
    /** Id of the provider's image; undefined if none is chosen. */
    imageId: image?.id,
    imageName: image?.displayName,
    /** Who logs in to the image, and what it calls the disk that it boots from; undefined if that is unknown. */
    login: form?.login,
    rootDevice: form?.rootDevice,
    /** Whole GB; undefined if the included disk is used. */
    diskGb,
    /** Whole GB of a volume beside the included disk, if `diskGb` is more than that. */
    addedGb: diskGb === undefined ? undefined : diskGb - (includedGb ?? 0),
    /** What the disk is, such as `Hyperdisk Balanced`; null if unknown. */
    diskProduct: product,
    isSpot,
    /** Minimum bid of the whole instance, USD per hour; undefined if the spot price isn't a bid. */
    bid: isSpot && spot?.kind === "bid" ? spot.priceHourly : undefined,
    /** Limit of the price, USD per hour; undefined for a free machine. */
    ceiling: launchCeiling(listing, choice)?.usd,
    nodes,
    seller,
    /** The cloud of a reseller's machine, with which its names in SkyPilot begin; undefined if it is unknown. */
    cloud: toolNames.sky?.includes("_") === true ? toolNames.sky.split("_", 1)[0] : undefined,
  };
}
