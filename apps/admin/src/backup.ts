import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createGunzip, createGzip } from "node:zlib";
import { formatAmount, reasonOf } from "@gpu-offers/domain";
import * as z from "zod";
import { ConfigError } from "@gpu-offers/fetch/config-error";
import { readSharedSettings } from "@gpu-offers/sync/settings";
import { recordBackup } from "@gpu-offers/store/operation-facts";
import { databaseBytes, type Database } from "@gpu-offers/store/database";
import { copyDatabase, DatabaseCopyError, tableDigestSchema, type CopyReport } from "@gpu-offers/store/database-copy";
import { NoDatabaseError } from "@gpu-offers/store/database-error";
import { nameOf } from "@gpu-offers/store/database-url";
import { formatBytes } from "@gpu-offers/store/operation-findings";
import { verifyDatabase } from "@gpu-offers/store/verification";
import { configuredUrl, withDatabase, withDecompressed, withUrl } from "./admin-database.js";
import { CommandFailure, type AdminCommand } from "./command.js";
import { counted, formatTable } from "./table.js";

// Copies of the database: backups, and an installation in another database.

const backupJson = z.strictObject({
  file: z.string(),
  bytes: z.int().describe("size of the compressed file"),
  database_bytes: z.int(),
  elsewhere: z.string().nullable().describe("value of BACKUP_ELSEWHERE"),
  deleted: z.array(z.string()).describe("older backups"),
});

/** Start of the names of what isn't complete. */
const UNFINISHED = "unfinished-";

/** `backup`: makes a verified, compressed backup, and deletes old ones. */
export function addBackup(program: AdminCommand): void {
  program
    .command("backup")
    .description("Back up the database to a verified, compressed file")
    .option("--to <folder>", "folder of the backups", "backups")
    .notes(
      `Works while services are running. Keeps the last backup of each of 7 days and 4 weeks
in the folder, and deletes older ones. BACKUP_ELSEWHERE also puts each backup into
another folder, or runs a command with it.

Restore a backup: gpu-offers-admin database copy --from sqlite:FILE --to env:DATABASE_URL`,
    )
    .examples(
      "gpu-offers-admin backup --to /var/lib/gpu-offers/backups",
      "BACKUP_ELSEWHERE=/mnt/nas gpu-offers-admin backup",
      `BACKUP_ELSEWHERE='rclone copy "$1" remote:gpu-offers' gpu-offers-admin backup`,
    )
    .prints(backupJson, backUp);
}

async function backUp({ to }: { to: string }) {
  // A backup has email addresses and hashes of keys.
  process.umask(0o077);
  const elsewhere = readSharedSettings(process.env).BACKUP_ELSEWHERE;
  const folder = resolve(to);
  await mkdir(folder, { recursive: true });
  const at = new Date().toISOString();
  const file = join(folder, `${at.replace(/\.\d+/, "").replaceAll(":", "")}.sqlite.gz`);
  await create(file);
  if (elsewhere !== undefined) {
    await putElsewhere(file, elsewhere);
  }
  const { size: bytes } = await stat(file);
  const database_bytes = await withDatabase(async (database) => {
    const size = await databaseBytes(database);
    await recordBackup(database, { at, bytes, database_bytes: size, place: file });
    return size;
  });
  const deleted = await rotate(folder);
  const where = `${file} (${formatBytes(bytes)})${elsewhere === undefined ? "" : " and elsewhere"}`;
  return {
    json: { file, bytes, database_bytes, elsewhere: elsewhere ?? null, deleted },
    done:
      `Backed up ${formatBytes(database_bytes)} to ${where}, verified.` +
      (deleted.length === 0 ? "" : ` Deleted ${counted(deleted.length, "older backup")}.`),
  };
}

/** Makes a backup, whose file gets its name once it is complete and verified. */
async function create(file: string): Promise<void> {
  const work = await mkdtemp(join(file, "..", UNFINISHED));
  try {
    const plain = join(work, "backup.sqlite");
    await copy(configuredUrl(), `sqlite:${plain}`);
    await withUrl(`sqlite:${plain}`, assertSound, { isReader: true });
    await pipeline(createReadStream(plain), createGzip(), createWriteStream(`${plain}.gz`, { flush: true }));
    if ((await hashOf(plain)) !== (await hashOf(`${plain}.gz`, true))) {
      throw new CommandFailure(`the compressed copy differs from the database. Check the disk of ${file}.`);
    }
    await rename(`${plain}.gz`, file);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function assertSound(database: Database): Promise<void> {
  const failed = (await verifyDatabase(database)).filter(({ problems }) => problems > 0);
  if (failed.length > 0) {
    throw new CommandFailure(
      `the database has problems in ${failed.map(({ check }) => check).join(", ")}: ${failed[0]?.first[0] ?? ""}. It was not backed up, and older backups were kept.`,
    );
  }
}

/** SHA-256 of a file, or of what is compressed in it. */
async function hashOf(path: string, isCompressed = false): Promise<string> {
  const hash = createHash("sha256");
  const bytes = createReadStream(path);
  await (isCompressed ? pipeline(bytes, createGunzip(), hash) : pipeline(bytes, hash));
  return hash.digest("hex");
}

/** Deletes backups that are too old, and what killed runs left a day ago or earlier. Returns the names of the former. */
async function rotate(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  const outdated = listOutdated(names);
  for (const name of names.filter((one) => one.startsWith(UNFINISHED) || outdated.includes(one))) {
    const path = join(folder, name);
    if (outdated.includes(name) || Date.now() - (await stat(path)).mtimeMs > 86_400_000) {
      await rm(path, { recursive: true, force: true });
    }
  }
  return outdated;
}

/** @throws CommandFailure if the backup isn't elsewhere. It stays in its own folder. */
async function putElsewhere(file: string, elsewhere: string): Promise<void> {
  try {
    await (elsewhere.includes("$1")
      ? promisify(execFile)("/bin/sh", ["-c", elsewhere, "sh", file])
      : copyTo(resolve(elsewhere), file));
  } catch (error) {
    throw new CommandFailure(
      `the backup is in ${file}, but could not be put elsewhere (BACKUP_ELSEWHERE): ${reasonOf(error)}.`,
    );
  }
}

/** The folder must exist: a disk that isn't mounted has none. */
async function copyTo(folder: string, file: string): Promise<void> {
  const unfinished = join(folder, `${UNFINISHED}${basename(file)}`);
  await copyFile(file, unfinished);
  if ((await hashOf(file)) !== (await hashOf(unfinished))) {
    throw new Error(`${unfinished} differs from it`);
  }
  await rename(unfinished, join(folder, basename(file)));
  await rotate(folder);
}

const DAYS = 7;
const WEEKS = 4;

/** Names of backups, such as `2026-11-26T031702Z.sqlite.gz`. */
const NAME = /^(\d{4}-\d\d-\d\d)T\d{6}Z\.sqlite(?:\.gz)?$/;

/**
 * The backups among the names of files that are no longer needed: all but the newest of each of the last days and weeks that
 * have one. Names tell the time, because copies elsewhere may have other dates. Other files are never among them.
 */
export function listOutdated(names: readonly string[]): string[] {
  const backups = names
    .filter((name) => NAME.test(name))
    .sort()
    .toReversed();
  const newest = (periodOf: (name: string) => number, periods: number): string[] =>
    [...Map.groupBy(backups, periodOf).values()].slice(0, periods).flatMap(([first]) => first ?? []);
  const needed = new Set([...newest(dayOf, DAYS), ...newest(weekOf, WEEKS)]);
  return backups.filter((name) => !needed.has(name));
}

/** Days since 1970. */
function dayOf(name: string): number {
  return Date.parse(NAME.exec(name)?.[1] ?? "") / 86_400_000;
}

/** Weeks since 1970, which begin on Mondays: 1970 began on a Thursday. */
function weekOf(name: string): number {
  return Math.floor((dayOf(name) + 3) / 7);
}

const databaseCopyJson = z.strictObject({
  from: z.string(),
  to: z.string(),
  tables: z.array(tableDigestSchema),
  accounts: z.int(),
  balance: z.string().describe("sum of all balances, USD with 4 decimals"),
});

/** `database copy`: copies an installation to another database. */
export function addDatabaseCopy(program: AdminCommand): void {
  program
    .command("database")
    .description("Copy databases")
    .command("copy")
    .description("Copy all data to an empty database and verify it")
    .requiredOption("--from <url>", "source database, in DATABASE_URL format, or env:NAME")
    .requiredOption("--to <url>", "target database, which must be empty, or env:NAME")
    .notes(
      `The copy is a consistent snapshot, even while services are running, so it can serve
as a backup. Before migrating to another database, stop all services: later writes
are not copied. A source that ends with .gz is a compressed backup.

env:NAME is the URL in the environment variable NAME. Other users can see the arguments
of a process, so use it for a URL with a password.`,
    )
    .examples(
      "gpu-offers-admin database copy --from sqlite:./data/gpu-offers.sqlite --to sqlite:./backup.sqlite",
      "gpu-offers-admin database copy --from sqlite:./data/gpu-offers.sqlite --to postgres://offers@db.example.com/offers",
      "gpu-offers-admin database copy --from sqlite:./data/gpu-offers.sqlite --to env:NEW_DATABASE_URL",
    )
    .prints(databaseCopyJson, copyInstallation);
}

async function copyInstallation(options: { from: string; to: string }) {
  const from = checkedUrl("--from", options.from);
  const to = checkedUrl("--to", options.to);
  const names = { from: nameOf(from), to: nameOf(to) };
  if (names.from === names.to) {
    throw new CommandFailure("--from and --to are the same database.", 2);
  }
  const { tables, accounts, balanceE4 } = await copy(from, to);
  const balance = formatAmount(balanceE4);
  const done = `Copied ${names.from} to ${names.to}.`;
  const text = [
    `${done} Both databases are identical:`,
    "",
    formatTable({ TABLE: "table", ROWS: "rows", "SHA-256 OF ALL ROWS": "sha256" }, tables),
    "",
    `The balances of ${counted(accounts, "account")} match; their sum is ${balance} USD.`,
  ].join("\n");
  return { json: { ...names, tables, accounts, balance }, text, done };
}

/** Copies a database to an empty one. @throws CommandFailure why it was not copied. */
async function copy(from: string, to: string): Promise<CopyReport> {
  try {
    return await withDecompressed(from, (plain) =>
      withUrl(plain, (source) => withUrl(to, (target) => copyDatabase(source, target)), {
        isReader: true,
        mustExist: true,
      }),
    );
  } catch (error) {
    if (error instanceof NoDatabaseError) {
      throw new CommandFailure(`no gpu-offers database at ${nameOf(from)}. Check --from.`);
    }
    throw error instanceof DatabaseCopyError ? new CommandFailure(`${error.message} Nothing was copied.`) : error;
  }
}

/** Not parsed by Commander, whose error would print the password. */
function checkedUrl(option: string, given: string): string {
  const [, name] = /^env:(\w+)$/.exec(given) ?? [];
  const text = name === undefined ? given : process.env[name];
  if (text === undefined) {
    throw new CommandFailure(`${option}: the environment variable ${name} is not set.`, 2);
  }
  try {
    // An empty URL would select the default database.
    return readSharedSettings({ DATABASE_URL: text === "" ? "none" : text }).DATABASE_URL;
  } catch (error) {
    if (error instanceof ConfigError) {
      throw new CommandFailure(
        `${option} must be sqlite:<path of the file> or postgres://<user>:<password>@<host>:<port>/<database>, or env:<variable with such a URL>.`,
        2,
      );
    }
    throw error;
  }
}
