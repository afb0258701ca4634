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
  const folder = await mkdtemp(join(tmpdir(), "gpu-offers-backup-"));
  try {
    const plain = join(folder, "backup.sqlite");
    await pipeline(createReadStream(pathOf(url)), createGunzip(), createWriteStream(plain, { mode: 0o600 })).catch(
      (error: unknown) => {
        throw new CommandFailure(`cannot decompress ${pathOf(url)}: ${reasonOf(error)}.`);
      },
    );
    return await work(`sqlite:${plain}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
