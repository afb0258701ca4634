import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { saturatingLoad } from "@gpu-offers/testkit/saturating-load";

// Measures CPU time per request: the server's processes (utime + stime) with all connections busy. The load generator
// must not be the bottleneck, and autocannon is as slow as the server, so wrk is used where installed. CPU time stays
// comparable on a busy machine as long as both servers are measured in turn.

/** A server under load. */
export interface Target {
  url: string;
  /** Its processes. */
  pids: readonly number[];
}

/** The requests of a load. */
export interface Load {
  /** Paths to request in turn. */
  paths: readonly string[];
  headers?: Readonly<Record<string, string>>;
  /** Appended to each path together with a new number, so that no two requests are alike. */
  uniqueParameter?: string;
}

/** Measurements of one turn. */
export interface Measured {
  /** CPU time per request, in microseconds; undefined if the system does not report it. */
  microseconds: number | undefined;
  perSecond: number;
}

const CONNECTIONS = 32;

/** Clock ticks per second in /proc; the same on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

const hasWrk = spawnSync("wrk", ["--version"]).error === undefined;
const hasProc = existsSync("/proc/self/stat");

/** Loads a server for a number of seconds. */
export async function measure({ url, pids }: Target, load: Load, seconds: number): Promise<Measured> {
  const before = processorMicroseconds(pids);
  const perSecond = hasWrk ? wrk(url, load, seconds) : await saturatingLoad(url, load.paths, seconds);
  const used = processorMicroseconds(pids) - before;
  return { microseconds: hasProc ? used / (perSecond * seconds) : undefined, perSecond };
}

/** Requests per second; every response must have a status below 400. */
function wrk(url: string, { paths, headers = {}, uniqueParameter }: Load, seconds: number): number {
  const folder = mkdtempSync(join(tmpdir(), "gpu-offers-wrk-"));
  try {
    const script = join(folder, "load.lua");
    const lua = (text: string): string => JSON.stringify(text);
    const path = uniqueParameter === undefined ? "" : ` .. ${lua(uniqueParameter)} .. (start + i)`;
    writeFileSync(
      script,
      `local paths = {${paths.map(lua).join(",")}}
       local headers = {${Object.entries(headers)
         .map(([name, value]) => `[${lua(name)}] = ${lua(value)}`)
         .join(",")}}
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
    const args = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "-s", script, url];
    const printed = execFileSync("wrk", args, { encoding: "utf8" });
    const [, requests, duration, failed] = /^(\d+) (\d+) (\d+)$/m.exec(printed) ?? [];
    if (failed !== "0") {
      throw new Error(`${failed ?? "all"} requests failed: ${printed}`);
    }
    return Number(requests) / (Number(duration) / 1_000_000);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** CPU time of processes since they started, including all threads. */
export function processorMicroseconds(pids: readonly number[]): number {
  if (!hasProc) {
    return 0;
  }
  let ticks = 0;
  for (const pid of pids) {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return (ticks / TICKS_PER_SECOND) * 1_000_000;
}
