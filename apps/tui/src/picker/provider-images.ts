import { IMAGE_LIST_LIFETIME_SECONDS, IMAGES_UNKNOWN, type SearchTerm } from "@gpu-offers/domain";
import { step, type Command, type PickerEvent, type Step } from "./event.js";
import type { Found } from "./found.js";
import { imageListOf, keyOfList, loadedImages, type ImageList, type LoadedImages } from "./image-list.js";
import { currentOffer } from "./offer-view.js";
import { listHeight, paneWidths, type PickerState } from "./state.js";

// Loads images, also before they are needed.

/** Cache lifetime of an image list, as the service specifies. */
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
export function readImages(state: PickerState, list: ImageList): Step {
  const known = loadedImages(state.images, list);
  if (known.loadingSinceMs !== undefined) {
    return step(state);
  }
  const images = new Map(state.images).set(keyOfList(list), { ...known, loadingSinceMs: state.nowMs });
  return step({ ...state, images }, { kind: "readImages", ...list });
}

/** {@link readImages}, unless the cached images are still valid. */
export function readImagesOnce(state: PickerState, list: ImageList): Step {
  const { images, asOfMs = 0 } = loadedImages(state.images, list);
  return images !== undefined && state.nowMs - asOfMs < LIFETIME_MS ? step(state) : readImages(state, list);
}

/** The state after a load. If it failed, the previous list stays. */
export function withImages(state: PickerState, event: PickerEvent & { kind: "images" }): PickerState {
  const { images, problem, nowMs } = event;
  const known: LoadedImages = {
    images: problem === undefined ? images : loadedImages(state.images, event).images,
    problem,
    asOfMs: nowMs,
    loadingSinceMs: undefined,
  };
  return { ...state, images: new Map(state.images).set(keyOfList(event), known) };
}

/** Whether the query asks for an image, and some images aren't loaded. */
export function missesImages({ found, loaded: { catalog }, images }: PickerState): boolean {
  const names = [...catalog.names.providers];
  return asksForImage(found) && names.some((provider) => loadedImages(images, { provider }).asOfMs === undefined);
}

/** Prefetches images for the offers on the screen, a few lists at a time. */
export function readAhead(state: PickerState): Step {
  if (state.loaded.load.kind !== "ready") {
    return step(state);
  }
  const underWay = [...state.images.values()].filter(({ loadingSinceMs }) => loadingSinceMs !== undefined).length;
  let next = state;
  const commands: Command[] = [];
  for (const list of wantedLists(state)) {
    if (underWay + commands.length >= READ_AHEAD) {
      break;
    }
    if (isWorthReading(loadedImages(next.images, list), state.nowMs)) {
      const begun = readImages(next, list);
      next = begun.state;
      commands.push(...begun.commands);
    }
  }
  return step(next, ...commands);
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
  return [
    ...(current === undefined ? [] : [imageListOf(current)]),
    ...Array.from(providers, (provider) => ({ provider })),
  ];
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
