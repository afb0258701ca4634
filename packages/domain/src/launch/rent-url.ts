import type { ListingFacts } from "../offer/listing-schema.js";
import { launchPlace } from "./launch-facts.js";
import type { LaunchedListing } from "./launch-text.js";
import { providerKey } from "../provider/provider-key.js";
import { rentPages } from "./rent-pages.facts.js";

type RentedFacts = Pick<ListingFacts, "instanceType" | "providerOfferId">;

/**
 * The page on which one rents an offer in a browser: of the offer itself where its provider has such pages, else of the
 * provider's console; null if none is known.
 * @param facts Called only if the provider's pages need them.
 */
export function rentUrl(offer: LaunchedListing["offer"], facts: () => RentedFacts): string | null {
  const [page, offerPage] = rentPages.get(providerKey(offer.provider.name)) ?? [null];
  let isKnown = true;
  const filled = offerPage?.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value =
      name === "region" ? launchPlace({ offer }).region : facts()[name === "id" ? "providerOfferId" : "instanceType"];
    isKnown &&= value != null;
    return encodeURIComponent(value ?? "");
  });
  return isKnown && filled !== undefined ? filled : page;
}
