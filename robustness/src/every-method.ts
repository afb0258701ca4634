import { METHODS } from "node:http";
import { fetchFrom, type HttpResponse } from "@gpu-offers/testkit/http";
import { allOffers } from "@gpu-offers/testkit/offer-queries";
import { publishedDocument } from "@gpu-offers/testkit/published-document";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { errorProblem } from "./error-body.ts";
import { shown, type Row } from "./row.ts";

// CONNECT requests a tunnel, so no client library sends it to a path; the framing row covers it.
const ASKED = METHODS.filter((method) => method !== "CONNECT");

/** Paths that the service serves, one per route. */
async function listPaths(service: Service): Promise<string[]> {
  const [offer] = await allOffers(service);
  const { operations } = await publishedDocument(service);
  const paths = [...operations.keys()].map((path) =>
    path
      .replace("{id}", offer?.id ?? "")
      .replace("{provider}", "aws")
      // Its one parameter is required.
      .replace("{slug}", "h100-sxm")
      .replace(/^\/history$/, `/history?offer=${offer?.id}`),
  );
  const others = ["/openapi.json", "/docs", "/metrics"];
  for (const path of others.filter((other) => !paths.includes(other))) {
    if ((await fetchFrom(service, path)).status !== 404) {
      paths.push(path);
    }
  }
  return paths;
}

/** Paths whose responses change over time, so that two of them differ in length. */
const OF_THE_MOMENT = new Set(["/metrics"]);

function problemOf(method: string, path: string, response: HttpResponse, get: HttpResponse): string | undefined {
  const allowed = get.headers.allow ?? "GET, HEAD, OPTIONS";
  const { status, headers, text } = response;
  switch (method) {
    case "GET":
      return [200, 401].includes(status) ? undefined : `status ${status}`;
    case "HEAD":
      return status === get.status &&
        text === "" &&
        (headers["content-length"] === get.headers["content-length"] || OF_THE_MOMENT.has(path))
        ? undefined
        : `status ${status}, length ${headers["content-length"]} and ${text.length} characters, where GET has ${get.status} and ${get.headers["content-length"]}`;
    case "OPTIONS":
      return status === 204 && headers.allow === allowed && text === ""
        ? undefined
        : `status ${status}, Allow ${headers.allow}`;
    default:
      return status === 405 && headers.allow === allowed
        ? errorProblem(response)
        : `status ${status}, Allow ${headers.allow}`;
  }
}

export const everyMethod: Row = {
  name: "every-method",
  what: "every method on every route",
  unit: "times",
  bar: "405 with the correct Allow; HEAD like GET; OPTIONS 204",
  n: 100,
  shortN: 1,
  run: async ({ n, problems }) => {
    const service = await startService({ settings: { LOG_LEVEL: "silent" } });
    const paths = await listPaths(service);
    for (let time = 0; time < n; time++) {
      for (const path of paths) {
        const get = await fetchFrom(service, path);
        for (const method of ASKED) {
          const problem = problemOf(method, path, await fetchFrom(service, path, { method }), get);
          problems.addIf(problem && `${method} ${path}: ${problem}`);
        }
      }
    }
    await service.stop();
    return `${ASKED.length} methods, ${paths.length} routes, ${shown(n * ASKED.length * paths.length)} requests, ${problems.count} wrong responses`;
  },
};
