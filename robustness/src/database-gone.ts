import { setTimeout as delay } from "node:timers/promises";
import { makeAccount, withKey } from "@gpu-offers/testkit/accounts";
import { adminDone } from "@gpu-offers/testkit/admin";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { createPostgresDatabase } from "@gpu-offers/testkit/postgres-server";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { startOwnPostgres } from "./both-databases.ts";
import { errorProblem } from "./error-body.ts";
import { shown, type Problems, type Row } from "./row.ts";
import { msUntil, quantile } from "./timing.ts";

const CATALOG = ["/api/v1/offers?size=100", "/api/v1/providers", "/api/v1/providers/aws/images", "/health/ready"];
const ACCOUNT = ["/api/v1/account", "/api/v1/account/balance"];
const HOW = ["fast", "immediate", "kill"] as const;
const MAX_BACK_MS = 2_000;

/** Requests the catalog continuously; every response must be 200, whatever happens to the database. */
async function readCatalog(service: Service, isOver: () => boolean, problems: Problems): Promise<number> {
  let asked = 0;
  while (!isOver()) {
    const path = CATALOG[asked++ % CATALOG.length] ?? "";
    const { status } = await fetchFrom(service, path);
    if (status !== 200) {
      problems.add(`${path} served ${status}`);
    }
    await delay(5);
  }
  return asked;
}

async function unavailableProblem(service: Service, path: string, key: string): Promise<string | undefined> {
  const response = await fetchFrom(service, path, withKey(key));
  const { status, headers } = response;
  if (status !== 503 || !(Number(headers["retry-after"]) > 0)) {
    return `${path} served ${status} with Retry-After ${headers["retry-after"]} while the database was gone`;
  }
  return errorProblem(response);
}

export const databaseGone: Row = {
  name: "database-gone",
  what: "PostgreSQL stopped, in three ways, and started again",
  unit: "times",
  bar: "catalog still served, balance 503 with Retry-After, back within 2 s of its return",
  n: 100,
  shortN: 3,
  run: async ({ n, patience, progress, problems }) => {
    const server = await startOwnPostgres();
    const database = await createPostgresDatabase(server.url);
    const service = await startService({ databasePath: database, settings: { LOG_LEVEL: "fatal" } });
    const { id, key } = await makeAccount(database);
    await adminDone(database, "credit", "add", "--account", id, "--amount", "25", "--reference", "a");
    let isOver = false;
    const reading = readCatalog(service, () => isOver, problems);
    const isBack = async (): Promise<boolean> => {
      const { status, text } = await fetchFrom(service, "/api/v1/account/balance", withKey(key));
      return status === 200 && text.includes('"25.0000"');
    };
    const times: number[] = [];
    for (let time = 0; time < n; time++) {
      await server.stop(HOW[time % HOW.length]);
      for (const path of ACCOUNT) {
        problems.addIf(await unavailableProblem(service, path, key));
      }
      await delay(100);
      await server.start();
      const backMs = await msUntil(isBack, 30_000);
      times.push(backMs);
      if (backMs > MAX_BACK_MS * patience) {
        problems.add(`back after ${Math.round(backMs)} ms`);
      }
      if (time % 10 === 9) {
        progress(`${time + 1} times, back after at most ${Math.round(Math.max(...times))} ms`);
      }
    }
    isOver = true;
    const asked = await reading;
    const { code } = await service.stop();
    if (code !== 0) {
      problems.add(`the service ended with ${code}`);
    }
    return `${shown(asked)} catalog requests meanwhile, ${problems.count} problems; balance back after ${Math.round(quantile(times, 0.5))} ms, at most ${Math.round(Math.max(...times))} ms`;
  },
};
