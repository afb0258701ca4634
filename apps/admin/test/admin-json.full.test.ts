import { UNKNOWN_LISTING_FACTS } from "@gpu-offers/domain";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { admin, databaseUrlOf, startAdmin } from "@gpu-offers/testkit/admin";
import { liveSettings, startLinode } from "@gpu-offers/testkit/linode-server";
import { makeAccount } from "@gpu-offers/testkit/accounts";
import { nativeFile, nativeImage, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";
import { testOffer } from "@gpu-offers/testkit/live-source";
import { keepQuarantine } from "@gpu-offers/store/quarantine";
import { openDatabase } from "@gpu-offers/store/database";
import { leafCommands } from "./leaf-commands.ts";

// Runs every command with --json and parses its output with the command's schema.

const withJson = (await leafCommands()).filter(({ command }) => command.output !== undefined);

describe("--json", () => {
  let database: string;
  let account: string;
  let keyId: string;
  /** Settings that point live sources to a test server. */
  let settings: Record<string, string>;

  beforeAll(async () => {
    database = tempDatabase();
    const images = [nativeImage("ubuntu", { isDefault: true })];
    await admin(database, "catalog", "import", nativeFile(nativeRows(3), images), "--format", "native");
    await Promise.all([makeCaller(), makeSources()]);
  }, 120_000);

  async function makeCaller(): Promise<void> {
    ({ id: account, keyId } = await makeAccount(database));
    await admin(database, "credit", "add", "--account", account, "--amount", "9", "--reference", "first");
  }

  async function makeSources(): Promise<void> {
    settings = liveSettings(await startLinode(), ["linode", "vultr"]);
    await startAdmin(database, ["source", "enable", "linode", "vultr", "--no-sync"], { settings }).ended;
    await keepForAcceptance(database);
  }

  const entry = (reference: string): string[] => ["--account", account, "--amount", "1", "--reference", reference];
  /** The arguments of each command. A missing command fails the test. */
  const argumentsOf: Readonly<Record<string, () => string[]>> = {
    "catalog import": () => [nativeFile(nativeRows(4)), "--format", "native"],
    "catalog status": () => [],
    "catalog disks": () => [],
    "catalog check": () => [],
    "source list": () => [],
    "source enable": () => ["linode", "--no-sync"],
    "source sync": () => ["linode"],
    "source status": () => [],
    "source show": () => ["linode"],
    "source accept": () => ["vultr"],
    "source disable": () => ["ovhcloud"],
    "source test": () => ["linode"],
    "source record": () => ["linode", "--output", tempFolder()],
    "catalog remove": () => ["--provider", "fjord", "--dry-run"],
    "account create": () => ["--email", "json@example.com", "--name", "JSON"],
    "account list": () => [],
    "account show": () => [account],
    "account disable": () => [account],
    "account enable": () => [account],
    "key create": () => ["--account", account],
    "key list": () => [],
    "key revoke": () => [keyId],
    "credit add": () => entry("json-1"),
    "credit debit": () => entry("json-2"),
    "credit history": () => ["--account", account, "--limit", "1"],
    verify: () => [],
    backup: () => ["--to", tempFolder()],
    doctor: () => ["--no-service"],
    "database copy": () => [
      "--from",
      databaseUrlOf(database),
      "--to",
      databaseUrlOf(join(tempFolder(), "copy.sqlite")),
    ],
  };

  test.for(withJson)("of $name matches its schema, in snake_case", async ({ name, command }) => {
    const args = [...name.split(" "), ...(argumentsOf[name] ?? missing(name))(), "--json"];
    const ended = await startAdmin(database, args, { settings }).ended;
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const printed: unknown = JSON.parse(ended.stdout);
    expect(command.output?.parse(printed)).toEqual(printed);
    expect(keysOf(printed).filter((key) => !/^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(key))).toEqual([]);
  });
});

/** Puts changes of vultr into quarantine. */
async function keepForAcceptance(path: string): Promise<void> {
  const database = await openDatabase(databaseUrlOf(path));
  const content = [
    { answeredScopes: [], failedScopes: [] },
    { kind: "provider", where: "1", provider: { name: "vultr", type: "vm", images: [] } },
    { kind: "offer", listing: UNKNOWN_LISTING_FACTS, where: "2", offer: testOffer("vultr", { id: "a", price: 2 }) },
  ];
  await keepQuarantine(database, {
    source: "vultr",
    at: "2026-11-22T00:00:00.000Z",
    offers: 1,
    report: [],
    content: content.map((line) => JSON.stringify(line)).join("\n"),
  });
  await database.destroy();
}

function missing(name: string): never {
  throw new Error(`Add the arguments of ${name} to this test.`);
}

function keysOf(value: unknown): string[] {
  if (value === null || typeof value !== "object") {
    return [];
  }
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return own.concat(Object.values(value).flatMap((inner) => keysOf(inner)));
}
