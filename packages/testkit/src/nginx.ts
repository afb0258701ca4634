import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { openSocket } from "./raw-socket.ts";
import { startCommand, type RunningProcess } from "./running-process.ts";
import { tempFolder } from "./temp-folder.ts";

// Runs this machine's nginx as a child process, with the configuration that is deployed.

/** An nginx that listens on the loopback. */
export interface Nginx {
  port: number;
  process: RunningProcess;
  /** Its log so far, one line per request. */
  log: () => Promise<Record<string, string>[]>;
}

const TEMPLATE = new URL("../../../deploy/nginx.conf.template", import.meta.url);

/** Path of the program; undefined if it is not installed. */
export const nginxProgram = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"]
  .map((folder) => join(folder, "nginx"))
  .find((path) => existsSync(path));

/** The deployed configuration with its settings filled in, like envsubst. */
export function fillTemplate(settings: Readonly<Record<string, string>>): string {
  return readFileSync(TEMPLATE, "utf8").replaceAll(
    /\$\{([A-Z_]+)\}/g,
    (_, name: string) => settings[name] ?? `(${name} is missing)`,
  );
}

/** Starts nginx in front of services on these loopback ports; `cache` is GPU_OFFERS_CACHE. */
export async function startNginx(ports: readonly number[], cache: "on" | "off" = "off"): Promise<Nginx> {
  const folder = tempFolder();
  const port = await freePort();
  return startSite(
    folder,
    port,
    fillTemplate({
      GPU_OFFERS_LISTEN: `127.0.0.1:${port}`,
      GPU_OFFERS_SERVERS: ports.map((each) => `server 127.0.0.1:${each} max_fails=1 fail_timeout=2s;`).join("\n"),
      GPU_OFFERS_CACHE: cache,
      GPU_OFFERS_CACHE_PATH: join(folder, "cache"),
      GPU_OFFERS_ACCESS_LOG: join(folder, "access.log"),
    }),
  );
}

/** Starts nginx in a folder, with a site that listens on a loopback port. */
export async function startSite(folder: string, port: number, site: string): Promise<Nginx> {
  chmodSync(folder, 0o755);
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder};`);
  writeFileSync(
    join(folder, "nginx.conf"),
    // A single process, so that stopping it stops everything.
    `daemon off; master_process off; pid ${folder}/nginx.pid;
     events { worker_connections 512; }
     http { ${paths.join(" ")} ${site} }`,
  );
  const log = join(folder, "access.log");
  // Its standard output and errors are sockets, as under systemd: Node gives those to its children.
  const running = startCommand(nginxProgram ?? "nginx", ["-c", `${folder}/nginx.conf`, "-p", folder, "-e", "stderr"]);
  await Promise.race([
    accepting(port),
    running.ended.then(({ code }) => {
      throw new Error(`nginx ended with ${code}: ${running.stderr()}`);
    }),
  ]);
  return {
    port,
    process: running,
    log: async () => {
      // It writes pending lines before it reopens its log.
      running.child.kill("SIGUSR1");
      await delay(50);
      return readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Record<string, string>);
    },
  };
}

async function accepting(port: number): Promise<void> {
  for (;;) {
    try {
      (await openSocket({ port })).destroy();
      return;
    } catch {
      // It does not listen yet; the caller limits the waiting time.
      await delay(20);
    }
  }
}
