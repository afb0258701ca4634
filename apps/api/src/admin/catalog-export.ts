import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import type { Offer } from "@gpu-offers/domain";
import { writeNative, type NativeHeader, type ProviderType, type SourceProvider } from "@gpu-offers/sources";
import { readCatalog, type CatalogHead, type StoredProvider } from "../store/catalog.store.js";
import { reasonOf } from "../store/database-error.js";
import type { StoredOffer } from "../store/offer-row.js";
import { withDatabase } from "./admin-database.js";
import { CommandFailure } from "./command-failure.js";

/** `catalog export`: writes the whole catalog in the native format. */
export function addCatalogExport(catalog: Command): void {
  catalog
    .command("export")
    .description("write the whole catalog as native NDJSON; importing it again changes nothing")
    .option("--output <file>", "write to a file, which appears when it is complete (default: standard output)")
    .addHelpText(
      "after",
      "\nExamples:\n  catalog export --output catalog.ndjson\n  catalog export | gzip > catalog.ndjson.gz",
    )
    .exitOverride()
    .action(run);
}

async function run({ output }: { output?: string }): Promise<void> {
  const written = await withDatabase((database) =>
    readCatalog(
      database,
      async (head, offers) => {
        const lines = writeNative(headerOf(head), head.providers.map(toSource), parsed(offers));
        await (output === undefined ? print(lines) : save(lines, output));
        return head;
      },
      true,
    ),
  );
  if (written === undefined) {
    throw new CommandFailure("the catalog is empty; there is nothing to export.");
  }
}

async function print(lines: AsyncIterable<string>): Promise<void> {
  await pipeline(lines, process.stdout, { end: false });
}

async function save(lines: AsyncIterable<string>, file: string): Promise<void> {
  const unfinished = `${file}.unfinished`;
  try {
    await pipeline(lines, createWriteStream(unfinished));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw new CommandFailure(`cannot write ${file}: ${reasonOf(error)}.`);
  }
}

/** Each provider says the date of its own figures; the header the newest of them, else that of the revision. */
function headerOf({ revision, providers, offerCount }: CatalogHead): NativeHeader {
  const dates = providers.flatMap(({ asOf }) => (asOf === null ? [] : [asOf])).sort();
  const asOf = dates.at(-1) ?? revision.createdAt;
  return { asOf, note: `Export of catalog revision ${revision.revision}.`, offerCount };
}

function toSource({ name, type, asOf, images }: StoredProvider): SourceProvider {
  return {
    name,
    // The column holds what an import checked.
    type: type as ProviderType,
    asOf,
    images: images.map(({ image, instanceTypes }) =>
      instanceTypes.length === 0 ? image : { ...image, instanceTypes },
    ),
  };
}

async function* parsed(offers: AsyncIterable<StoredOffer>): AsyncGenerator<Offer> {
  for await (const { body } of offers) {
    yield JSON.parse(body) as Offer;
  }
}
