import type { OsImage } from "@gpu-offers/domain";
import type { OfferSource } from "./offer-source.js";

/** Maximum number of image lists read concurrently. */
const CONCURRENCY = 4;

/** The images of all providers of a source, by their names. */
export async function readAllImages(source: OfferSource): Promise<ReadonlyMap<string, readonly OsImage[]>> {
  const names = await providerNames(source);
  const waiting = [...names];
  const found = new Map<string, readonly OsImage[]>(names.map((name) => [name, []]));
  const read = async (): Promise<void> => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      found.set(name, (await source.findImages(name)) ?? []);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, read));
  return found;
}

/** The names of a source's providers. */
export async function providerNames(source: OfferSource): Promise<string[]> {
  return (await source.listProviders()).map(({ name }) => name);
}
