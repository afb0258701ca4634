import { setTimeout as delay } from "node:timers/promises";
import { pacedLoad } from "@gpu-offers/testkit/paced-load";
import { makeAccount, makeKey, withKey } from "@gpu-offers/testkit/accounts";
import { adminDone } from "@gpu-offers/testkit/admin";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { nativeFile, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { createPostgresDatabase } from "@gpu-offers/testkit/postgres-server";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { startOwnPostgres } from "./both-databases.ts";
import type { Problems, Row } from "./row.ts";
import { msUntil, quantile } from "./timing.ts";

const INSTANCES = 3;
const MAX_MS = 5_000;
const LOAD_A_SECOND = 100;

/** Milliseconds until something holds for each of the instances. */
async function msUntilAll(
  instances: readonly Service[],
  holds: (service: Service) => Promise<boolean>,
): Promise<number> {
  return Math.max(...(await Promise.all(instances.map((service) => msUntil(() => holds(service), 30_000, 20)))));
}

/** Kills one instance under load. Clients of the others must not notice. */
async function killOne(instances: readonly Service[], problems: Problems): Promise<string> {
  const [victim, ...others] = instances as [Service, ...Service[]];
  const loads = others.map((service) =>
    pacedLoad(service.url, ["/api/v1/offers?size=10", "/api/v1/providers"], LOAD_A_SECOND, 3),
  );
  await delay(500);
  victim.process.child.kill("SIGKILL");
  const results = await Promise.all(loads);
  const failures = results.reduce((sum, load) => sum + load.failures, 0);
  const requests = results.reduce((sum, load) => sum + load.requests, 0);
  if (failures > 0) {
    problems.add(`${failures} requests to the others failed when one instance was killed`);
  }
  return `one killed under load: ${failures} of ${requests} requests to the others failed`;
}

export const threeInstances: Row = {
  name: "three-instances",
  what: "three instances on one PostgreSQL",
  unit: "catalogs and revoked keys",
  bar: "a new catalog and a revoked key reach all within 5 s; the others keep working when one is killed",
  n: 100,
  shortN: 1,
  run: async ({ n, patience, progress, problems }) => {
    const server = await startOwnPostgres();
    const database = await createPostgresDatabase(server.url);
    const instances = await Promise.all(
      Array.from({ length: INSTANCES }, () =>
        startService({ databasePath: database, settings: { LOG_LEVEL: "warn" } }),
      ),
    );
    const account = await makeAccount(database);
    const catalogs: number[] = [];
    const keys: number[] = [];
    for (let time = 0; time < n; time++) {
      const provider = `fjord-${time}`;
      const file = nativeFile(nativeRows(5, { provider }));
      await adminDone(database, "catalog", "import", file, "--format", "native", "--accept-changes");
      catalogs.push(
        await msUntilAll(instances, async (service) =>
          (await fetchFrom(service, "/api/v1/providers")).text.includes(`"${provider}"`),
        ),
      );
      const { key, keyId } = await makeKey(database, account.id);
      const statusOf = async (service: Service): Promise<number> =>
        (await fetchFrom(service, "/api/v1/account", withKey(key))).status;
      // All instances have cached the key as valid.
      if ((await Promise.all(instances.map(statusOf))).some((status) => status !== 200)) {
        problems.add("a new key was not accepted at once");
      }
      await adminDone(database, "key", "revoke", keyId);
      keys.push(await msUntilAll(instances, async (service) => (await statusOf(service)) === 401));
      if (time % 10 === 9) {
        progress(`${time + 1} times`);
      }
    }
    for (const [what, times] of [["a new catalog", catalogs] as const, ["a revoked key", keys] as const]) {
      for (const late of times.filter((ms) => ms > MAX_MS * patience)) {
        problems.add(`${what} reached all after ${Math.round(late)} ms`);
      }
    }
    const killed = await killOne(instances, problems);
    const figures = (times: readonly number[]): string =>
      `${Math.round(quantile(times, 0.5))} ms, the slowest ${Math.round(Math.max(...times))} ms`;
    return `a new catalog reached all after ${figures(catalogs)}; a revoked key after ${figures(keys)}; ${killed}`;
  },
};
