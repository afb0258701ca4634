import { renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeAccount } from "@gpu-offers/testkit/accounts";
import { admin, adminDone } from "@gpu-offers/testkit/admin";
import { databases } from "@gpu-offers/testkit/databases";
import { startScript } from "@gpu-offers/testkit/running-process";
import { awaitOutput, startService } from "@gpu-offers/testkit/service";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";

// Backups as described in docs/operations/backup.md, taken while others write.

interface Entry {
  reference: string;
  amount: string;
}

const historyOf = async (database: string, account: string): Promise<Entry[]> =>
  (
    JSON.parse((await adminDone(database, "credit", "history", "--account", account, "--json")).stdout) as {
      entries: Entry[];
    }
  ).entries;

/** Writes entries to an account continuously while a backup is made; returns what was written before and after. */
async function whileWriting(
  database: string,
  backup: () => Promise<void>,
): Promise<{ account: string; before: Entry[]; after: Entry[] }> {
  const { id: account } = await makeAccount(database);
  const writer = startScript(new URL("./ledger-writer.ts", import.meta.url), [database, account, "7", "1000000"]);
  const isWritten = (lines: number) => (): true | undefined =>
    writer.stdout().split("\n").length > lines ? true : undefined;
  await awaitOutput(writer, isWritten(50));
  const before = await historyOf(database, account);
  await backup();
  await awaitOutput(writer, isWritten(writer.stdout().split("\n").length + 20));
  writer.child.kill("SIGKILL");
  await writer.ended;
  return { account, before, after: await historyOf(database, account) };
}

/** Checks that a restored database is complete, matches a past state, and can be served. */
async function expectRestored(
  database: string,
  { account, before, after }: { account: string; before: Entry[]; after: Entry[] },
): Promise<void> {
  expect(await admin(database, "verify")).toMatchObject({ code: 0, stderr: "" });
  const restored = await historyOf(database, account);
  expect(restored.length).toBeGreaterThanOrEqual(before.length);
  expect(restored.length).toBeLessThan(after.length);
  expect(restored).toEqual(after.slice(0, restored.length));
  const service = await startService({ databasePath: database });
  expect(jsonOf(await fetchFrom(service, "/health/ready"))).toMatchObject({ status: "ready", offers: 375 });
  await service.stop();
}

/** A database that a service has filled. */
async function createFilled(create: () => Promise<string>): Promise<string> {
  const database = await create();
  await (await startService({ databasePath: database })).stop();
  return database;
}

describe.each(databases)("a backup of $kind made with database copy during writes", ({ create }) => {
  test("is one file, and restores to a whole database", { timeout: 120_000 }, async () => {
    const database = await createFilled(create);
    const file = join(tempFolder(), "backup.sqlite");
    const written = await whileWriting(database, async () => {
      await adminDone(database, "database", "copy", "--from", database, "--to", `sqlite:${file}`);
    });
    // Moved elsewhere as a single file.
    const moved = join(tempFolder(), "moved.sqlite");
    renameSync(file, moved);
    const restored = await create();
    await adminDone(restored, "database", "copy", "--from", `sqlite:${moved}`, "--to", restored);
    await expectRestored(restored, written);
    await expectRestored(`sqlite:${moved}`, written);
  });
});
