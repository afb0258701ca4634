import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { reasonOf } from "@gpu-offers/domain";
import { isSqlite, pathOf } from "@gpu-offers/store/database-url";
import { CommandFailure } from "./command-failure.js";

/**
 * Runs work on a database. One in a compressed file (`sqlite:backup.sqlite.gz`) is first decompressed into the folder for
 * temporary files.
 * @param work gets the URL of the database to open.
 * @throws CommandFailure if the file cannot be decompressed.
 */
export async function withDecompressed<Result>(url: string, work: (url: string) => Promise<Result>): Promise<Result> {
  if (!isSqlite(url) || !url.endsWith(".gz")) {
    return work(url);
  }
  return withTemporary("backup", async (plain) => {
    const file = createWriteStream(pathOf(plain), { mode: 0o600 });
    await pipeline(createReadStream(pathOf(url)), createGunzip(), file).catch((error: unknown) => {
      throw new CommandFailure(`cannot decompress ${pathOf(url)}: ${reasonOf(error)}.`);
    });
    return work(plain);
  });
}

/** Runs work with the URL of an SQLite file that doesn't exist, in a folder that is removed afterwards. */
export async function withTemporary<Result>(purpose: string, work: (url: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), `gpu-offers-${purpose}-`));
  try {
    return await work(`sqlite:${join(folder, `${purpose}.sqlite`)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
