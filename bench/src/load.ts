import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { saturatingLoad } from "@gpu-offers/testkit/saturating-load";

// What a request costs a server: the processor time of its processes (utime + stime), with all connections busy. The load
// generator must not be the limit, and autocannon is as slow as the server is; so it is wrk where there is one. Processor
// time also holds on a machine that is busy with other things, as long as both servers are measured in turn.

/** A server under load. */
export interface Target {
  url: string;
  /** Its processes. */
  pids: readonly number[];
}

/** What the requests of a load were. */
export interface Load {
  /** Paths that are requested in turn. */
  paths: readonly string[];
  headers?: Readonly<Record<string, string>>;
  /** Appended to each path with a number of its own, so that no two requests are alike. */
  uniqueParameter?: string;
}

/** What was measured in one turn. */
export interface Measured {
  /** Processor time a request, in microseconds; undefined where the system does not tell it. */
  microseconds: number | undefined;
  perSecond: number;
}

const CONNECTIONS = 32;

/** Clock ticks of /proc in a second: what every Linux that Node runs on has. */
const TICKS_PER_SECOND = 100;

const hasWrk = spawnSync("wrk", ["--version"]).error === undefined;
const hasProc = existsSync("/proc/self/stat");

/** Puts a load on a server for some seconds. */
export async function measure({ url, pids }: Target, load: Load, seconds: number): Promise<Measured> {
  const before = processorMicroseconds(pids);
  const perSecond = hasWrk ? wrk(url, load, seconds) : await saturatingLoad(url, load.paths, seconds);
  const used = processorMicroseconds(pids) - before;
  return { microseconds: hasProc ? used / (perSecond * seconds) : undefined, perSecond };
}

/** Requests a second; every response has to be below 400. */
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

/** Processor time of processes since their starts, all of their threads included. */
function processorMicroseconds(pids: readonly number[]): number {
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
