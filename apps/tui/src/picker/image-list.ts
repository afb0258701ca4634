import type { ListedOffer, OsImage, KnownImages } from "@gpu-offers/domain";
import type { Problem } from "../catalog/offer-source-error.js";

/** A list of images: all of a provider, or those that one of its instance types can boot. */
export interface ImageList {
  provider: string;
  instanceType?: string | undefined;
}

/** A list of images as far as it is loaded. */
export interface LoadedImages {
  /** The last loaded list; undefined if there is none. */
  images?: readonly OsImage[] | undefined;
  problem?: Problem | undefined;
  /** When the last load ended, in milliseconds since 1970; undefined if none did. */
  asOfMs?: number;
  /** When the load in progress began; undefined if there is none. */
  loadingSinceMs?: number;
}

/** Lists of images by {@link keyOfList}. */
export type ImageLists = ReadonlyMap<string, LoadedImages>;

/** The list of the images that an offer can boot. */
export function imageListOf({ provider, listing }: ListedOffer): ImageList {
  return { provider: provider.name, instanceType: listing?.instanceType ?? undefined };
}

/** The key of a list. That of all images of a provider is its name, which has no line break. */
export function keyOfList({ provider, instanceType }: ImageList): string {
  return instanceType === undefined ? provider : `${provider}\n${instanceType}`;
}

/** Whether two lists are the same. */
export function isSameList(a: ImageList, b: ImageList): boolean {
  return keyOfList(a) === keyOfList(b);
}

/** A list as far as it is loaded. */
export function loadedImages(lists: ImageLists, list: ImageList): LoadedImages {
  return lists.get(keyOfList(list)) ?? {};
}

/** The images that an offer can boot, if they are loaded. */
export function imagesOf({ images }: { images: ImageLists }, offer: ListedOffer): readonly OsImage[] | undefined {
  return loadedImages(images, imageListOf(offer)).images;
}

/** All images of the providers whose lists are loaded. */
export function knownImages(lists: ImageLists): KnownImages {
  return new Map(
    [...lists].flatMap(([key, { images }]) =>
      images === undefined || key.includes("\n") ? [] : [[key, images] as const],
    ),
  );
}
