import { setTimeout as delay } from "node:timers/promises";
import { formatAmount } from "@gpu-offers/domain";
import { randomNumbers } from "@gpu-offers/testkit/synthetic";
import { openDatabase } from "gpu-offers-server/dist/modules/store/database.js";
import { getBalance, listLedgerEntries } from "gpu-offers-server/dist/modules/store/ledger.store.js";
import { makeAccount } from "@gpu-offers/testkit/accounts";
import { admin, adminDone, startAdmin } from "@gpu-offers/testkit/admin";
import type { PostgresServer } from "@gpu-offers/testkit/postgres-server";
import { startScript, type RunningProcess } from "@gpu-offers/testkit/running-process";
import { awaitOutput } from "@gpu-offers/testkit/service";
import { onBothDatabases, type TestDatabase } from "./both-databases.ts";
import { amountOf } from "./killed-writer-amounts.ts";
import { shown, type Problems, type Row } from "./row.ts";

// Writers of a ledger are killed at any moment, and the next one repeats the entry whose outcome is unknown. Some kills
// hit the operator's command line, and on PostgreSQL the server itself.

/** Of this many kills one hits the command line, and one the server of PostgreSQL. */
const SHARE = 20;

/** Longest time that a writer is left to write. */
const MAX_WRITING_MS = 60;

/** Writers that are started ahead, so that a kill need not wait for the start of the next. */
const AHEAD = 2;

/** Credit to begin with, so that no debit is rejected. */
const FIRST_CREDIT_USD = "1000000";

/** What was acknowledged to somebody. */
interface Told {
  acknowledged: Set<string>;
  /** The entry that was being written when its writer was killed. */
  open: string | undefined;
}

/** Starts a writer ahead; it opens the database and waits. */
const startWriter = (url: string): RunningProcess =>
  startScript(new URL("./killed-writer.ts", import.meta.url), [url], { stdin: "open" });

/** Takes what a writer printed before it ended. */
function take(told: Told, round: number, stdout: string, problems: Problems): void {
  let next = 0;
  for (const line of stdout.split("\n").slice(1, -1)) {
    const [reference = "", outcome = ""] = line.split(" ");
    if (reference === told.open) {
      if (outcome !== "added" && outcome !== "repeated") {
        problems.add(`${reference} was ${outcome} when it was repeated after a kill`);
      }
      told.open = undefined;
    } else {
      next++;
      if (outcome !== "added") {
        problems.add(`${reference} was ${outcome} although it was new`);
      }
    }
    told.acknowledged.add(reference);
  }
  // It is unknown whether the next one was written. If the previous one is still open, nothing was written after it.
  told.open ??= `${round}-${next}`;
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
  // Without its server a writer ends by itself.
  const { stdout } = await writer.ended;
  await server.start();
  return stdout;
}

/** Kills the command line in the middle, then runs it to its end; the entry has to be there once. */
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

/** What the ledger should be after all of it. */
async function check(url: string, accountId: string, told: Told, commands: number, problems: Problems): Promise<void> {
  const database = await openDatabase(url, { isReader: true });
  const entries = await listLedgerEntries(database, accountId);
  const balanceE4 = await getBalance(database, accountId);
  await database.destroy();
  const references = new Map<string, number>();
  let sum = 0n;
  for (const { reference, amountE4, note } of entries) {
    references.set(reference, (references.get(reference) ?? 0) + 1);
    sum += amountE4;
    if (note === "killed" && amountE4 !== amountOf(reference)) {
      problems.add(`${reference} has the amount ${formatAmount(amountE4)}`);
    }
    if (note === "killed" && !told.acknowledged.has(reference) && reference !== told.open) {
      problems.add(`${reference} exists, but no writer wrote it`);
    }
  }
  for (const reference of told.acknowledged) {
    if (references.get(reference) !== 1) {
      problems.add(`${reference} was acknowledged and is there ${references.get(reference) ?? 0} times`);
    }
  }
  const ofCommands = [...references.keys()].filter((reference) => reference.startsWith("command-")).length;
  if (ofCommands !== commands) {
    problems.add(`${ofCommands} entries of ${commands} commands`);
  }
  if (sum !== balanceE4) {
    problems.add(`the entries add up to ${formatAmount(sum)} USD, the balance is ${formatAmount(balanceE4)} USD`);
  }
  const { code, stdout } = await admin(url, "verify");
  if (code !== 0) {
    problems.add(`verify: ${stdout}`);
  }
}

async function killOn(
  { kind, url, server }: TestDatabase,
  n: number,
  random: () => number,
  problems: Problems,
  progress: (text: string) => void,
): Promise<string> {
  const { id } = await makeAccount(url);
  const credit = ["credit", "add", "--account", id, "--amount", FIRST_CREDIT_USD, "--reference", "first"];
  const commandMs = await durationMs(() => adminDone(url, ...credit));
  const told: Told = { acknowledged: new Set(), open: undefined };
  const counts = { writer: 0, command: 0, server: 0 };
  const ahead = Array.from({ length: AHEAD }, () => startWriter(url));
  for (let round = 0; round < n; round++) {
    const turn = round % SHARE;
    if (round % 100 === 0) {
      progress(`${kind}: ${round} kills, ${shown(told.acknowledged.size)} acknowledged`);
    }
    if (turn === SHARE - 1) {
      counts.command++;
      const outcome = await killCommand(url, id, `command-${round}`, random() * commandMs * 1.1);
      if (outcome !== "added" && outcome !== "repeated") {
        problems.add(`${kind}: command-${round} was ${outcome}`);
      }
      continue;
    }
    const isServer = server !== undefined && turn === SHARE - 2;
    counts[isServer ? "server" : "writer"]++;
    const writer = ahead.shift() as RunningProcess;
    await awaitOutput(writer, () => writer.stdout().startsWith("ready\n") || undefined);
    writer.child.stdin?.write(`${[id, round, told.open].filter((word) => word !== undefined).join(" ")}\n`);
    const killed = killWriter(writer, random() * MAX_WRITING_MS, isServer ? server : undefined);
    take(told, round, await killed, problems);
    ahead.push(startWriter(url));
    if (isServer) {
      // Those that wait have lost their connections, or never had one.
      for (const { child } of ahead.splice(0)) {
        child.kill("SIGKILL");
        ahead.push(startWriter(url));
      }
    }
  }
  for (const { child } of ahead) {
    child.kill("SIGKILL");
  }
  if (told.acknowledged.size < n / 4) {
    problems.add(`${kind}: only ${told.acknowledged.size} entries were acknowledged before the kills`);
  }
  await check(url, id, told, counts.command, problems);
  return `${shown(counts.writer)} kills of a writer, ${counts.command} of a command${server === undefined ? "" : `, ${counts.server} of the server`}, ${shown(told.acknowledged.size)} acknowledged`;
}

export const killLedger: Row = {
  name: "kill-ledger",
  what: "kill -9 during ledger writes",
  unit: "kills on each database",
  bar: "nothing acknowledged is lost, no entry twice, sum = balance",
  n: 1_000,
  shortN: 10,
  run: async ({ n, seed, progress, problems }) => {
    const random = randomNumbers(seed);
    const results = await onBothDatabases((database) => killOn(database, n, random, problems, progress));
    return `${results}; ${problems.count} lost, doubled or wrong`;
  },
};
