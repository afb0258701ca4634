import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { load as loadByNode } from "@gpu-offers/testkit/load";
import { processorMs } from "@gpu-offers/testkit/process-usage";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";

// Measures processor time per request of a server whose connections are all busy. The load generator must not be the
// bottleneck, and autocannon is as slow as the server, so wrk is used where it is installed. Processor time stays
// comparable on a busy machine as long as both servers are measured in turn.

/** A server under load. */
export interface Target {
  url: string;
  pids: readonly number[];
}

export interface Load {
  /** Paths to request in turn. */
  paths: readonly string[];
  headers?: Readonly<Record<string, string>>;
  /** Appended to each path together with a new number, so that no two requests are alike. */
  uniqueParameter?: string;
}

/** Two servers under the same load. */
export interface Compared {
  /** Processor time of a request, and requests per second. */
  ours: string;
  reference: string;
  /** Processor time of the reference's requests to that of ours. */
  ratio: number;
}

interface Measured {
  /** Processor time per request, in microseconds. */
  microseconds: number;
  perSecond: number;
}

const CONNECTIONS = 32;

/** The two servers alternate in short turns, because the speed of a shared machine changes within seconds. */
const TURN_S = 2;
const ROUNDS = 8;

/** Requests after which V8 has optimized the code they use, on a busy machine too; and the maximum number of turns for it. */
const WARM_UP = { requests: 50_000, turns: 10 };

const hasWrk = spawnSync("wrk", ["--version"]).error === undefined;

/** Loads two servers in turn after a warm-up. The lowest cost per request of each counts. */
export async function compare(ours: [Target, Load], reference: [Target, Load]): Promise<Compared> {
  await warmUp(...ours);
  await warmUp(...reference);
  const turns: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    turns[0].push(await measure(...ours));
    turns[1].push(await measure(...reference));
  }
  const [best, least] = turns.map((measured) =>
    measured.reduce((a, b) => (a.microseconds < b.microseconds ? a : b)),
  ) as [Measured, Measured];
  return { ours: text(best), reference: text(least), ratio: least.microseconds / best.microseconds };
}

async function warmUp(target: Target, load: Load): Promise<void> {
  let requests = 0;
  for (let turn = 0; turn < WARM_UP.turns && requests < WARM_UP.requests; turn++) {
    requests += (await measure(target, load)).perSecond * TURN_S;
  }
}

const text = ({ microseconds, perSecond }: Measured): string =>
  `${microseconds.toFixed(1)} us (${Math.round(perSecond).toLocaleString("en-US")}/s)`;

async function measure({ url, pids }: Target, load: Load): Promise<Measured> {
  const used = (): number => pids.reduce((sum, pid) => sum + processorMs(pid), 0);
  const before = used();
  const perSecond = hasWrk ? loadByWrk(url, load) : await loadByAutocannon(url, load);
  return { microseconds: ((used() - before) * 1000) / (perSecond * TURN_S), perSecond };
}

async function loadByAutocannon(url: string, { paths, headers = {}, uniqueParameter }: Load): Promise<number> {
  let number = Math.floor(Date.now() % 1e7);
  const requests = paths.map((path) => ({
    path,
    headers,
    ...(uniqueParameter !== undefined && {
      setupRequest: (request: object) => ({ ...request, path: `${path}${uniqueParameter}${number++}` }),
    }),
  }));
  const { perSecond, failures } = await loadByNode(url, requests, TURN_S, { connections: CONNECTIONS });
  if (failures > 0) {
    throw new Error(`${failures} requests failed.`);
  }
  return perSecond;
}

function loadByWrk(url: string, { paths, headers = {}, uniqueParameter }: Load): number {
  const script = join(tempFolder(), "load.lua");
  const lua = (value: string): string => JSON.stringify(value);
  const path = uniqueParameter === undefined ? "" : ` .. ${lua(uniqueParameter)} .. (start + i)`;
  const pairs = Object.entries(headers).map(([name, value]) => `[${lua(name)}] = ${lua(value)}`);
  writeFileSync(
    script,
    `local paths = {${paths.map(lua).join(",")}}
     local headers = {${pairs.join(",")}}
     local start = os.time() % 1000 * 10000
     local i = 0
     request = function()
       i = i + 1
       return wrk.format("GET", paths[i % #paths + 1]${path}, headers)
     end
     done = function(summary)
       io.write("\\n" .. summary.requests .. " " .. summary.duration .. " " .. summary.errors.status .. "\\n")
     end`,
  );
  const args = ["-t1", `-c${CONNECTIONS}`, `-d${TURN_S}s`, "-s", script, url];
  const printed = execFileSync("wrk", args, { encoding: "utf8" });
  const [, requests, duration, failed] = /^(\d+) (\d+) (\d+)$/m.exec(printed) ?? [];
  if (failed !== "0") {
    throw new Error(`${failed ?? "all"} requests failed: ${printed}`);
  }
  return Number(requests) / (Number(duration) / 1_000_000);
}
