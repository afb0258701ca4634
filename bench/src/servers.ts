import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCommand } from "@gpu-offers/testkit/running-process";
import { awaitOutput, startService, type Service } from "@gpu-offers/testkit/service";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { compare, type Compared, type Load, type Target } from "./load.ts";

/** The built service on a database file, with a log that is discarded. */
export const startQuiet = (databasePath: string, settings: Readonly<Record<string, string>> = {}): Promise<Service> =>
  startService({ databasePath, settings: { LOG_FORMAT: "json", ...settings }, isQuiet: true });

/** A service under load. */
export const targetOf = ({ url, process: { child } }: Pick<Service, "url" | "process">): Target => ({
  url,
  pids: [child.pid ?? 0],
});

/** Starts plain node:http (raw-server.ts): empty, or with bodies by path. */
export async function startRaw(bodies: object = {}, uniqueParameter = "\n"): Promise<Pick<Service, "url" | "process">> {
  const file = join(tempFolder(), "bodies.json");
  writeFileSync(file, JSON.stringify(bodies));
  const running = startCommand(process.execPath, [join(import.meta.dirname, "raw-server.ts"), file, uniqueParameter]);
  return { url: await awaitOutput(running, () => /http:\S+(?=\n)/.exec(running.stdout())?.[0]), process: running };
}

/** Loads a service, and raw node:http that sends the same bytes. */
export async function compareWithRaw(service: Service, load: Load): Promise<Compared> {
  const bodies: Record<string, string> = {};
  for (const path of load.paths) {
    const { "If-None-Match": _, ...headers } = load.headers ?? {};
    const response = await fetch(service.url + path, { headers });
    if (!response.ok) {
      throw new Error(`${path} has status ${response.status}`);
    }
    bodies[path] = await response.text();
  }
  const raw = await startRaw(bodies, load.uniqueParameter);
  const compared = await compare([targetOf(service), load], [targetOf(raw), load]);
  raw.process.child.kill();
  return { ...compared, reference: `raw node:http: ${compared.reference}` };
}
