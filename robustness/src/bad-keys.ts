import { errorBodySchema } from "@gpu-offers/domain";
import { makeAccount } from "@gpu-offers/testkit/accounts";
import { badCredentials, makeInvalidKeys } from "@gpu-offers/testkit/bad-credentials";
import { fetchFrom, jsonOf, type HttpResponse } from "@gpu-offers/testkit/http";
import { publishedDocument } from "@gpu-offers/testkit/published-document";
import { startService } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { shown, type Row } from "./row.ts";
import { quantile } from "./timing.ts";

// All invalid keys get the same response, and its time doesn't reveal whether a key was ever valid.

/** Well-formed keys: a difference in response time would reveal which of them existed. */
const WELL_FORMED = ["unknown", "revoked", "expired", "of a disabled account"];

/** Maximum difference between their medians, in milliseconds. Smaller ones can't be measured over a network. */
const MAX_SPREAD_MS = 1;

const PUBLIC = /^\/(?:health|metrics|openapi|docs)/;

function problemOf(response: HttpResponse): string | undefined {
  const { requestId, ...body } = errorBodySchema.parse(jsonOf(response));
  const actual = JSON.stringify({ status: response.status, ...body, challenge: response.headers["www-authenticate"] });
  const expected =
    '{"status":401,"code":"unauthorized","message":"A valid API key is required: send Authorization: Bearer <key>.","docUrl":"/docs/errors/unauthorized","challenge":"Bearer"}';
  return actual === expected && requestId === response.headers["x-request-id"] ? undefined : actual;
}

export const badKeys: Row = {
  name: "bad-credentials",
  what: "20 kinds of bad credentials on every protected route",
  unit: "times",
  bar: "the same 401, in similar time",
  n: 200,
  shortN: 5,
  run: async ({ n, patience, progress, problems }) => {
    const databasePath = tempDatabase();
    const service = await startService({ databasePath, settings: { REQUIRE_API_KEY: "true", LOG_LEVEL: "silent" } });
    const account = await makeAccount(databasePath);
    const credentials = badCredentials(account, await makeInvalidKeys(databasePath, account));
    const { operations } = await publishedDocument(service);
    const paths = [...operations.keys()]
      .filter((path) => !PUBLIC.test(path))
      .map((path) => path.replace(/\{\w+\}/, "aws"));
    const times = new Map<string, number[]>(credentials.map(([name]) => [name, []]));
    for (let time = 0; time < n; time++) {
      for (const path of paths) {
        for (const [name, headers] of credentials) {
          const started = performance.now();
          const response = await fetchFrom(service, path, { headers });
          times.get(name)?.push(performance.now() - started);
          const problem = problemOf(response);
          problems.addIf(problem && `${name} on ${path}: ${problem}`);
        }
      }
      if (time % 50 === 0) {
        progress(`${time} of ${n} times`);
      }
    }
    const medians = WELL_FORMED.map((name) => quantile(times.get(name) ?? [], 0.5));
    const spreadMs = Math.max(...medians) - Math.min(...medians);
    if (spreadMs > MAX_SPREAD_MS * patience) {
      problems.add(`the medians of well-formed keys are ${spreadMs.toFixed(2)} ms apart`);
    }
    await service.stop();
    const all = [...times.values()].map((list) => quantile(list, 0.5));
    return `${credentials.length} kinds, ${paths.length} routes, ${shown(n * paths.length * credentials.length)} requests, ${problems.count} other responses; medians ${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)} ms, unknown, revoked, expired and disabled ${spreadMs.toFixed(2)} ms apart`;
  },
};
