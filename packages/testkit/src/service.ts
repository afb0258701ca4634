import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { databaseUrlOf } from "./admin.ts";
import { builtProgram, CACHE_FOLDER, startProcess, type Ended, type RunningProcess } from "./running-process.ts";
import { tempDatabase } from "./temp-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    service: Pick<Service, "url" | "port" | "databasePath">;
  }
}

export type LogLine = Readonly<Record<string, unknown>>;

/** The built service, listening on a free loopback port. */
export interface Service {
  url: string;
  port: number;
  databasePath: string;
  process: RunningProcess;
  /** Waits for the first matching log line; the log is flushed at least once per second. */
  logLine: (fits: (line: LogLine) => boolean) => Promise<LogLine>;
  /** Sends it the stop signal and waits for its end. */
  stop: () => Promise<Ended>;
}

/** Options of a service; without a database it gets a new one with the starter catalog. */
export interface ServiceOptions {
  /** Path of an SQLite file, or a `DATABASE_URL`. */
  databasePath?: string;
  settings?: Readonly<Record<string, string>>;
  /** Its log is discarded, because reading it takes processor time. */
  isQuiet?: boolean;
}

/** Starts the service and waits until it listens. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const { databasePath = await starterDatabase(), settings = {}, isQuiet = false } = options;
  const environment = { PORT: "0", DATABASE_URL: databaseUrlOf(databasePath), ...settings };
  const running = startProcess("main.js", [], environment, { isQuiet });
  return { databasePath, ...(await listening(running)) };
}

/**
 * The path of a new database with the starter catalog, as after the first start of the service. Filling it is the slowest
 * part of a start, so the first one of each build is kept and copied.
 */
export async function starterDatabase(): Promise<string> {
  const path = tempDatabase();
  const name = `starter-${statSync(builtProgram("apps/api/dist/main.js")).mtimeMs}.sqlite`;
  const kept = join(CACHE_FOLDER, name);
  if (existsSync(kept)) {
    copyFileSync(kept, path);
    return path;
  }
  await (await startService({ databasePath: path })).stop();
  mkdirSync(CACHE_FOLDER, { recursive: true });
  const ofOlderBuilds = readdirSync(CACHE_FOLDER).filter((other) => other.startsWith("starter-") && other !== name);
  for (const older of ofOlderBuilds) {
    rmSync(join(CACHE_FOLDER, older), { force: true });
  }
  // Other processes may do the same at the same time: a rename makes the file appear complete.
  const partial = join(CACHE_FOLDER, `filling-${process.pid}.sqlite`);
  copyFileSync(path, partial);
  renameSync(partial, kept);
  return path;
}

/** Waits until a started service listens. */
export async function listening(running: RunningProcess): Promise<Omit<Service, "databasePath">> {
  const url = await greetedUrl(running);
  return {
    url,
    port: Number(new URL(url).port),
    process: running,
    logLine: (fits) => awaitOutput(running, () => logLines(running.stdout()).find(fits)),
    stop: () => {
      running.child.kill("SIGTERM");
      return running.ended;
    },
  };
}

export function logLines(stdout: string): LogLine[] {
  return stdout
    .slice(0, stdout.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LogLine);
}

/** The greeting is on standard error, and complete once its final blank line has arrived. */
function greetedUrl(running: RunningProcess): Promise<string> {
  return awaitOutput(running, () => /(?:page|address) +(http:\/\/\S+)[^]*\n\n$/.exec(running.stderr())?.[1]);
}

/** Checks a process's output each time it prints; rejects if the process ends without a match. */
export function awaitOutput<Found>(running: RunningProcess, find: () => Found | undefined): Promise<Found> {
  return new Promise((resolve, reject) => {
    const { child } = running;
    const look = (): void => {
      const found = find();
      if (found !== undefined) {
        child.stdout?.off("data", look);
        child.stderr?.off("data", look);
        resolve(found);
      }
    };
    child.stdout?.on("data", look);
    child.stderr?.on("data", look);
    void running.ended.then(({ code, stderr }) => {
      look();
      return reject(new Error(`The service ended with code ${code} before the expected output: ${stderr}`));
    });
    look();
  });
}
