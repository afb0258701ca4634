import { plainTextSchema, publishedOsImageSchema, type OsImage } from "@gpu-offers/domain";
import { compareTexts } from "../duplicates.js";
import type { SourceImage } from "../source-item.js";

// Turns the images of a provider's API into ours. hasCuda and hasDocker say what the image's own name states; an image with
// drivers alone has neither.

/** An image in the source's terms. */
export interface LiveImage {
  /** What one passes to create a machine. */
  id: string;
  /** Unset: the id. */
  name?: string | null | undefined;
  /** Instance types that the source restricts it to; unset if it doesn't. An image for no type is left out. */
  instanceTypes?: readonly string[] | undefined;
}

interface FoundImage {
  image: OsImage;
  /** Undefined if it fits all types. */
  instanceTypes: ReadonlySet<string> | undefined;
}

/**
 * The images of a provider, one per id: an image that is listed again for other instance types fits them too. Images with
 * an unusable id, name or restriction are left out. A plain Ubuntu is the default, because APIs require a choice and have
 * no default; without one, it is the first image by name.
 */
export function liveImages(images: Iterable<LiveImage>): SourceImage[] {
  const byId = new Map<string, FoundImage>();
  for (const { id, name, instanceTypes: stated } of images) {
    const known = byId.get(id);
    const instanceTypes =
      stated && new Set(stated.filter((type) => type !== "" && plainTextSchema.safeParse(type).success));
    if (instanceTypes?.size === 0) {
      continue;
    }
    if (known === undefined) {
      const parsed = publishedOsImageSchema.safeParse(imageOf(id, name ?? id));
      if (parsed.success) {
        byId.set(id, { image: parsed.data, instanceTypes });
      }
    } else {
      known.instanceTypes = instanceTypes && known.instanceTypes && new Set([...known.instanceTypes, ...instanceTypes]);
    }
  }
  const found = withSlugs([...byId.values()].toSorted((a, b) => compareTexts(a.image.id, b.image.id)));
  const defaultImage = defaultOf(found);
  return found.map(({ image, instanceTypes }) => {
    const types = instanceTypes === undefined ? {} : { instanceTypes: [...instanceTypes].toSorted(compareTexts) };
    return Object.assign({}, image, { isDefault: image === defaultImage }, types);
  });
}

/** The images of types, each of which states its own; undefined if none states any. */
export function imagesOfTypes(types: readonly (readonly [type: string, ids: readonly string[]])[]) {
  const images = types.flatMap(([type, ids]) => ids.map((id) => ({ id, instanceTypes: [type] })));
  return images.length === 0 ? undefined : liveImages(images);
}

/** The images with slugs of their own, because two ids may end alike. One whose every slug is taken is left out. */
function withSlugs(images: readonly FoundImage[]): FoundImage[] {
  const taken = new Set<string>();
  return images.flatMap(({ image, instanceTypes }) => {
    const slug = [image.slug, image.id.replaceAll("/", "-")].find((name) => !taken.has(name));
    if (slug === undefined) {
      return [];
    }
    taken.add(slug);
    return [{ image: { ...image, slug }, instanceTypes }];
  });
}

function imageOf(id: string, displayName: string): OsImage {
  const text = `${id} ${displayName}`;
  const cudaVersion = cudaIn(text);
  return {
    id,
    displayName: displayName.trim(),
    // linode/ubuntu24.04: the path names the cloud.
    slug: id.slice(id.lastIndexOf("/") + 1),
    hasCuda: cudaVersion !== null,
    cudaVersion,
    hasDocker: /(?<![a-z])docker(?![a-z])/i.test(text) && !/(?:\bno|\bwithout)[ ._-]docker/i.test(text),
    isDefault: false,
  };
}

/** `cuda-12.8`, `CUDA 12.2`, `cuda13.0`, `cuda_12_4`; a name that only says CUDA states no version, and counts as none. */
function cudaIn(text: string): string | null {
  const [, version] = /(?<![a-z])cuda[ ._-]?v?(\d{1,2}(?:[._]\d{1,2}){0,2})(?!\d)/i.exec(text) ?? [];
  return version?.replaceAll("_", ".") ?? null;
}

/** `ubuntu-24.04`, `Ubuntu 24.04 LTS`, `ubuntu_24_04`: a name with nothing but the distribution and its version. */
const PLAIN_UBUNTU =
  /^ubuntu(?:[ _-]?(?:server|linux))?[ _-]?(\d{2})[._-]?(04|10)(?:[ _-]?(?:lts|x64|x86_64|amd64|\(lts\)|x64 \(lts\)|lts x64))*$/i;

/** Of the plain releases that fit most instance types, the newest with long-term support: April of an even year. */
function defaultOf(images: readonly FoundImage[]): OsImage | undefined {
  const plain = images.flatMap(({ image, instanceTypes }) => {
    const [, year, month] = PLAIN_UBUNTU.exec(image.slug) ?? PLAIN_UBUNTU.exec(image.displayName) ?? [];
    const isLongTerm = Number(year) % 2 === 0 && month === "04";
    const release = Number(year) + (isLongTerm ? 100 : 0);
    return year === undefined ? [] : [{ image, types: instanceTypes?.size ?? Infinity, release }];
  });
  const most = Math.max(...plain.map(({ types }) => types));
  const [best] = plain.filter(({ types }) => types === most).toSorted((a, b) => b.release - a.release);
  return (
    best?.image ?? images.map(({ image }) => image).toSorted((a, b) => compareTexts(a.displayName, b.displayName))[0]
  );
}
