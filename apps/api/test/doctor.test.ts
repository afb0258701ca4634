import { expect, test } from "vitest";
import { admin, adminDone } from "@gpu-offers/testkit/admin";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { testSource } from "@gpu-offers/testkit/live-source";
import { nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";
import { LiveSettingsFile } from "@gpu-offers/fetch/live-settings";
import { recordRun, saveSource } from "@gpu-offers/store/live.store";
import { makeAccount } from "@gpu-offers/store/test/accounts";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";
import { withDatabase } from "@gpu-offers/store/test/databases";

// `gpu-offers-admin doctor` beside a service, whose metrics have the same findings.

interface Report {
  findings: { rule: string; subject: string }[];
  memory: { used_bytes: number; limit_bytes: number } | null;
  sources: object[];
}

async function ask(service: Service) {
  const { code, stdout, stderr } = await admin(service.databasePath, "doctor", "--service", service.url, "--json");
  const report = JSON.parse(stdout) as Report;
  const { text } = await fetchFrom(service, "/metrics");
  const measured = [...text.matchAll(/^gpu_offers_finding\{rule="(.*)",subject="(.*)"\} 1$/gm)].map(
    ([, rule, subject]) => [rule, subject],
  );
  expect(measured).toEqual(report.findings.map(({ rule, subject }) => [rule, subject]));
  return { code, stderr, text, report };
}

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

test("a healthy installation needs no person", async () => {
  const path = tempDatabase();
  await storeCatalog(path, nativeRows(5));
  await adminDone(path, "backup", "--to", tempFolder());
  const { code, stderr, report } = await ask(
    await startService({ databasePath: path, settings: { LIVE_SYNC: "off" } }),
  );
  expect([code, stderr, report.findings]).toEqual([0, "", []]);
  expect(report.memory?.used_bytes).toBeGreaterThan(5e7);
  expect(report.memory?.limit_bytes).toBeGreaterThan(report.memory?.used_bytes ?? Infinity);
  expect((await admin(path, "doctor", "--no-service")).stdout).toMatch(
    /\nBackup +\S+, verified, .*\n\nNothing needs you.\n$/s,
  );
});

test("a sick one ends with status 1, and says what to do", async () => {
  const path = tempDatabase();
  await storeCatalog(path, nativeRows(5));
  const { keyId } = await makeAccount(path);
  const [north, south] = [testSource("north"), testSource("south")];
  const settings = new LiveSettingsFile([north, south]);
  await withDatabase(path, async (database) => {
    await database
      .updateTable("catalog_revision")
      .set({ created_at: hoursAgo(60) })
      .execute();
    await database
      .updateTable("api_key")
      .set({ expires_at: hoursAgo(-9), last_used_at: hoursAgo(1) })
      .where("id", "=", keyId)
      .execute();
    for (const [source, outcomes] of [
      [north, ["applied", "failed", "failed", "failed"]],
      [south, ["applied", "unchanged", "unchanged", "unchanged"]],
    ] as const) {
      await saveSource(database, source, settings.of(source), true);
      for (const [index, outcome] of outcomes.entries()) {
        const at = hoursAgo(25 - index * 8);
        await recordRun(database, "", {
          name: source.name,
          outcome,
          last_run_at: at,
          next_run_at: hoursAgo(-1),
          isStopped: false,
          ...(outcome === "failed"
            ? { error_code: "timeout", error_message: "It timed out.", error_at: at }
            : { error_code: null, error_message: null, error_at: null, checked_at: at }),
        });
      }
    }
  });
  const service = await startService({ databasePath: path, settings: { LIVE_SYNC: "off" } });
  const { code, stderr, report, text } = await ask(service);
  expect([code, stderr]).toEqual([1, "gpu-offers-admin: 4 problems.\n"]);
  expect(report.findings.map(({ rule, subject }) => [rule, subject])).toEqual([
    ["backup", ""],
    ["keys", ""],
    ["source_failing", "north"],
    ["source_sells_nothing", "south"],
  ]);
  expect(report.sources).toMatchObject([
    { name: "north", state: "failing", runs: 3, good_runs: 0, failing_since: expect.any(String), rentable: 0 },
    { name: "south", state: "fresh", runs: 3, good_runs: 3, failing_since: null, rentable: 0 },
  ]);
  expect(text).toContain('gpu_offers_source_good_run_ratio{source="north"} 0\n');
  expect(text).toContain('gpu_offers_source_good_run_ratio{source="south"} 1\n');
  await service.stop();
  const alone = await admin(path, "doctor", "--service", service.url);
  expect([alone.code, alone.stdout]).toEqual([
    1,
    expect.stringMatching(/service: The service at .* could not be checked: .+\n +Start it/),
  ]);
});
