import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, unlink } from "node:fs/promises";
import type { Writable } from "node:stream";
import type { Command } from "commander";
import type { Offer } from "@gpu-offers/domain";
import { nativeHeaderLine, nativeOfferLine, nativeProviderLine } from "@gpu-offers/sources";
import { readCatalog } from "../store/catalog.store.js";
import { withDatabase } from "./admin-database.js";
import { CommandFailure } from "./command-failure.js";

/** `catalog export`: writes the whole catalog in the native format. */
export function addCatalogExport(catalog: Command): void {
  catalog
    .command("export")
    .description("write the whole catalog as native NDJSON; importing it again changes nothing")
    .option("--output <file>", "write to a file, which appears when it is complete (default: standard output)")
    .exitOverride()
    .action(run);
}
