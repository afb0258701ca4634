import { inject } from "vitest";
import { freePort } from "@gpu-offers/testkit/free-port";
import { createPostgresDatabase } from "@gpu-offers/testkit/postgres-server";
import type { Ended } from "@gpu-offers/testkit/running-process";
import { startService, type Service } from "@gpu-offers/testkit/service";

/** A service that always restarts at the same address, like those in containers. */
export class Instance {
  #service: Service | undefined;

  constructor(
    readonly port: number,
    readonly databaseUrl: string,
    readonly settings: Readonly<Record<string, string>> = {},
  ) {}

  async start(): Promise<void> {
    this.#service = await startService({
      databasePath: this.databaseUrl,
      settings: { PORT: String(this.port), TRUST_PROXY: "127.0.0.1", RATE_LIMIT: "off", ...this.settings },
    });
  }

  async stop(): Promise<Ended | undefined> {
    return this.#service?.stop();
  }

  async kill(): Promise<void> {
    this.#service?.process.child.kill("SIGKILL");
    await this.#service?.process.ended;
  }

  get log(): string {
    return this.#service?.process.stdout() ?? "";
  }
}

/** Starts services on one new PostgreSQL database. */
export async function startInstances(
  count: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<Instance[]> {
  const databaseUrl = await createPostgresDatabase(inject("postgresUrl"));
  const instances: Instance[] = [];
  for (let number = 0; number < count; number++) {
    const instance = new Instance(await freePort(), databaseUrl, settings);
    await instance.start();
    instances.push(instance);
  }
  return instances;
}
