import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "./load.ts";
import type { Row } from "./main.ts";
import { startRawServer, startService } from "./service.ts";
import { syntheticQueries } from "./synthetic.ts";

const SECONDS = 5;
const ROUNDS = 3;
const QUERIES = 200;

/** The list endpoint against raw node:http that sends the same bytes; turns alternate, the best of each counts. */
export async function benchHttp(folder: string, databasePath: string, count: number): Promise<Row> {
  const paths = syntheticQueries(QUERIES, count).map((query) => `/api/v1/offers?${query}`);
  const service = await startService(databasePath);
  try {
    const answers: Record<string, string> = {};
    for (const path of paths) {
      const answer = await fetch(service.url + path);
      if (!answer.ok) {
        throw new Error(`${path} answered ${answer.status}`);
      }
      answers[path] = await answer.text();
    }
    const answersFile = join(folder, "answers.json");
    writeFileSync(answersFile, JSON.stringify(answers));
    const raw = await startRawServer(answersFile);
    try {
      let ours = 0;
      let reference = 0;
      for (let round = 0; round < ROUNDS; round++) {
        ours = Math.max(ours, (await load(service.url, paths, SECONDS)).requestsPerSecond);
        reference = Math.max(reference, (await load(raw.url, paths, SECONDS)).requestsPerSecond);
      }
      const ratio = ours / reference;
      return {
        what: `GET /api/v1/offers, ${QUERIES} queries, ${count.toLocaleString("en-US")} offers`,
        reference: `raw node:http, same bytes: ${Math.round(reference)}/s`,
        measured: `${Math.round(ours)}/s`,
        ratio,
        bar: ">= 0.60, aim 0.85",
        isMet: ratio >= 0.6,
      };
    } finally {
      await raw.stop();
    }
  } finally {
    await service.stop();
  }
}

/** The list endpoint at one size of the catalog against itself at another. */
export async function benchSize(small: [string, number], large: [string, number]): Promise<Row> {
  const best: number[] = [];
  for (const [databasePath, count] of [small, large]) {
    const paths = syntheticQueries(QUERIES, 10_000).map((query) => `/api/v1/offers?${query}`);
    const service = await startService(databasePath);
    try {
      let rate = 0;
      for (let round = 0; round < ROUNDS; round++) {
        rate = Math.max(rate, (await load(service.url, paths, SECONDS)).requestsPerSecond);
      }
      best.push(rate);
    } finally {
      await service.stop();
    }
    void count;
  }
  const [slow = 0, fast = 0] = [best[1], best[0]];
  return {
    what: `the same at ${large[1].toLocaleString("en-US")} offers`,
    reference: `itself at ${small[1].toLocaleString("en-US")}: ${Math.round(fast)}/s`,
    measured: `${Math.round(slow)}/s`,
    ratio: slow / fast,
    bar: ">= 0.90",
    isMet: slow / fast >= 0.9,
  };
}
