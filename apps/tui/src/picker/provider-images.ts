import { IMAGE_LIST_LIFETIME_SECONDS, type Offer, type OfferSearch, type OsImage } from "@gpu-offers/domain";
import { type KnownImages, memoizeLast } from "@gpu-offers/list";
import { asksForImage, withImages as withSearchedImages } from "../catalog/searched-images.js";
import { step, type Command, type PickerEvent, type Step } from "./event.js";
import { listHeight, paneWidths, type PickerState, type ProviderImages } from "./state.js";

// Images of providers: loaded ones, and prefetching.

const NOT_READ: ProviderImages = {
  images: undefined,
  problem: undefined,
  asOfMs: undefined,
  loadingSinceMs: undefined,
};

/** Cache lifetime of an image list, as the service specifies. */
const LIFETIME_MS = IMAGE_LIST_LIFETIME_SECONDS * 1000;

/** Milliseconds before a failed image list is retried automatically. */
const REST_MS = 60_000;

/** Maximum number of image lists prefetched concurrently. */
export const READ_AHEAD = 4;

/** Images of an offer's provider, if loaded. */
export function imagesOf(state: Pick<PickerState, "images">, offer: Offer): readonly OsImage[] | undefined {
  return providerImages(state, offer.provider.name).images;
}

/** State of a provider's images. */
export function providerImages({ images }: Pick<PickerState, "images">, provider: string): ProviderImages {
  return images.get(provider) ?? NOT_READ;
}

/** Images of the providers whose lists are loaded. */
export const knownImages = memoizeLast(
  (all: PickerState["images"]): KnownImages =>
    new Map([...all].flatMap(([provider, { images }]) => (images === undefined ? [] : [[provider, images] as const]))),
);

/** The search with the loaded images, if its words ask for an image, else the same search. */
export function withKnownImages(search: OfferSearch, { images, loaded: { offers } }: PickerState): OfferSearch {
  return asksForImage(search, offers) ? withSearchedImages(search, knownImages(images)) : search;
}

/** The state with a load of a provider's images in progress, unless there already is one. */
export function readImages(state: PickerState, provider: string): Step {
  const known = providerImages(state, provider);
  if (known.loadingSinceMs !== undefined) {
    return step(state);
  }
  const images = new Map(state.images).set(provider, { ...known, loadingSinceMs: state.nowMs });
  return step({ ...state, images }, { kind: "readImages", provider });
}

/** {@link readImages}, unless the cached images are still valid. */
export function readImagesOnce(state: PickerState, provider: string): Step {
  const { images, asOfMs = 0 } = providerImages(state, provider);
  return images !== undefined && state.nowMs - asOfMs < LIFETIME_MS ? step(state) : readImages(state, provider);
}

/** The state after a load. If it failed, the previous list stays. */
export function withImages(
  state: PickerState,
  { provider, images, problem, nowMs }: PickerEvent & { kind: "images" },
): PickerState {
  const before = providerImages(state, provider);
  const known: ProviderImages = {
    images: problem === undefined ? images : before.images,
    problem,
    asOfMs: nowMs,
    loadingSinceMs: undefined,
  };
  return { ...state, images: new Map(state.images).set(provider, known) };
}

/** Prefetches image lists for the visible providers, a few at a time. */
export function readAhead(state: PickerState): Step {
  if (state.loaded.load.kind !== "ready") {
    return step(state);
  }
  const underWay = [...state.images.values()].filter(({ loadingSinceMs }) => loadingSinceMs !== undefined).length;
  let next = state;
  const commands: Command[] = [];
  for (const provider of wantedProviders(state)) {
    if (underWay + commands.length >= READ_AHEAD) {
      break;
    }
    if (isWorthReading(providerImages(state, provider), state.nowMs)) {
      const begun = readImages(next, provider);
      next = begun.state;
      commands.push(...begun.commands);
    }
  }
  return step(next, ...commands);
}

/** Visible providers first; all others too if the image facets are shown, or words ask for an image. */
function wantedProviders(state: PickerState): Set<string> {
  const { view, loaded } = state;
  const { search } = state.query.filter;
  const visible = view.rows.slice(view.top, view.top + listHeight(state)).map(({ offer }) => offer);
  const areFacetsShown = state.pane === "facets" || paneWidths(state).facets > 0;
  const isAsked = search !== undefined && asksForImage(search, loaded.offers);
  const offers = areFacetsShown || isAsked ? visible.concat(loaded.offers) : visible;
  return new Set(offers.map(({ provider }) => provider.name));
}

function isWorthReading({ images, problem, asOfMs, loadingSinceMs }: ProviderImages, nowMs: number): boolean {
  if (loadingSinceMs !== undefined) {
    return false;
  }
  if (asOfMs === undefined) {
    return true;
  }
  const waitMs =
    problem === undefined ? (images === undefined ? 0 : LIFETIME_MS) : Math.max(REST_MS, problem.retryAfterMs ?? 0);
  return nowMs - asOfMs >= waitMs;
}
