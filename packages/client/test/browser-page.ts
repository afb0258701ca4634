import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createContext, runInContext, SourceTextModule } from "node:vm";

// A web page from a module's point of view: the built client, the domain and zod in a realm with the web's globals and
// nothing from Node. It sends requests to the service at the given address, and prints the results.
// Needs --experimental-vm-modules and --experimental-import-meta-resolve.

const script = `
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
);`;

const report: unknown[] = [];
const context = createContext({
  AbortController,
  AbortSignal,
  TextDecoder,
  URL,
  baseUrl: process.argv[2],
  clearTimeout,
  fetch: strictFetch,
  report,
  setTimeout,
});

/** As in browsers, it must not be called as a method of anything but the window. */
function strictFetch(this: unknown, input: string, init?: RequestInit): Promise<Response> {
  return this === undefined || this === window
    ? fetch(input, init)
    : Promise.reject(new TypeError("Illegal invocation"));
}

const window: unknown = runInContext("globalThis", context);

const modules = new Map<string, SourceTextModule>();

function load(specifier: string, parent: string): SourceTextModule {
  const url = import.meta.resolve(specifier, parent);
  if (!url.startsWith("file:")) {
    throw new Error(`${parent} imports ${specifier}, which no browser has.`);
  }
  const known = modules.get(url);
  if (known !== undefined) {
    return known;
  }
  const module = new SourceTextModule(readFileSync(fileURLToPath(url), "utf8"), { context, identifier: url });
  modules.set(url, module);
  return module;
}

const page = new SourceTextModule(script, { context, identifier: import.meta.url });
await page.link((specifier, { identifier }) => load(specifier, identifier));
await page.evaluate();
process.stdout.write(JSON.stringify(report));
