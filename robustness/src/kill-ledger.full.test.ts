import { setTimeout as delay } from "node:timers/promises";
import { formatAmount } from "@gpu-offers/domain";
import { randomNumbers } from "@gpu-offers/testkit/synthetic";
import { openDatabase } from "@gpu-offers/store/database";
import { CreditStore } from "@gpu-offers/store/credit.store";
import { makeAccount } from "@gpu-offers/testkit/accounts";
import { admin, adminDone, startAdmin } from "@gpu-offers/testkit/admin";
import type { PostgresServer } from "@gpu-offers/testkit/postgres-server";
import { startScript, type RunningProcess } from "@gpu-offers/testkit/running-process";
import { awaitOutput } from "@gpu-offers/testkit/service";
import { onBothDatabases, type TestDatabase } from "./both-databases.ts";
import { amountOf } from "./killed-writer-amounts.ts";
import { shown } from "@gpu-offers/testkit/table-row";
import { stressTest, type Run } from "./stress-test.ts";

// Kills ledger writers at random moments; the next one repeats the entry whose outcome is unknown. Some kills hit the
// operator's command line, and on PostgreSQL the server itself.

/** One in this many kills hits the command line, and one the PostgreSQL server. */
const SHARE = 20;

/** Maximum time that a writer may write before it is killed; more beside other tests, where few of its writes get done. */
const MAX_WRITING_MS = { full: 60, short: 300 };

/** Writers started ahead of time, so that a kill need not wait for the next one to start. */
const AHEAD = 2;

/** Initial credit, large enough that no debit is rejected. */
const FIRST_CREDIT_USD = "1000000";

/** The writes that were acknowledged. */
interface Acknowledged {
  acknowledged: Set<string>;
  /** The entry being written when its writer was killed. */
  open: string | undefined;
}

/** Starts a writer ahead of time; it opens the database and waits. */
const startWriter = (url: string): RunningProcess =>
  startScript(new URL("./killed-writer.ts", import.meta.url), [url], { stdin: "open" });

/** Parses what a writer printed before it ended. */
function take(seen: Acknowledged, round: number, stdout: string, report: Run["report"]): void {
  let next = 0;
  for (const line of stdout.split("\n").slice(1, -1)) {
    const [reference = "", outcome = ""] = line.split(" ");
    if (reference === seen.open) {
      if (outcome !== "added" && outcome !== "repeated") {
        report(`${reference} was ${outcome} when it was repeated after a kill`);
      }
      seen.open = undefined;
    } else {
      next++;
      if (outcome !== "added") {
        report(`${reference} was ${outcome} although it was new`);
      }
    }
    seen.acknowledged.add(reference);
  }
  // The next entry may or may not have been written. If the previous one is still open, nothing was written after it.
  seen.open ??= `${round}-${next}`;
}

async function killWriter(
  writer: RunningProcess,
  afterMs: number,
  server: PostgresServer | undefined,
): Promise<string> {
  await delay(afterMs);
  if (server === undefined) {
    writer.child.kill("SIGKILL");
    return (await writer.ended).stdout;
  }
  await server.stop("kill");
  // Without its server, a writer exits by itself.
  const { stdout } = await writer.ended;
  await server.start();
  return stdout;
}

/** Kills the command line midway, then runs it to completion; the entry must exist exactly once. */
async function killCommand(url: string, account: string, reference: string, afterMs: number): Promise<string> {
  const args = ["credit", "add", "--account", account, "--amount", "0.5", "--reference", reference, "--json"];
  const { child, ended } = startAdmin(url, args);
  await delay(afterMs);
  child.kill("SIGKILL");
  await ended;
  const { code, stdout, stderr } = await admin(url, ...args);
  return code === 0 ? (JSON.parse(stdout) as { outcome: string }).outcome : `rejected: ${stderr}`;
}

async function durationMs(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The expected final state of the ledger. */
async function check(
  url: string,
  accountId: string,
  seen: Acknowledged,
  commands: number,
  report: Run["report"],
): Promise<void> {
  const database = await openDatabase(url, { isReader: true });
  const entries = await new CreditStore(database).list(accountId);
  const balanceE4 = await new CreditStore(database).getBalance(accountId);
  await database.destroy();
  const references = new Map<string, number>();
  let sum = 0n;
  for (const { reference, amountE4, note } of entries) {
    references.set(reference, (references.get(reference) ?? 0) + 1);
    sum += amountE4;
    if (note === "killed" && amountE4 !== amountOf(reference)) {
      report(`${reference} has the amount ${formatAmount(amountE4)}`);
    }
    if (note === "killed" && !seen.acknowledged.has(reference) && reference !== seen.open) {
      report(`${reference} exists, but no writer wrote it`);
    }
  }
  for (const reference of seen.acknowledged) {
    if (references.get(reference) !== 1) {
      report(`${reference} was acknowledged and exists ${references.get(reference) ?? 0} times`);
    }
  }
  const ofCommands = [...references.keys()].filter((reference) => reference.startsWith("command-")).length;
  if (ofCommands !== commands) {
    report(`${ofCommands} entries of ${commands} commands`);
  }
  if (sum !== balanceE4) {
    report(`the entries add up to ${formatAmount(sum)} USD, the balance is ${formatAmount(balanceE4)} USD`);
  }
  const { code, stdout } = await admin(url, "verify");
  if (code !== 0) {
    report(`verify: ${stdout}`);
  }
}

async function killOn(
  { kind, url, server }: TestDatabase,
  { n, isFull, random, report }: Pick<Run, "n" | "isFull" | "report"> & { random: () => number },
): Promise<string> {
  const { id } = await makeAccount(url);
  const credit = ["credit", "add", "--account", id, "--amount", FIRST_CREDIT_USD, "--reference", "first"];
  const commandMs = await durationMs(() => adminDone(url, ...credit));
  const seen: Acknowledged = { acknowledged: new Set(), open: undefined };
  const counts = { writer: 0, command: 0, server: 0 };
  const ahead = Array.from({ length: AHEAD }, () => startWriter(url));
  for (let round = 0; round < n; round++) {
    const turn = round % SHARE;
    if (turn === SHARE - 1) {
      counts.command++;
      const outcome = await killCommand(url, id, `command-${round}`, random() * commandMs * 1.1);
      if (outcome !== "added" && outcome !== "repeated") {
        report(`${kind}: command-${round} was ${outcome}`);
      }
      continue;
    }
    const isServer = server !== undefined && turn === SHARE - 2;
    counts[isServer ? "server" : "writer"]++;
    const writer = ahead.shift() as RunningProcess;
    await awaitOutput(writer, () => writer.stdout().startsWith("ready\n") || undefined);
    writer.child.stdin?.write(`${[id, round, seen.open].filter((word) => word !== undefined).join(" ")}\n`);
    const killed = killWriter(
      writer,
      random() * MAX_WRITING_MS[isFull ? "full" : "short"],
      isServer ? server : undefined,
    );
    take(seen, round, await killed, report);
    ahead.push(startWriter(url));
    if (isServer) {
      // Waiting writers have lost their connections, or never had one.
      for (const { child } of ahead.splice(0)) {
        child.kill("SIGKILL");
        ahead.push(startWriter(url));
      }
    }
  }
  for (const { child } of ahead) {
    child.kill("SIGKILL");
  }
  if (seen.acknowledged.size < n / 4) {
    report(`${kind}: only ${seen.acknowledged.size} entries were acknowledged before the kills`);
  }
  await check(url, id, seen, counts.command, report);
  return `${shown(seen.acknowledged.size)} acknowledged`;
}

stressTest(
  "kill -9 during ledger writes",
  {
    bar: "nothing lost, no entry twice, sum = balance",
    unit: "per database",
    n: 1_000,
    shortN: 10,
  },
  async ({ seed, ...run }) => {
    const random = randomNumbers(seed);
    return onBothDatabases((database) => killOn(database, { ...run, random }));
  },
);
