import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { builtProgram } from "@gpu-offers/testkit/built-program";

// Processes under measurement, on a free loopback port, stopped by their own process id.

/** A process that listens. */
export interface Service {
  url: string;
  process: ChildProcess;
  /** Milliseconds from process start to first response. */
  startMs: number;
  stop: () => Promise<void>;
}

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The built service on a database file, with logs and metrics on. */
export function startService(databasePath: string, settings: Readonly<Record<string, string>> = {}): Promise<Service> {
  return start(builtProgram("apps/api/dist/main.js"), [], {
    DATABASE_URL: `sqlite:${databasePath}`,
    PORT: "0",
    LOG_FORMAT: "json",
    ...settings,
  });
}

/** A plain node:http server; see raw-server.ts. */
export function startRawServer(...args: string[]): Promise<Service> {
  return start(file("./raw-server.ts"), args, {});
}

async function start(script: string, args: string[], settings: Record<string, string>): Promise<Service> {
  const started = performance.now();
  const child = spawn(process.execPath, [script, ...args], {
    // HOME: the service keeps compiled code there.
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...settings },
    // The log is discarded: reading it would take CPU from the load generator.
    stdio: ["ignore", script.endsWith("main.js") ? "ignore" : "pipe", "pipe"],
  });
  const url = await listeningUrl(child);
  const response = await fetch(`${url}/health/live`);
  await response.arrayBuffer();
  const startMs = performance.now() - started;
  return {
    url,
    process: child,
    startMs,
    stop: async () => {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** Waits for the first address that the process prints, then keeps reading so that the process never blocks. */
function listeningUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    const look = (chunk: Buffer): void => {
      if (printed.length < 10_000) {
        printed += chunk.toString();
        const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
        if (url !== undefined) {
          resolve(url);
        }
      }
    };
    child.stdout?.on("data", look);
    child.stderr?.on("data", look);
    child.once("exit", (code) => reject(new Error(`The process ended with ${code}: ${printed}`)));
  });
}
