import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const RULES = fileURLToPath(new URL("../../../deploy/alerts.rules.yaml", import.meta.url));
const OBSERVABILITY = fileURLToPath(new URL("../../../docs/observability.md", import.meta.url));

const RUNBOOKS = fileURLToPath(new URL("../../../docs/operations/runbooks.md", import.meta.url));

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

test("the alerting rules are those of docs/observability.md", () => {
  const [, table = ""] = /### Alerts[^\n]*\n([^]*?)\n## /.exec(readFileSync(OBSERVABILITY, "utf8")) ?? [];
  const documented = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, expression]) => expression);
  const rules = [...readFileSync(RULES, "utf8").matchAll(/^ {8}expr: (.+)$/gm)].map(([, expression = ""]) =>
    expression.replace(/\{job="gpu-offers"\}/, ""),
  );
  expect(documented.length).toBeGreaterThan(5);
  expect(rules).toEqual(documented);
});

test("each alert names its section of the runbooks", () => {
  const headings = [...readFileSync(RUNBOOKS, "utf8").matchAll(/^## (GpuOffers\w+)$/gm)].map(([, name]) => name);
  const rules = readFileSync(RULES, "utf8").matchAll(/- alert: (\w+)$[^]*?runbook: (\S+)$/gm);
  expect([...rules].map(([, name, runbook]) => [name, runbook])).toEqual(
    headings.map((name = "") => [name, `docs/operations/runbooks.md#${name.toLowerCase()}`]),
  );
});

test.skipIf(!hasPromtool)(`promtool accepts the rules${hasPromtool ? "" : " (SKIPPED: no promtool here)"}`, () => {
  const { status, stdout, stderr } = spawnSync("promtool", ["check", "rules", RULES], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("12 rules found");
});
