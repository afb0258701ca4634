import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Catalog } from "./catalogs.ts";
import { saturatingLoad } from "@gpu-offers/testkit/saturating-load";
import type { Row } from "./row.ts";
import { startRawServer, startService } from "./service.ts";
import { syntheticQueries } from "@gpu-offers/testkit/synthetic";

const SECONDS = 5;
const ROUNDS = 3;
const QUERIES = 200;

/** The list endpoint against raw node:http that sends the same bytes; turns alternate, the best of each counts. */
export async function benchHttp(folder: string, { databasePath, count }: Catalog): Promise<Row> {
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
        ours = Math.max(ours, await saturatingLoad(service.url, paths, SECONDS));
        reference = Math.max(reference, await saturatingLoad(raw.url, paths, SECONDS));
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

/**
 * The list endpoint on a large catalog against itself on a small one; turns alternate, the best of each counts. The
 * questions are those whose pages hold as many offers in both: a longer answer costs more in a catalog of any size.
 */
export async function benchSize(small: Catalog, large: Catalog): Promise<Row> {
  const services = [await startService(small.databasePath), await startService(large.databasePath)];
  const best = [0, 0];
  try {
    const paths = await pathsOfEqualPages(
      services.map(({ url }) => url),
      syntheticQueries(QUERIES * 5, small.count).map((query) => `/api/v1/offers?${query}`),
    );
    for (let round = 0; round < ROUNDS; round++) {
      for (const [place, service] of services.entries()) {
        best[place] = Math.max(best[place] ?? 0, await saturatingLoad(service.url, paths, SECONDS));
      }
    }
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
  const [reference = 0, ours = 0] = best;
  return {
    what: `the same at ${large.count.toLocaleString("en-US")} offers`,
    reference: `itself at ${small.count.toLocaleString("en-US")}: ${Math.round(reference)}/s`,
    measured: `${Math.round(ours)}/s`,
    ratio: ours / reference,
    bar: ">= 0.90",
    isMet: ours / reference >= 0.9,
  };
}

/** The first of the paths whose answers hold the same number of offers everywhere. */
async function pathsOfEqualPages(urls: readonly string[], paths: readonly string[]): Promise<string[]> {
  const equal: string[] = [];
  for (const path of paths) {
    const counts = await Promise.all(urls.map((url) => countOffers(url + path)));
    if (new Set(counts).size === 1) {
      equal.push(path);
    }
    if (equal.length === QUERIES) {
      return equal;
    }
  }
  throw new Error(`Of ${paths.length} questions only ${equal.length} have pages of equal length, not ${QUERIES}.`);
}

async function countOffers(url: string): Promise<number> {
  const answer = await fetch(url);
  const { offers } = (await answer.json()) as { offers: readonly unknown[] };
  return offers.length;
}
