import { IMAGE_LIST_LIFETIME_SECONDS, IMAGES_UNKNOWN, type SearchTerm } from "@gpu-offers/domain";
import type { PickerEvent } from "./event.js";
import type { Found } from "./found.js";
import { imageListOf, keyOfList, loadedImages, type ImageList, type LoadedImages } from "./image-list.js";
import { currentOffer } from "./offer-view.js";
import { withCommands, listHeight, paneWidths, type PickerState } from "./state.js";

// Loads images and price histories, also before they are needed.

const LIFETIME_MS = IMAGE_LIST_LIFETIME_SECONDS * 1000;

/** Milliseconds before a failed image list is retried automatically. */
const REST_MS = 60_000;

/** Maximum number of image lists prefetched concurrently. */
export const READ_AHEAD = 4;

/** Whether a query asks for an image, by its words or its filters. */
export function asksForImage({ search, selection: { filter } }: Found): boolean {
  const { terms = [], understood = [] } = search ?? {};
  return filter.image !== undefined || understood.some(({ as }) => as === IMAGES_UNKNOWN) || terms.some(isAboutImages);
}

function isAboutImages(term: SearchTerm): boolean {
  if (term.kind === "all" || term.kind === "any") {
    return term.terms.some(isAboutImages);
  }
  return term.kind === "image" || (term.kind === "not" && isAboutImages(term.term));
}

/** The state with a load of images in progress, unless there already is one. */
export function readImages(state: PickerState, list: ImageList): PickerState {
  const known = loadedImages(state.images, list);
  if (known.loadingSinceMs !== undefined) {
    return state;
  }
  const images = new Map(state.images).set(keyOfList(list), { ...known, loadingSinceMs: state.nowMs });
  return withCommands({ ...state, images }, { kind: "readImages", ...list });
}

/** {@link readImages}, unless the cached images are still valid. */
export function readImagesOnce(state: PickerState, list: ImageList): PickerState {
  const { images, asOfMs = 0 } = loadedImages(state.images, list);
  return images !== undefined && state.nowMs - asOfMs < LIFETIME_MS ? state : readImages(state, list);
}

/** The state after a load. If it failed, the previous list stays. */
export function withImages(state: PickerState, event: PickerEvent & { kind: "images" }): PickerState {
  const { images, problem, nowMs } = event;
  const known: LoadedImages = {
    images: problem === undefined ? images : loadedImages(state.images, event).images,
    problem,
    asOfMs: nowMs,
  };
  return { ...state, images: new Map(state.images).set(keyOfList(event), known) };
}

/** Whether the query asks for an image, and some images aren't loaded. */
export function missesImages({ found, loaded: { catalog }, images }: PickerState): boolean {
  const names = [...catalog.names.providers];
  return asksForImage(found) && names.some((provider) => loadedImages(images, { provider }).asOfMs === undefined);
}

/** Prefetches images for the offers on the screen, a few lists at a time. */
export function readAhead(state: PickerState): PickerState {
  if (state.loaded.load.kind !== "ready") {
    return state;
  }
  const underWay = [...state.images.values()].filter(({ loadingSinceMs }) => loadingSinceMs !== undefined).length;
  return wantedLists(state)
    .filter((list) => isWorthReading(loadedImages(state.images, list), state.nowMs))
    .slice(0, Math.max(0, READ_AHEAD - underWay))
    .reduce(readImages, state);
}

/**
 * The images that the offer under the cursor can boot, which the image step lists, and those of visible providers; of all
 * others too if the image facets are shown, or the query asks for an image.
 */
function wantedLists(state: PickerState): ImageList[] {
  const { view, loaded, found } = state;
  const current = currentOffer(view);
  const visible = view.rows.slice(view.top, view.top + listHeight(state)).map(({ offer }) => offer.provider.name);
  const areFacetsShown = state.pane === "facets" || paneWidths(state).facets > 0;
  const others = areFacetsShown || asksForImage(found) ? loaded.catalog.names.providers : [];
  const providers = new Set([...visible, ...others]);
  const lists = [
    ...(current === undefined ? [] : [imageListOf(current)]),
    ...Array.from(providers, (provider) => ({ provider })),
  ];
  return [...new Map(lists.map((list) => [keyOfList(list), list])).values()];
}

function isWorthReading({ images, problem, asOfMs, loadingSinceMs }: LoadedImages, nowMs: number): boolean {
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

/** Maximum number of cached histories; the oldest one is evicted first. */
const MAX_HELD = 200;

/** Loads the history of the offer in the details, once per load of the list. */
export function readHistory(state: PickerState): PickerState {
  const offer = currentOffer(state.view);
  const isShown = state.pane === "details" || paneWidths(state).details > 0;
  if (offer === undefined || !isShown || state.histories.has(offer.id)) {
    return state;
  }
  const kept = [...state.histories].slice(1 - MAX_HELD);
  const histories = new Map([...kept, [offer.id, undefined] as const]);
  return withCommands({ ...state, histories }, { kind: "readHistory", offerId: offer.id });
}
