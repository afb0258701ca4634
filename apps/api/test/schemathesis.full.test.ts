import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { makeAccount } from "@gpu-offers/testkit/accounts";
import { findPythonProgram } from "@gpu-offers/testkit/python-program";
import { startCommand } from "@gpu-offers/testkit/running-process";
import { startService } from "@gpu-offers/testkit/service";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";

// Requests that Schemathesis makes from the published OpenAPI document, valid and invalid ones, to a real service: no error of
// the server, no response outside its schema, and nothing rejected that the schemas allow.

const SCHEMATHESIS = "schemathesis==4.32.5";

/** What a schema can't say: reasons of rejections, and paths that are accepted though their schema doesn't allow them. */
const EXCEPTED: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["across fields: a minimum above a maximum", /^must not be above max_\w+: no offer could match/],
  ["across fields: a step too short for the time", /^must be longer: the series would have \d+ points/],
  ["across fields: words that are doubtful, and strict", /^is doubtful: /],
  ["names that the catalog doesn't have", / is unknown; (?:known are|no provider|GET |use |did you mean)/],
  ["amounts have up to 6 decimals, numbers of JSON any", /^must be an amount in USD, .* with at most 6 decimals/],
  ["bandwidths have up to 6 decimals, numbers of JSON any", /^must be a bandwidth in GB\/s/],
  [
    "fractions of a GB or an hour are accepted, and rounded up",
    /[?&](?:min_(?:total_)?vram|min_ram|disk|hours)=\d*\.\d+/,
  ],
  ["a URL beyond the limit is rejected as such", /^414$/],
];

const responseSchema = z.object({ status_code: z.number(), content: z.object({ $base64: z.string() }).nullish() });
const recorderSchema = z.object({
  label: z.string(),
  checks: z.record(z.string(), z.array(z.looseObject({ name: z.string(), status: z.string() }))).default({}),
  interactions: z
    .record(z.string(), z.object({ request: z.object({ uri: z.string() }), response: responseSchema.nullish() }))
    .default({}),
});
const errorSchema = z.object({ details: z.array(z.object({ name: z.string(), reason: z.string() })) });

interface Failure {
  operation: string;
  check: string;
  request: string;
  status: number | undefined;
  /** The reasons of a rejection; otherwise the path. */
  reasons: readonly string[];
}

/** The failed checks of a run's events. */
function failuresOf(events: string): Failure[] {
  return events
    .trim()
    .split("\n")
    .flatMap((line) => {
      const { ScenarioFinished: finished } = JSON.parse(line) as { ScenarioFinished?: { recorder: unknown } };
      if (finished === undefined) {
        return [];
      }
      const { label, checks, interactions } = recorderSchema.parse(finished.recorder);
      return Object.entries(checks).flatMap(([id, outcomes]) =>
        outcomes
          .filter(({ status }) => status === "failure")
          .map(({ name }): Failure => {
            const { request, response } = interactions[id] ?? {};
            const path = request?.uri.replace(/^https?:\/\/[^/]+/, "") ?? "";
            const body = Buffer.from(response?.content?.$base64 ?? "", "base64").toString();
            const error = response?.status_code === 400 ? errorSchema.safeParse(JSON.parse(body)).data : undefined;
            const reasons =
              response?.status_code === 414 ? ["414"] : (error?.details.map(({ reason }) => reason) ?? [path]);
            return { operation: label, check: name, request: path, status: response?.status_code, reasons };
          }),
      );
    });
}

const isExcepted = ({ check, reasons }: Failure): boolean =>
  (check === "positive_data_acceptance" || check === "negative_data_rejection") &&
  reasons.every((reason) => EXCEPTED.some(([, pattern]) => pattern.test(reason)));

const program = findPythonProgram(SCHEMATHESIS, "schemathesis");

test.skipIf(program === undefined)(
  `Schemathesis finds nothing${program === undefined ? ` (SKIPPED: ${SCHEMATHESIS} could not be installed)` : ""}`,
  { timeout: 600_000 },
  async () => {
    const service = await startService({ settings: { RATE_LIMIT: "off" } });
    const { key } = await makeAccount(service.databasePath);
    const reports = tempFolder();
    const args = [
      ["run", `${service.url}/openapi.json`, "--include-path-regex", "^/api/v[12]/", "--checks", "all"],
      ["--header", `Authorization: Bearer ${key}`, "--exclude-checks", "ignored_auth"],
      ["--seed", "20261126", "--max-examples", "60", "--no-shrink", "--continue-on-failure"],
      ["--generation-database", "none", "--report", "ndjson", "--report-dir", reports, "--no-color"],
    ].flat();
    const { stdout } = await startCommand(program ?? "", args, { HOME: reports }, { cwd: reports }).ended;
    expect(stdout).toMatch(/Tested: 17$/m);
    expect(Number(/(\d+) generated/.exec(stdout)?.[1])).toBeGreaterThan(2000);
    const report = readdirSync(reports).find((name) => name.endsWith(".ndjson")) ?? "";
    const failures = failuresOf(readFileSync(join(reports, report), "utf8"));
    expect(failures.filter((failure) => !isExcepted(failure))).toEqual([]);
  },
);
