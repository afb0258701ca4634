import type { OsImage } from "./os-image-schema.js";

/** What an image must be. A field that is left out lets every image pass. */
export interface WantedImage {
  /** Its id or slug, in any case. */
  readonly id?: string | undefined;
  /** Words of its name: `ubuntu-22.04`, `Debian`. */
  readonly os?: string | undefined;
  /** Version of the CUDA toolkit, as exact as wanted: `12` is every 12.x. */
  readonly cuda?: string | undefined;
}

/** Whether an image is what is wanted. */
export function matchesImage(image: OsImage, { id, os, cuda }: WantedImage): boolean {
  return (
    (id === undefined || [image.id, image.slug].some((name) => name.toLowerCase() === id.toLowerCase())) &&
    (os === undefined || [image.displayName, image.slug, image.id].some((name) => hasWords(name, os))) &&
    (cuda === undefined || (image.hasCuda && isVersion(image.cudaVersion ?? "", cuda)))
  );
}

/** The providers that have an image as it is wanted, among those whose images are known. */
export function providersWithImage(
  imagesByProvider: Iterable<readonly [provider: string, images: readonly OsImage[]]>,
  wanted: WantedImage,
): string[] {
  return [...imagesByProvider]
    .filter(([, images]) => images.some((image) => matchesImage(image, wanted)))
    .map(([name]) => name);
}

/** A wanted image in words: `ubuntu-22.04, CUDA 12`. */
export function describeImage({ id, os, cuda }: WantedImage): string {
  return [id, os, cuda === undefined ? undefined : `CUDA ${cuda}`].filter((part) => part !== undefined).join(", ");
}

/** Whether the words stand in a name, one after the other; numbers are not cut, so that 22.0 is not 22.04. */
function hasWords(name: string, words: string): boolean {
  const escaped = spaced(words).replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(`(?<![\\d.])${escaped}(?!\\d)`, "u").test(spaced(name));
}

/** Words and numbers apart: "Ubuntu22.04" is "ubuntu 22.04". */
function spaced(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")
    .replaceAll(/(?<=[a-z])(?=\d)/g, " ")
    .trim();
}

function isVersion(version: string, wanted: string): boolean {
  return version === wanted || version.startsWith(`${wanted}.`);
}
