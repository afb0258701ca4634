import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { atEnd } from "@gpu-offers/testkit/leftovers";

// The built service as a process, on a new database that it fills with the starter catalog.

const dist = fileURLToPath(new URL("../../../apps/api/dist/", import.meta.url));

/** A running service and its admin command line. */
export interface Service {
  url: string;
  /** Runs an admin command and returns its output. */
  admin: (...args: string[]) => string;
  /** Creates the account ada@example.com with 25.50 USD of credit, and returns a key for it. */
  makeKey: () => string;
}

/** Starts the service and waits until it listens; it stops after the test file. */
export async function startService(settings: Readonly<Record<string, string>> = {}): Promise<Service> {
  if (!existsSync(join(dist, "main.js"))) {
    throw new Error("apps/api/dist is missing: these tests run the built service. Build it first (pnpm build).");
  }
  const folder = mkdtempSync(join(tmpdir(), "gpu-offers-client-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    PATH: process.env["PATH"],
    DATABASE_URL: `sqlite:${join(folder, "db.sqlite")}`,
    PORT: "0",
    ...settings,
  };
  const child = spawn(process.execPath, [join(dist, "main.js")], { env, stdio: ["ignore", "ignore", "pipe"] });
  const exited = once(child, "exit");
  atEnd(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  const admin = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, "admin/main.js"), ...args], {
      env,
      encoding: "utf8",
    });
    if (status !== 0) {
      throw new Error(`${args.join(" ")} exited with ${status}: ${stderr}${stdout}`);
    }
    return stdout;
  };
  return { url: await greetedUrl(child.stderr), admin, makeKey: () => makeKey(admin) };
}

function makeKey(admin: Service["admin"]): string {
  const email = "ada@example.com";
  admin("account", "create", "--email", email, "--name", "Ada");
  admin("credit", "add", "--account", email, "--amount", "25.5", "--reference", "first");
  const { key }: { key: string } = JSON.parse(admin("key", "create", "--account", email, "--json"));
  return key;
}

async function greetedUrl(stderr: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stderr.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    text += chunk;
    const url = /address +(http:\/\/\S+)/.exec(text)?.[1];
    if (url !== undefined) {
      // Further output is discarded, because a full pipe must not stop the service.
      stderr.resume();
      return url;
    }
  }
  throw new Error(`The service exited before it listened: ${text}`);
}
