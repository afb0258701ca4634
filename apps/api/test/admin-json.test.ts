import { join } from "node:path";
import type { Command } from "commander";
import { beforeAll, describe, expect, test } from "vitest";
import { admin, databaseUrlOf } from "@gpu-offers/testkit/admin";
import { makeAccount, makeKey } from "@gpu-offers/testkit/accounts";
import { nativeFile, nativeImage, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";
import { findUsage } from "../src/admin/command-usage.js";
import { createProgram } from "../src/admin/program.js";

// Every command with --json is run here, and its output parsed with the schema that the command states.

const program = createProgram("0.0.0");

function leaves(command: Command, path: readonly string[] = []): { name: string; command: Command }[] {
  return command.commands.length === 0
    ? [{ name: path.join(" "), command }]
    : command.commands.flatMap((child) => leaves(child, [...path, child.name()]));
}

const withJson = leaves(program).filter(({ command }) => findUsage(command)?.json !== undefined);

describe("--json", () => {
  let database: string;
  let account: string;
  let keyId: string;

  beforeAll(async () => {
    database = tempDatabase();
    const images = [nativeImage("ubuntu", { isDefault: true })];
    await admin(database, "catalog", "import", nativeFile(nativeRows(3), images), "--format", "native");
    account = (await makeAccount(database)).id;
    keyId = (await makeKey(database, account)).keyId;
    await admin(database, "credit", "add", "--account", account, "--amount", "9", "--reference", "first");
  });

  const entry = (reference: string): string[] => ["--account", account, "--amount", "1", "--reference", reference];
  /** The arguments of each command. One that is missing here fails the test. */
  const argumentsOf: Readonly<Record<string, () => string[]>> = {
    "catalog import": () => [nativeFile(nativeRows(4)), "--format", "native"],
    "catalog status": () => [],
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
    "database copy": () => [
      "--from",
      databaseUrlOf(database),
      "--to",
      databaseUrlOf(join(tempFolder(), "copy.sqlite")),
    ],
  };

  test.for(withJson)("of $name is what its schema says, in snake_case", async ({ name, command }) => {
    const ended = await admin(database, ...name.split(" "), ...(argumentsOf[name] ?? missing(name))(), "--json");
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const printed: unknown = JSON.parse(ended.stdout);
    expect(findUsage(command)?.json?.parse(printed)).toEqual(printed);
    expect(keysOf(printed).filter((key) => !/^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(key))).toEqual([]);
  });

  test("is offered by every command but those that print a catalog or a script", () => {
    const without = leaves(program).filter(({ command }) => findUsage(command)?.json === undefined);
    expect(without.map(({ name }) => name)).toEqual(["catalog export", "completion"]);
  });
});

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
