import type { Transaction } from "kysely";
import type { RestrictedImage } from "@gpu-offers/domain";
import { insertAll } from "./database.js";
import type { StagedProvider } from "./offer-stage.js";
import type { Tables } from "./tables.js";

// The part of an import for providers and their images.

const CHANGE_COUNTS = ["added", "changed", "removed", "unchanged"] as const;

/** Numbers of added, changed, removed and unchanged items of one kind. */
export type ChangeCounts = Record<(typeof CHANGE_COUNTS)[number], number>;

/** Changes of providers and their images. An import never removes a provider. */
export interface ProviderChanges {
  providers: ChangeCounts;
  images: ChangeCounts;
  /** Numbers of added, changed and removed images, by provider. */
  imagesOf: ReadonlyMap<string, number>;
}

export const unchangedProviders = (): ProviderChanges => ({
  providers: noChanges(),
  images: noChanges(),
  imagesOf: new Map(),
});

export const noChanges = (): ChangeCounts => ({ added: 0, changed: 0, removed: 0, unchanged: 0 });

interface ProviderFacts {
  /** Date of the data of providers that don't state one. */
  sourceAsOf: string | null;
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
  const imagesOf = new Map<string, number>();
  const changes = { ...unchangedProviders(), imagesOf };
  const rows = await transaction.selectFrom("provider").selectAll().execute();
  const before = new Map(rows.map((row) => [row.name, row]));
  for (const [name, provider] of providers) {
    const known = before.get(name);
    const type = provider.type ?? known?.type ?? "vm";
    const asOf = provider.asOf === undefined ? sourceAsOf : provider.asOf;
    const source = sourceOf?.(name) ?? null;
    const columns = { type, as_of: asOf, source, imported_at: importedAt, is_sample: provider.sample === true ? 1 : 0 };
    // A live source's date changes with each run, which alone is no reason for a new revision.
    const isDated = sourceOf === undefined && known?.as_of !== asOf;
    const isSold = known?.source !== source || known?.is_sample !== columns.is_sample;
    const isChanged = known?.type !== type || isDated || isSold;
    changes.providers[known === undefined ? "added" : isChanged ? "changed" : "unchanged"] += 1;
    await insertAll(transaction, "provider", [{ name, ...columns }], ["name"]);
    const images = await replaceImages(transaction, { provider: name, source }, provider.images);
    imagesOf.set(name, images.added + images.changed + images.removed);
    for (const kind of CHANGE_COUNTS) {
      changes.images[kind] += images[kind];
    }
  }
  return changes;
}

/** Whether anything was added, changed or removed. */
export function isChange({ added, changed, removed }: ChangeCounts): boolean {
  return added + changed + removed > 0;
}

type ImageRow = Tables["os_image"];

/**
 * Replaces the images of a provider, unless the source says nothing about them, and counts the changes. An import by the
 * operator replaces all of them; a live source only replaces those that a live source wrote.
 */
async function replaceImages(
  transaction: Transaction<Tables>,
  { provider, source }: { provider: string; source: string | null },
  images: readonly RestrictedImage[] | undefined,
): Promise<ChangeCounts> {
  const stored = await transaction.selectFrom("os_image").selectAll().where("provider", "=", provider).execute();
  const kept = images === undefined ? stored : stored.filter((row) => source !== null && row.source === null);
  const wanted = [...kept, ...(images === undefined ? [] : rowsOf(images, { provider, source }, kept))];
  const before = new Map(stored.map((row) => [row.id, contentOf(row)]));
  const changed = wanted.filter((row) => before.get(row.id) !== contentOf(row));
  const ids = new Set(wanted.map(({ id }) => id));
  const removed = stored.filter(({ id }) => !ids.has(id));
  const added = changed.filter(({ id }) => !before.has(id));
  for (const { id } of [...removed, ...changed]) {
    await transaction.deleteFrom("os_image").where("provider", "=", provider).where("id", "=", id).execute();
  }
  await insertAll(transaction, "os_image", changed);
  return {
    added: added.length,
    changed: changed.length - added.length,
    removed: removed.length,
    unchanged: wanted.length - changed.length,
  };
}

/** The rows of images beside those that are kept: an id that is kept stays, and so does the default image. */
function rowsOf(
  images: readonly RestrictedImage[],
  { provider, source }: Pick<ImageRow, "provider" | "source">,
  kept: readonly ImageRow[],
): ImageRow[] {
  const taken = new Set(kept.map(({ id }) => id));
  const hasDefault = kept.some(({ body }) => (JSON.parse(body) as RestrictedImage).isDefault);
  return images
    .filter(({ id }) => !taken.has(id))
    .map(({ instanceTypes = [], ...image }) => ({
      provider,
      id: image.id,
      body: JSON.stringify(hasDefault ? { ...image, isDefault: false } : image),
      instance_types: JSON.stringify(instanceTypes),
      source,
    }));
}

function contentOf({ body, instance_types, source }: ImageRow): string {
  return JSON.stringify([body, instance_types, source]);
}
