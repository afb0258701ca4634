import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";

const RULES = fileURLToPath(new URL("../../../deploy/alerts.rules.yaml", import.meta.url));
const OBSERVABILITY = fileURLToPath(new URL("../../../docs/observability.md", import.meta.url));

const RUNBOOKS = fileURLToPath(new URL("../../../docs/operations/runbooks.md", import.meta.url));

/** Alert managers show the link, so it must work anywhere. */
const REPOSITORY = "https://github.com/gpu-offers/gpu-offers/blob/main/";

const DASHBOARD = fileURLToPath(new URL("../../../deploy/grafana-dashboard.json", import.meta.url));

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

test("each alert links to its section of the runbooks", () => {
  const headings = [...readFileSync(RUNBOOKS, "utf8").matchAll(/^## (GpuOffers\w+)$/gm)].map(([, name]) => name);
  const rules = readFileSync(RULES, "utf8").matchAll(/- alert: (\w+)$[^]*?runbook_url: (\S+)$/gm);
  expect([...rules].map(([, name, runbook]) => [name, runbook])).toEqual(
    headings.map((name = "") => [name, `${REPOSITORY}docs/operations/runbooks.md#${name.toLowerCase()}`]),
  );
});

test.skipIf(!hasPromtool)(`promtool accepts the rules${hasPromtool ? "" : " (SKIPPED: no promtool here)"}`, () => {
  const { status, stdout, stderr } = spawnSync("promtool", ["check", "rules", RULES], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("16 rules found");
});

interface Panel {
  id: number;
  title: string;
  type: string;
  targets?: { expr: string }[];
}

test("the Grafana dashboard shows only existing metrics, and all metrics with alerts", () => {
  const { panels } = JSON.parse(readFileSync(DASHBOARD, "utf8")) as { panels: Panel[] };
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const metricsIn = (text: string): string[] => [
    ...new Set(
      [...text.matchAll(/\b(?:gpu_offers|nodejs|process)_\w+/g)].map(([name]) => name.replace(/_bucket$/, "")),
    ),
  ];
  const shown = metricsIn(expressions.join("\n"));
  const documented = metricsIn(readFileSync(OBSERVABILITY, "utf8"));
  const fromNode = new Set([
    "process_resident_memory_bytes",
    "process_cpu_seconds_total",
    "nodejs_eventloop_lag_p99_seconds",
  ]);
  expect(shown.filter((name) => !documented.includes(name) && !fromNode.has(name))).toEqual([]);
  const alerting = metricsIn([...readFileSync(RULES, "utf8").matchAll(/^ {8}expr: (.+)$/gm)].join("\n"));
  expect(alerting.filter((name) => !shown.includes(name))).toEqual([]);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

test.skipIf(!hasPromtool)(
  `Prometheus can parse each expression of the dashboard${hasPromtool ? "" : " (SKIPPED: no promtool here)"}`,
  () => {
    const { panels } = JSON.parse(readFileSync(DASHBOARD, "utf8")) as { panels: Panel[] };
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr.replaceAll("$job", ".*")));
    const rules = expressions.map(
      (expr, index) => `      - record: "r:${index}"\n        expr: ${JSON.stringify(expr)}`,
    );
    const file = join(tempFolder(), "rules.yaml");
    writeFileSync(file, `groups:\n  - name: dashboard\n    rules:\n${rules.join("\n")}\n`);
    const { stdout, stderr } = spawnSync("promtool", ["check", "rules", file], { encoding: "utf8" });
    expect([stderr, stdout]).toEqual(["", expect.stringContaining(`${expressions.length} rules found`)]);
  },
);
