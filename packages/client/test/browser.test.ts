import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";

/**
 * A program that runs a web page: the built client, the domain and zod in a realm with the web's globals and nothing from
 * Node. It sends requests to the service at the address of its first argument, and prints the results.
 */
const BROWSER = `
import { readFileSync } from "node:fs";
import { createContext, runInContext, SourceTextModule } from "node:vm";

const report = [];
const baseUrl = process.argv[1];
const web = { AbortController, AbortSignal, TextDecoder, URL, clearTimeout, fetch: strictFetch, setTimeout };
const context = createContext({ ...web, baseUrl, report });
const window = runInContext("globalThis", context);

// As in browsers, it must not be called as a method of anything but the window.
function strictFetch(input, init) {
  return this === undefined || this === window ? fetch(input, init) : Promise.reject(new TypeError("Illegal invocation"));
}

const modules = new Map();

function load(specifier, parent) {
  const url = import.meta.resolve(specifier, parent);
  if (!url.startsWith("file:")) {
    throw new Error(parent + " imports " + specifier + ", which no browser has.");
  }
  if (!modules.has(url)) {
    modules.set(url, new SourceTextModule(readFileSync(new URL(url), "utf8"), { context, identifier: url }));
  }
  return modules.get(url);
}

const page = new SourceTextModule(
  \`
  import { createClient } from "@gpu-offers/client";

  const reason = { why: "left" };
  const own = createClient({ baseUrl, fetch: (...request) => (report.push("own fetch"), fetch(...request)) });
  const plain = createClient({ baseUrl, retries: 0 });
  report.push(
    (await own.listOffers({ size: 1 })).totalElements,
    (await own.listOffers({ size: 1 })).totalElements,
    await plain.getOffer("unknown").catch((error) => error.kind + " " + error.code),
    await plain.listProviders({ signal: AbortSignal.abort(reason) }).catch((error) => error === reason),
    typeof process, typeof Buffer, typeof require,
  );\`,
  { context, identifier: import.meta.url },
);
await page.link((specifier, { identifier }) => load(specifier, identifier));
await page.evaluate();
process.stdout.write(JSON.stringify(report));`;

test("the built client runs without Node, with the page's fetch and with a custom one", async () => {
  const service = inject("service");
  const flags = ["--no-warnings", "--experimental-vm-modules", "--experimental-import-meta-resolve"];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...flags, "--input-type=module", "--eval", BROWSER, service.url],
    { cwd: fileURLToPath(new URL("..", import.meta.url)) },
  );
  const { totalElements } = (await (await fetch(`${service.url}/api/v1/offers`)).json()) as { totalElements: number };
  expect(JSON.parse(stdout)).toEqual([
    "own fetch",
    "own fetch",
    totalElements,
    totalElements,
    "service not_found",
    true,
    "undefined",
    "undefined",
    "undefined",
  ]);
});
