import { createWriteStream } from "node:fs";
import { link, realpath, rename, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { codeOf, reasonOf, type Offer } from "@gpu-offers/domain";
import {
  writeNative,
  type CatalogOffer,
  type NativeHeader,
  type ProviderType,
  type SourceProvider,
} from "@gpu-offers/sources";
import { Freshness } from "@gpu-offers/store/freshness";
import { priceTime, readSourceFacts } from "@gpu-offers/store/source-facts";
import { staleCheck, servedBody } from "@gpu-offers/store/staleness";
import { readCatalog, type CatalogHead, type StoredProvider } from "@gpu-offers/store/catalog.store";
import { readFacts, type StoredOffer } from "@gpu-offers/store/offer-row";
import { withReader } from "./admin-database.js";
import { CommandFailure, unwritable, type AdminCommand } from "./command.js";
import { counted } from "./table.js";

/** `catalog export`: writes the whole catalog in the native format. */
export function addCatalogExport(catalog: AdminCommand): void {
  catalog
    .command("export")
    .description("Export the whole catalog as NDJSON for catalog import")
    .option("--output <file>", "file to write atomically (default: -, standard output)")
    .option("--force", "overwrite an existing file")
    .examples(
      "gpu-offers-admin catalog export --output catalog.ndjson",
      "gpu-offers-admin catalog export | gzip > catalog.ndjson.gz",
    )
    .action(run);
}

async function run({ output: named, force = false }: { output?: string; force?: boolean }): Promise<void> {
  const output = named === "-" ? undefined : named;
  if (output !== undefined && !force) {
    await checkAbsent(output);
  }
  const written = await withReader(async (database) => {
    const facts = await readSourceFacts(database);
    const times = new Map(facts.providers.map((origin) => [origin.name, priceTime(origin, facts)]));
    const isStale = staleCheck(new Freshness(facts, Date.now()).stale);
    return readCatalog(
      database,
      async (head, offers) => {
        const providers = head.providers.map((provider) => toSource(provider, times.get(provider.name) ?? null));
        const lines = writeNative(headerOf(head, providers), providers, served(offers, isStale));
        await write(lines, output, force);
        return head;
      },
      true,
    );
  });
  if (written === undefined) {
    throw new CommandFailure("the catalog is empty; there is nothing to export.");
  }
  // On standard error, since standard output may be the catalog.
  const { offerCount, providers, revision } = written;
  process.stderr.write(
    `Wrote ${counted(offerCount, "offer")} from ${counted(providers.length, "provider")} (revision ${revision.revision}) to ${output ?? "standard output"}.\n`,
  );
}

async function write(lines: AsyncIterable<string>, output: string | undefined, force: boolean): Promise<void> {
  try {
    await (output === undefined ? pipeline(lines, process.stdout, { end: false }) : save(lines, output, force));
  } catch (error) {
    // Not an error of the catalog.
    if (error instanceof Error && "syscall" in error) {
      throw output === undefined
        ? unwritable(error)
        : new CommandFailure(`cannot write ${output}: ${reasonOf(error)}.`);
    }
    throw error;
  }
}

async function save(lines: AsyncIterable<string>, output: string, force: boolean): Promise<void> {
  const found = await stat(output).catch(() => undefined);
  if (found?.isFile() === false) {
    // A device or a FIFO must not be replaced by a file.
    await pipeline(lines, createWriteStream(output));
  } else {
    // A symbolic link stays; its target is replaced.
    await saveFile(lines, found === undefined ? output : await realpath(output), force);
  }
}

async function saveFile(lines: AsyncIterable<string>, file: string, force: boolean): Promise<void> {
  const unfinished = `${file}.unfinished`;
  try {
    await pipeline(lines, createWriteStream(unfinished));
    await (force ? rename(unfinished, file) : moveToNew(unfinished, file));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Moves a file to its final name, but fails if that exists; `rename` would replace it. */
async function moveToNew(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file);
  } catch (error) {
    if (codeOf(error) === "EEXIST") {
      throw alreadyExists(file);
    }
    // Some file systems have no hard links.
    await checkAbsent(file);
    await rename(unfinished, file);
    return;
  }
  await rm(unfinished);
}

async function checkAbsent(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() === true) {
    throw alreadyExists(file);
  }
}

function alreadyExists(file: string): CommandFailure {
  return new CommandFailure(`${file} already exists. Add --force to overwrite it.`);
}

/** Each provider has its own date; the header has the newest of them, else the date of the revision. */
function headerOf({ revision, offerCount }: CatalogHead, providers: readonly SourceProvider[]): NativeHeader {
  const dates = providers.flatMap(({ asOf }) => asOf ?? []).sort();
  const asOf = dates.at(-1) ?? revision.created_at;
  return { asOf, note: `Export of catalog revision ${revision.revision}.`, offerCount };
}

/** @param time When a live source last confirmed the prices; without it, an import would make them new. */
function toSource({ name, type, asOf, isSample, images }: StoredProvider, time: string | null): SourceProvider {
  return {
    name,
    // Imports validate this column.
    type: type as ProviderType,
    asOf: asOf ?? time,
    ...(isSample && { sample: true as const }),
    images: images.map(({ instanceTypes = [], ...image }) =>
      instanceTypes.length === 0 ? image : { ...image, instanceTypes: [...instanceTypes] },
    ),
  };
}

async function* served(
  offers: AsyncIterable<StoredOffer>,
  isStale: ReturnType<typeof staleCheck>,
): AsyncGenerator<CatalogOffer> {
  for await (const offer of offers) {
    yield { offer: JSON.parse(servedBody(offer, isStale)) as Offer, listing: readFacts(offer) };
  }
}
