import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { Freshness } from "@gpu-offers/store/freshness";
import { readSourceFacts } from "@gpu-offers/store/source-facts";
import { LiveSettingsFile } from "@gpu-offers/fetch/live-settings";
import { saveSource } from "@gpu-offers/store/live.store";
import { keepQuarantine } from "@gpu-offers/store/quarantine.store";
import { testSource } from "@gpu-offers/testkit/live-source";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { withDatabase } from "@gpu-offers/store/test/databases";
import { LiveMetrics } from "./live-metrics.js";

test("a source counts as stale without a successful run, and as quarantined while a run waits for an operator", async () => {
  const north = testSource("north");
  const south = testSource("south");
  const settings = new LiveSettingsFile([north, south]);
  const nowMs = Date.UTC(2026, 10, 1);
  const facts = await withDatabase(tempDatabase(), async (database) => {
    await saveSource(database, north, settings.of(north), true);
    await saveSource(database, south, settings.of(south), true);
    await database
      .updateTable("live_source")
      .set({ checked_at: new Date(nowMs).toISOString() })
      .where("name", "=", "north")
      .execute();
    await keepQuarantine(database, {
      source: "north",
      at: new Date(nowMs).toISOString(),
      offers: 1,
      report: [],
      content: "",
    });
    return readSourceFacts(database);
  });
  const metricsAt = (ms: number): Promise<string> => {
    const registry = new Registry();
    const metrics = new LiveMetrics(registry, { freshness: new Freshness(facts, ms), snapshot: undefined });
    metrics.see({ kind: "sync", isWorking: true });
    return registry.metrics();
  };
  const now = await metricsAt(nowMs);
  expect(now).toContain('gpu_offers_source_stale{source="north"} 0');
  expect(now).toContain('gpu_offers_source_stale{source="south"} 1');
  expect(now).toContain('gpu_offers_source_quarantined{source="north"} 1');
  expect(now).toContain('gpu_offers_source_quarantined{source="south"} 0');
  const later = nowMs + settings.of(north).staleAfterSeconds * 1_000 + 1_000;
  expect(await metricsAt(later)).toContain('gpu_offers_source_stale{source="north"} 1');
});
