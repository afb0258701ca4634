import {
  cudaVersions,
  imageSystem,
  providersWithImage,
  type OfferFilter,
  type OsImage,
  type WantedImage,
} from "@gpu-offers/domain";
import { compareValues, IMAGE_KEYS, type ImageKey, type ValueRow } from "./facet-row.js";
import { withFilter } from "./query.js";

// Facets of OS images. Images belong to providers, so a value matches all offers of the providers that have such an
// image. A single image must match both OS and CUDA version.

/** Images by the provider's name, of the providers whose images are known. */
export type KnownImages = ReadonlyMap<string, readonly OsImage[]>;

const GROUPS: Readonly<Record<ImageKey, { title: string; valuesOf: (image: OsImage) => readonly string[] }>> = {
  os: { title: "OS image", valuesOf: (image) => [imageSystem(image)].filter((system) => system !== undefined) },
  cuda: { title: "CUDA version", valuesOf: cudaVersions },
};

/**
 * The values of images, each with the number of offers that choosing it shows.
 * @param counts Number of offers per provider that pass the other filters.
 */
export function imageRows(counts: ReadonlyMap<string, number>, filter: OfferFilter, images: KnownImages): ValueRow[] {
  const all = [...images.values()].flat();
  const wanted = filter.image?.wanted ?? {};
  return IMAGE_KEYS.flatMap((key) => {
    const { title, valuesOf } = GROUPS[key];
    const values = new Set([...all.flatMap(valuesOf), ...[wanted[key]].filter((value) => value !== undefined)]);
    return [...values]
      .map((value): ValueRow => {
        const providers = providersWithImage(images, { ...wanted, [key]: value });
        const count = providers.reduce((sum, provider) => sum + (counts.get(provider) ?? 0), 0);
        return { kind: "value", key, group: title, value, label: value, count, isSet: wanted[key] === value };
      })
      .filter(({ count, isSet }) => count > 0 || isSet)
      .sort(compareValues);
  });
}

/** Sets an image facet, replacing its previous value, or clears it. */
export function toggleImage(
  filter: OfferFilter,
  { key, value, isSet }: { key: ImageKey; value: string; isSet: boolean },
  images: KnownImages,
): OfferFilter {
  const { [key]: _, ...others } = filter.image?.wanted ?? {};
  const wanted: WantedImage = isSet ? others : { ...others, [key]: value };
  const isAny = Object.values(wanted).every((part) => part === undefined);
  return withFilter(filter, "image", isAny ? undefined : { wanted, providers: providersWithImage(images, wanted) });
}

/** The filter after images of a provider were loaded: the provider passes if it has a matching image. */
export function withProviderImages(filter: OfferFilter, provider: string, images: readonly OsImage[]): OfferFilter {
  if (filter.image === undefined) {
    return filter;
  }
  const { wanted, providers } = filter.image;
  const hasImage = providersWithImage([[provider, images]], wanted).length > 0;
  return hasImage === providers.includes(provider)
    ? filter
    : withFilter(filter, "image", {
        wanted,
        providers: hasImage ? [...providers, provider] : providers.filter((name) => name !== provider),
      });
}
