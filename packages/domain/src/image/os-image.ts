import type { OsImage } from "./os-image-schema.js";

/** Maximum age of a cached image list, in seconds. */
export const IMAGE_LIST_LIFETIME_SECONDS = 3600;

/** Order of an image list, which the API leaves open: the default image first, then by displayName, then by id. */
export function compareOsImages(a: OsImage, b: OsImage): number {
  if (a.isDefault !== b.isDefault) {
    return a.isDefault ? -1 : 1;
  }
  return compareText(a.displayName, b.displayName) || compareText(a.id, b.id);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Whether an image is offered for an instance type (parameter `instance_type`).
 * @param instanceTypes Types that the image is restricted to; empty or undefined if it fits all.
 * @param instanceType The requested type; undefined matches every image.
 */
export function imageFits(instanceTypes: readonly string[] | undefined, instanceType: string | undefined): boolean {
  const types = instanceTypes ?? [];
  return instanceType === undefined || types.length === 0 || types.includes(instanceType);
}

/** The image of a deployment without os_image_id; undefined if the list is empty or has no default. */
export function defaultOsImage(images: readonly OsImage[]): OsImage | undefined {
  return images.find((image) => image.isDefault);
}
