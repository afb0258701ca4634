import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { admin, adminDone, startAdmin } from "@gpu-offers/testkit/admin";
import { liveSettings, startLinode } from "@gpu-offers/testkit/linode-server";
import { nativeFile, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";

// What newcomers can see before they have a database, or have enabled a source.

const left = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("gpu-offers-preview-"));

test("an import is previewed without a database, and nothing is created", async () => {
  const database = tempDatabase();
  const before = left();
  const { stdout } = await adminDone(database, "catalog", "import", nativeFile(nativeRows(3)), "--dry-run", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ outcome: "dry_run", added: 3 });
  expect([existsSync(database), left()]).toEqual([false, before]);
});

test("a source is previewed before it is enabled, with the name under which its offers will be listed", async () => {
  const settings = liveSettings(await startLinode(), ["linode"]);
  const preview = async (database: string) => {
    const ended = await startAdmin(database, ["source", "sync", "linode", "--dry-run"], { settings }).ended;
    return [ended.code, ended.stderr];
  };
  const database = tempDatabase();
  expect(await preview(database)).toEqual([
    0,
    expect.stringMatching(
      /^linode: \d+ offers in \d+\.\d s; would add \d+, change 0, remove 0; \d+ images? would change\n$/,
    ),
  ]);
  expect(existsSync(database)).toBe(false);
  const akamai = nativeFile(nativeRows(3, { provider: "akamai" }));
  await adminDone(database, "catalog", "import", akamai, "--format", "native");
  expect(await preview(database)).toEqual([0, expect.stringMatching(/^linode \(listed as akamai\): 4 offers in /)]);
  const { stdout } = await adminDone(database, "source", "status", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ sources: [{ name: "akamai", state: "imported" }] });
});

test("a preview that fails says why once, and doesn't refer to a status that knows nothing of it", async () => {
  const database = tempDatabase();
  const { code, stderr } = await admin(database, "source", "sync", "digitalocean", "--dry-run");
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^digitalocean: failed after \d+\.\d s: Set DIGITALOCEAN_TOKEN \(or DIGITALOCEAN_TOKEN_FILE\)\.\ngpu-offers-admin: not synced: digitalocean\n$/,
    ),
  ]);
  expect(existsSync(database)).toBe(false);
});

test("the list of sources names the variable of a missing key", async () => {
  const { stdout } = await adminDone(tempDatabase(), "source", "list");
  expect(stdout).toMatch(/^lambda +\S+ +no +needs LAMBDA_API_KEY /m);
});
