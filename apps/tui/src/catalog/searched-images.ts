import { IMAGES_UNKNOWN, type Offer, type OfferSearch, type OsImage, type SearchTerm } from "@gpu-offers/domain";

// Search words about images, such as `ubuntu 22.04`, need the images of providers, which lists of offers don't have.

/** Whether the words of a search ask for an image. */
export function asksForImage(search: OfferSearch, offers: readonly Offer[]): boolean {
  const { terms, understood } = search.among(offers).parsed;
  return understood.some(({ as }) => as === IMAGES_UNKNOWN) || terms.some(isAboutImages);
}

function isAboutImages(term: SearchTerm): boolean {
  if (term.kind === "all" || term.kind === "any") {
    return term.terms.some(isAboutImages);
  }
  return term.kind === "image" || (term.kind === "not" && isAboutImages(term.term));
}

/**
 * The search with the images of providers. Providers without a list, or with an empty one, state nothing: where none states
 * an image, images are unknown.
 */
export function withImages(search: OfferSearch, images: ReadonlyMap<string, readonly OsImage[]>): OfferSearch {
  const known = [...images].filter(([, list]) => list.length > 0);
  return known.length > 0 ? search.withImages(new Map(known)) : search;
}
