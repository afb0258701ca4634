import type { Transaction } from "kysely";
import { listProviders, type StoredImage } from "./catalog.store.js";
import type { StagedProvider } from "./offer-stage.js";
import type { Tables } from "./tables.js";

// The part of an import for providers and their images.

/** Numbers of added, changed, removed and unchanged items of one kind. */
export interface ChangeCounts {
  added: number;
  changed: number;
  removed: number;
  unchanged: number;
}

/** Changes of providers and their images. An import never removes a provider. */
export interface ProviderChanges {
  providers: ChangeCounts;
  images: ChangeCounts;
}

/** No changes. */
export const noChanges = (): ChangeCounts => ({ added: 0, changed: 0, removed: 0, unchanged: 0 });

/** Facts about providers that are not in the items. */
export interface ProviderFacts {
  /** Date of the data of providers that don't state one. */
  sourceAsOf: string | null;
  /** The live source of a provider; undefined for an import of a file. */
  sourceOf: ((provider: string) => string) | undefined;
  /** The time of the import: ISO 8601 UTC. */
  importedAt: string;
}

/** Writes providers and their images. */
export async function replaceProviders(
  transaction: Transaction<Tables>,
  providers: ReadonlyMap<string, StagedProvider>,
  { sourceAsOf, sourceOf, importedAt }: ProviderFacts,
): Promise<ProviderChanges> {
  const changes = { providers: noChanges(), images: noChanges() };
  const before = new Map((await listProviders(transaction)).map((provider) => [provider.name, provider]));
  const owners = await transaction.selectFrom("provider").select(["name", "source"]).execute();
  const sources = new Map(owners.map(({ name, source }) => [name, source]));
  for (const [name, provider] of providers) {
    const known = before.get(name);
    const type = provider.type ?? known?.type ?? "vm";
    const asOf = provider.asOf === undefined ? sourceAsOf : provider.asOf;
    const source = sourceOf?.(name) ?? null;
    const columns = { type, as_of: asOf, source, imported_at: importedAt };
    // A live source's date changes with each run, which alone is no reason for a new revision.
    const isDated = sourceOf === undefined && known?.asOf !== asOf;
    const isChanged = known?.type !== type || isDated || sources.get(name) !== source;
    changes.providers[known === undefined ? "added" : isChanged ? "changed" : "unchanged"] += 1;
    await transaction
      .insertInto("provider")
      .values({ name, ...columns })
      .onConflict((conflict) => conflict.column("name").doUpdateSet(columns))
      .execute();
    await replaceImages(transaction, name, known?.images ?? [], provider.images, changes.images);
  }
  return changes;
}

/** Whether anything was added, changed or removed. */
export function isChange({ added, changed, removed }: ChangeCounts): boolean {
  return added + changed + removed > 0;
}

/** Replaces the images of a provider, unless the source says nothing about them, and counts the changes. */
async function replaceImages(
  transaction: Transaction<Tables>,
  provider: string,
  before: readonly StoredImage[],
  after: readonly StoredImage[] = before,
  counts: ChangeCounts,
): Promise<void> {
  const old = new Map(before.map((image) => [image.image.id, JSON.stringify(image)]));
  let isChanged = false;
  for (const image of after) {
    const known = old.get(image.image.id);
    const change = known === undefined ? "added" : known === JSON.stringify(image) ? "unchanged" : "changed";
    counts[change] += 1;
    isChanged ||= change !== "unchanged";
    old.delete(image.image.id);
  }
  counts.removed += old.size;
  if (!isChanged && old.size === 0) {
    return;
  }
  await transaction.deleteFrom("os_image").where("provider", "=", provider).execute();
  for (const { image, instanceTypes } of after) {
    const body = JSON.stringify(image);
    const row = { provider, id: image.id, body, instance_types: JSON.stringify(instanceTypes) };
    await transaction.insertInto("os_image").values(row).execute();
  }
}
