import { escapeRegExp } from "../text/escape-reg-exp.js";
import type { OsImage } from "./os-image-schema.js";

/** Maximum length of a name; longer words match nothing, because regular expressions have a maximum size. */
export const MAX_NAME_LENGTH = 100;

/** Filter of images. Undefined fields match every image. */
export interface WantedImage {
  /** Its id or slug, in any case. */
  image?: string | undefined;
  /** Words in its name: `ubuntu-22.04`, `Debian`. */
  os?: string | undefined;
  /** Version or version prefix of the CUDA toolkit: `12` matches every 12.x. */
  cuda?: string | undefined;
  /** Has CUDA, in any version. */
  hasCuda?: true | undefined;
  /** Has Docker. */
  hasDocker?: true | undefined;
}

/** Whether an image matches a filter. */
export function matchesImage(image: OsImage, { image: id, os, cuda, hasCuda, hasDocker }: WantedImage): boolean {
  return (
    (id === undefined || [image.id, image.slug].some((name) => name.toLowerCase() === id.toLowerCase())) &&
    (os === undefined || [image.displayName, image.slug, image.id].some((name) => hasWords(name, os))) &&
    (cuda === undefined || (image.hasCuda && isVersion(image.cudaVersion ?? "", cuda))) &&
    (hasCuda === undefined || image.hasCuda) &&
    (hasDocker === undefined || image.hasDocker)
  );
}

/** The providers with a matching image, among those whose images are known. */
export function providersWithImage(
  imagesByProvider: Iterable<readonly [provider: string, images: readonly OsImage[]]>,
  wanted: WantedImage,
): string[] {
  return [...imagesByProvider]
    .filter(([, images]) => images.some((image) => matchesImage(image, wanted)))
    .map(([name]) => name);
}

/** A wanted image, and what can boot it. */
export interface ImageFilter {
  /** What the image must be. */
  wanted: WantedImage;
  /** Providers that have such an image, by name. */
  providers: readonly string[];
  /** Instance types that a provider's matching images are restricted to; providers without restrictions are missing. */
  instanceTypes: ReadonlyMap<string, readonly string[]>;
}

/** An image, and the instance types that it is restricted to; empty or missing if it fits all. */
export type RestrictedImage = OsImage & {
  /** Instance types that it fits; all if undefined. */
  instanceTypes?: readonly string[] | undefined;
};

/** The filter for a wanted image, among the images of each provider. */
export function imageFilter(images: ReadonlyMap<string, readonly RestrictedImage[]>, wanted: WantedImage): ImageFilter {
  const instanceTypes = new Map<string, readonly string[]>();
  for (const [provider, list] of images) {
    const matching = list.filter((image) => matchesImage(image, wanted));
    if (matching.length > 0 && matching.every(({ instanceTypes: types = [] }) => types.length > 0)) {
      instanceTypes.set(provider, [...new Set(matching.flatMap(({ instanceTypes: types = [] }) => types))]);
    }
  }
  return { wanted, providers: providersWithImage(images, wanted), instanceTypes };
}

/** Describes an image filter: `ubuntu-22.04, CUDA 12`. */
export function describeImage({ image, os, cuda, hasCuda, hasDocker }: WantedImage): string {
  const version = cuda !== undefined ? `CUDA ${cuda}` : hasCuda === true ? "CUDA" : undefined;
  const docker = hasDocker === true ? "Docker" : undefined;
  return [image, os, version, docker].filter((part) => part !== undefined).join(", ");
}

/**
 * The operating system of an image in the form of {@link WantedImage}: `ubuntu-22.04`, `windows-server-2022`; undefined
 * if its name does not have it.
 */
export function imageSystem({ displayName }: OsImage): string | undefined {
  const [, name, version] = SYSTEM.exec(spaced(displayName)) ?? [];
  return name === undefined ? undefined : `${name} ${version}`.replaceAll(" ", "-");
}

/** The CUDA versions that match an image, least precise first: `12`, `12.4`; empty without CUDA. */
export function cudaVersions({ cudaVersion }: OsImage): string[] {
  const [exact, major] = /^(\d+)(?:\.\d+)?/.exec(cudaVersion ?? "") ?? [];
  return exact === undefined || major === undefined ? [] : [...new Set([major, exact])];
}

/** An optional edition between the OS name and its version (`Ubuntu Server 22.04`), but not the start of another product. */
const EDITION = "(?: (?!cuda|rocm|docker|driver|python|pytorch|tensorflow)[a-z]+)?";

const SYSTEM = new RegExp(
  `\\b(ubuntu|debian|fedora|centos stream|centos|rocky linux|rocky|almalinux|rhel|oracle linux|amazon linux|opensuse leap|windows server|windows)${EDITION} (\\d+(?:\\.\\d+)?)`,
);

/**
 * Whether a name contains the words in sequence, with an optional edition before a number. Numbers match whole: 22.0 does
 * not match 22.04.
 */
function hasWords(name: string, words: string): boolean {
  if (words.length > MAX_NAME_LENGTH) {
    return false;
  }
  const escaped = escapeRegExp(spaced(words)).replaceAll(/(?<=[a-z]) (?=\d)/g, `${EDITION} `);
  return new RegExp(`(?<![\\d.])${escaped}(?!\\d)`, "u").test(spaced(name));
}

/** Separates words and numbers: "Ubuntu22.04" is "ubuntu 22.04". */
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
