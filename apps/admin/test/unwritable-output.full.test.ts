import { closeSync, existsSync, openSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { adminDone, databaseUrlOf } from "@gpu-offers/testkit/admin";
import { nativeFile, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { makeAccount } from "@gpu-offers/store/test/accounts";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";

const PROGRAM = fileURLToPath(new URL("../../api/dist/admin/main.js", import.meta.url));

/** A Linux device that rejects all writes, like a full disk. */
const FULL = "/dev/full";

async function intoFull(database: string, ...args: string[]): Promise<{ code: unknown; stderr: string }> {
  const full = openSync(FULL, "w");
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { DATABASE_URL: databaseUrlOf(database), GPU_OFFERS_CALLED_AS: "gpu-offers-admin" },
    stdio: ["ignore", full, "pipe"],
  });
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const [code] = await once(child, "close");
  closeSync(full);
  return { code, stderr };
}

test.each([
  ["closed", ">&-"],
  ["/dev/null", ">/dev/null"],
])("no key is created if standard output is %s", async (_, redirect) => {
  const database = tempDatabase();
  const { id } = await makeAccount(database);
  const before = JSON.parse((await adminDone(database, "key", "list", "--json")).stdout) as unknown[];
  const child = spawn(
    "/bin/sh",
    ["-c", `"$0" "$1" key create --account "$2" ${redirect}`, process.execPath, PROGRAM, id],
    {
      env: { DATABASE_URL: databaseUrlOf(database), GPU_OFFERS_CALLED_AS: "gpu-offers-admin" },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const [code] = await once(child, "close");
  expect([code, stderr]).toEqual([
    1,
    "gpu-offers-admin: standard output is closed or /dev/null, so the key would be lost. Nothing was changed.\n",
  ]);
  expect(JSON.parse((await adminDone(database, "key", "list", "--json")).stdout)).toEqual(before);
});

const isHere = existsSync(FULL);

describe.skipIf(!isHere)(`a command that cannot print${isHere ? "" : ` (SKIPPED: no ${FULL} here)`}`, () => {
  let database: string;
  let account: string;
  const json = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await adminDone(database, ...args, "--json")).stdout);

  beforeAll(async () => {
    database = tempDatabase();
    account = (await makeAccount(database)).id;
    await storeCatalog(database, nativeRows(2));
  });

  test("reports the added credit, and exits with 3", async () => {
    const entry = ["--account", account, "--amount", "5", "--reference", "unseen"];
    expect(await intoFull(database, "credit", "add", ...entry)).toEqual({
      code: 3,
      stderr:
        "gpu-offers-admin: cannot write the output: ENOSPC: no space left on device, write. Added 5.0000 USD (unseen). The balance is 5.0000 USD.\n",
    });
    expect(await json("account", "show", account)).toMatchObject({ balance: "5.0000" });
  });

  test.each([[[]], [["--json"]]])("revokes a key that could not be printed %j", async (options) => {
    const { code, stderr } = await intoFull(database, "key", "create", "--account", account, ...options);
    const [, id = ""] = /Key (\S+) could not be printed, so it was revoked\.\n$/.exec(stderr) ?? [];
    expect([code, stderr]).toEqual([3, expect.not.stringContaining("gpo_")]);
    const keys = (await json("key", "list")) as { id: string; revoked_at: string | null }[];
    expect(keys.find((key) => key.id === id)?.revoked_at).toEqual(expect.any(String));
  });

  test("reports an imported catalog, a removed provider, a changed account", async () => {
    const cases: [args: string[], done: RegExp][] = [
      [["catalog", "import", nativeFile(nativeRows(3)), "--format", "native"], /the catalog is now revision 2\.\n$/],
      [["catalog", "remove", "--provider", "fjord"], /Removed fjord with 3 offers\. .* revision 3\.\n$/],
      [["account", "create", "--email", "new@example.com", "--name", "New"], /Created account \S+ for new@/],
      [["account", "disable", account], /Disabled account /],
      [["account", "enable", account], /Enabled account /],
    ];
    for (const [args, done] of cases) {
      expect(await intoFull(database, ...args)).toEqual({ code: 3, stderr: expect.stringMatching(done) as string });
    }
  });

  test("exits with 1 if it changes nothing", async () => {
    const failure = {
      code: 1,
      stderr: "gpu-offers-admin: cannot write the output: ENOSPC: no space left on device, write.\n",
    };
    for (const args of [
      ["account", "list"],
      ["catalog", "status", "--json"],
      ["catalog", "export"],
      ["verify"],
      ["completion", "bash"],
      ["--help"],
      ["catalog", "remove", "--provider", "fjord", "--dry-run"],
    ]) {
      await storeCatalog(database, nativeRows(3));
      expect([args, await intoFull(database, ...args)]).toEqual([args, failure]);
    }
  });
});
