import { reasonOf } from "@gpu-offers/domain";
import * as z from "zod";
import { countByProvider } from "@gpu-offers/store/catalog.store";
import { operationFactsSchema, readOperationFacts, type OperationFacts } from "@gpu-offers/store/operation-facts";
import { findingSchema, formatBytes, listFindings } from "@gpu-offers/store/operation-findings";
import { checkResultSchema, verifyDatabase, type CheckResult } from "@gpu-offers/store/verification";
import { configuredUrl, withReader, withReadOnly } from "./admin-database.js";
import type { AdminCommand } from "./command.js";
import { asCalled } from "./invocation.js";
import { counted, formatFields, formatTable } from "./table.js";

const SERVICE_TIMEOUT_MS = 5_000;

const doctorJson = z.strictObject({
  findings: z.array(findingSchema).describe("what needs a person"),
  version: z.string().nullable().describe("of the service; null if it wasn't asked or didn't respond"),
  ...operationFactsSchema.shape,
});

/** `doctor`: reports what needs a person. Read-only. */
export function addDoctor(program: AdminCommand): void {
  program
    .command("doctor")
    .description("Check the installation: backups, disk, memory, sources, keys")
    .option("--service <url>", "address of the service", defaultService())
    .option("--no-service", "don't ask a service for its memory")
    .notes(
      `Exits with status 1 if something needs a person, and says what to do. The service's metrics have
the same findings. Its memory is read from /metrics, by default at HOST and PORT.`,
    )
    .examples("gpu-offers-admin doctor", "gpu-offers-admin doctor --json | jq '.findings[].problem'")
    .prints(doctorJson, examine);
}

/** Where a service with this environment listens. */
function defaultService(): string {
  const { HOST = "", PORT = "" } = process.env;
  const host = ["", "0.0.0.0", "::"].includes(HOST) ? "127.0.0.1" : HOST.includes(":") ? `[${HOST}]` : HOST;
  return `http://${host}:${PORT === "" ? "3000" : PORT}`;
}

async function examine({ service }: { service: string | false }) {
  const asked = service === false ? undefined : await readService(service).catch((error: Error) => error);
  const running = asked instanceof Error ? undefined : asked;
  const facts = await withReader(async (database) =>
    readOperationFacts(database, {
      url: configuredUrl(),
      memory: running?.memory ?? null,
      rentable: new Map((await countByProvider(database)).map(({ name, available }) => [name, available])),
    }),
  );
  const findings = listFindings(facts);
  if (asked instanceof Error) {
    findings.unshift({
      rule: "service",
      subject: "",
      problem: `The service at ${String(service)} could not be checked: ${reasonOf(asked.cause ?? asked)}.`,
      action: "Start it, or name another address with --service. If it has METRICS=off, use --no-service.",
    });
  }
  const json = { findings, version: running?.version ?? null, ...facts };
  const failure = findings.length === 0 ? undefined : `${counted(findings.length, "problem")}.`;
  return { json, text: formatReport(json), failure };
}

/** Version and memory of a running service, from its metrics. @throws Error if it doesn't respond. */
async function readService(url: string): Promise<{ version: string; memory: OperationFacts["memory"] }> {
  const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(SERVICE_TIMEOUT_MS) });
  if (!response.ok) {
    throw new Error(`/metrics returns ${response.status}`);
  }
  const text = await response.text();
  const valueOf = (name: string): number => Number(new RegExp(`^${name} (.+)$`, "m").exec(text)?.[1] ?? 0);
  return {
    version: /^gpu_offers_info\{version="([^"]*)"/m.exec(text)?.[1] ?? "unknown",
    memory: {
      used_bytes: valueOf("process_resident_memory_bytes"),
      limit_bytes: valueOf("gpu_offers_memory_limit_bytes"),
    },
  };
}

function formatReport({ findings, version, ...facts }: z.output<typeof doctorJson>): string {
  const { catalog, bytes_a_day: growth, disk_free_bytes: free, memory, backup } = facts;
  const fields = Object.entries({
    Service: version,
    Memory: memory && `${formatBytes(memory.used_bytes)} of ${formatBytes(memory.limit_bytes)}`,
    Catalog: catalog && `revision ${catalog.revision} of ${catalog.created_at}`,
    Database: `${formatBytes(facts.database_bytes)}, ${growth === null ? "growth unknown" : `${growth < 0 ? "shrinking" : "growing"} by ${formatBytes(Math.abs(growth))} a day`}`,
    "Free disk": free === null ? null : formatBytes(free),
    Backup: backup ? `${backup.at}, verified, ${formatBytes(backup.bytes)}, ${backup.place}` : "none yet",
    "Expiring keys": facts.keys_expire.length,
    Clock: facts.at,
  });
  return [
    formatFields(fields.map(([name, value]) => [name, value ?? "-"])),
    ...(facts.sources.length === 0 ? [] : ["", formatTable(COLUMNS, facts.sources)]),
    "",
    findings.length === 0 ? "Nothing needs you." : `${counted(findings.length, "problem")}:`,
    ...findings.map(
      ({ rule, subject, problem, action }) => `  ${`${rule} ${subject}`.trim()}: ${problem}\n    ${asCalled(action)}`,
    ),
  ].join("\n");
}

const COLUMNS = {
  SOURCE: "name",
  STATE: "state",
  "RUNS, 24 H": "runs",
  GOOD: "good_runs",
  RENTABLE: "rentable",
  "FAILING SINCE": "failing_since",
} as const;

const verifyJson = z.strictObject({ ok: z.boolean(), checks: z.array(checkResultSchema) });

/** `verify`: checks accounts, ledger and catalog against the rules they were written by. Read-only. */
export function addVerify(program: AdminCommand): void {
  program
    .command("verify")
    .description("Check the database, ledger and catalog (read-only)")
    .notes("Exits with status 1 if any check fails.")
    .examples("gpu-offers-admin verify", "gpu-offers-admin verify --json | jq '.checks[] | select(.problems > 0)'")
    .prints(verifyJson, verify);
}

async function verify() {
  const checks = await withReadOnly(verifyDatabase);
  const failed = checks.filter(({ problems }) => problems > 0);
  const problems = failed.reduce((sum, check) => sum + check.problems, 0);
  const names = failed.map(({ check }) => check).join(", ");
  return {
    json: { ok: problems === 0, checks },
    text: checks.map(formatCheck).join("\n"),
    failure: problems === 0 ? undefined : `${counted(problems, "problem")} in ${names}.`,
  };
}

function formatCheck({ check, count, problems, first }: CheckResult): string {
  const found = problems === 0 ? "" : `, ${counted(problems, "problem")}`;
  const lines = [`${problems === 0 ? "ok    " : "FAILED"}  ${check.padEnd(14)}  ${count} checked${found}`];
  lines.push(...first.map((problem) => `          ${problem}`));
  if (problems > first.length) {
    lines.push(`          and ${problems - first.length} more`);
  }
  return lines.join("\n");
}
