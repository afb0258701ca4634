import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { RULE_NAMES } from "@gpu-offers/store/operation-findings";
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
  expect(stdout).toContain("22 rules found");
});

test.skipIf(!hasPromtool)(
  `each alert about a finding fires while doctor has it, and ends with it${hasPromtool ? "" : " (SKIPPED: no promtool here)"}`,
  () => {
    const alerts = [...readFileSync(RULES, "utf8").matchAll(/- alert: (\w+)\n +expr: .*finding\{rule="(\w+)"\}.*$/gm)];
    expect(alerts.length).toBeGreaterThan(6);
    const tests = alerts.map(([, alert, rule = ""]) => {
      expect(RULE_NAMES).toContain(rule);
      const subject = rule.startsWith("source_") ? "vast" : "";
      const { severity, ...annotations } = labelsOf(alert ?? "");
      const summary = annotations.summary.replace("{{ $labels.subject }}", subject);
      const fired = {
        exp_labels: { severity, ...(subject === "" ? {} : { subject }) },
        exp_annotations: { ...annotations, summary },
      };
      const seen = (eval_time: string, isFiring: boolean) => ({
        alertname: alert,
        eval_time,
        exp_alerts: isFiring ? [fired] : [],
      });
      return {
        interval: "1m",
        // Two instances report the same finding, from minute 5 to minute 120.
        input_series: ["a", "b"].map((instance) => ({
          series: `gpu_offers_finding{rule="${rule}",subject="${subject}",instance="${instance}"}`,
          values: "_x5 1x115 stale",
        })),
        alert_rule_test: [seen("4m", false), seen("5m", false), seen("110m", true), seen("130m", false)],
      };
    });
    const { severity, ...annotations } = labelsOf("GpuOffersLogDropped");
    const lost = (eval_time: string, exp_alerts: object[]) => ({
      alertname: "GpuOffersLogDropped",
      eval_time,
      exp_alerts,
    });
    const dropped = {
      interval: "1m",
      input_series: [{ series: "gpu_offers_log_lines_dropped_total", values: "0x10 5x50" }],
      alert_rule_test: [
        lost("10m", []),
        lost("15m", [{ exp_labels: { severity }, exp_annotations: annotations }]),
        lost("40m", []),
      ],
    };
    const file = join(tempFolder(), "test.yaml");
    writeFileSync(file, stringify({ rule_files: [RULES], tests: [...tests, dropped] }));
    const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining("SUCCESS")]);
  },
);

interface Rules {
  groups: {
    rules: { alert: string; labels: { severity: string }; annotations: Record<"summary" | "runbook_url", string> }[];
  }[];
}

function labelsOf(alert: string) {
  const { groups } = parse(readFileSync(RULES, "utf8")) as Rules;
  const found = groups.flatMap(({ rules }) => rules).find((rule) => rule.alert === alert);
  return { severity: found?.labels.severity, ...(found?.annotations ?? { summary: "", runbook_url: "" }) };
}

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
