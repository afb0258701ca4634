import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { makeAccount, withKey } from "@gpu-offers/testkit/accounts";
import { adminDone } from "@gpu-offers/testkit/admin";
import { fetchFrom, jsonOf, type HttpResponse, type HttpRequest } from "@gpu-offers/testkit/http";
import { fillTemplate, nginxProgram, startNginx, type Nginx } from "@gpu-offers/testkit/nginx";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { startInstances, type Instance } from "./instances.ts";

// The setup of deploy/compose.yaml as processes: nginx with the deployed configuration, services on one
// PostgreSQL.

/** nginx's problems with the configuration; empty if it is valid. */
function checkTemplate(): string {
  const folder = tempFolder();
  const site = fillTemplate({
    GPU_OFFERS_LISTEN: "127.0.0.1:8080",
    GPU_OFFERS_SERVERS: "server 127.0.0.1:3000;",
    GPU_OFFERS_CACHE: "on",
    GPU_OFFERS_CACHE_PATH: join(folder, "cache"),
    GPU_OFFERS_ACCESS_LOG: join(folder, "access.log"),
  });
  writeFileSync(join(folder, "nginx.conf"), `pid ${folder}/nginx.pid; events {} http { ${site} }`);
  const options = ["-t", "-q", "-c", join(folder, "nginx.conf"), "-p", folder, "-e", "stderr"];
  return spawnSync(nginxProgram ?? "nginx", options, { encoding: "utf8" }).stderr;
}

/** Several callers that send requests continuously until stopped. */
interface SteadyLoad {
  /** Number of responses so far. */
  count: () => number;
  /** Resolves after the given number of additional responses. */
  more: (responses: number) => Promise<void>;
  /** Waits for the last responses, and returns those that were not 200. */
  stop: () => Promise<{ responses: number; failures: string[] }>;
}

/** Requests one path after the other, over keep-alive connections. */
function startLoad(service: { port: number }, paths: readonly string[], request: HttpRequest = {}): SteadyLoad {
  const callers = 4;
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const failures: string[] = [];
  let responses = 0;
  const over = new AbortController();
  const waiting = new Set<{ at: number; resolve: () => void }>();
  const call = async (first: number): Promise<void> => {
    for (let index = first; !over.signal.aborted; index += callers) {
      const path = paths[index % paths.length] ?? "/";
      const failure = await fetchFrom(service, path, { ...request, agent }).then(failureOf, String);
      responses++;
      if (failure !== undefined) {
        failures.push(`${path}: ${failure}`);
      }
      for (const waiter of waiting) {
        if (responses >= waiter.at) {
          waiting.delete(waiter);
          waiter.resolve();
        }
      }
    }
  };
  const calls = Array.from({ length: callers }, (_, first) => call(first));
  return {
    count: () => responses,
    more: (wanted) =>
      new Promise((resolve) => {
        waiting.add({ at: responses + wanted, resolve });
      }),
    stop: async () => {
      over.abort();
      await Promise.all(calls);
      agent.destroy();
      return { responses, failures };
    },
  };
}

function failureOf({ status, text }: HttpResponse): string | undefined {
  return status === 200 ? undefined : `${status} ${text}`;
}

if (nginxProgram === undefined) {
  process.stdout.write("There is no nginx on this machine: the tests of deploy/nginx.conf.template are skipped.\n");
}

const PATHS = [
  "/api/v1/offers?size=100",
  "/api/v1/offers?size=1&sort_by=gpuCount",
  "/api/v1/providers",
  "/openapi.json",
];

/** Milliseconds until nginx notices that an instance is back: its fail_timeout, in whole seconds, plus load. */
const RETURN_TIMEOUT_MS = 8_000;

/** Number of requests logged after a line that each instance served in the end. */
async function countByInstance(nginx: Nginx, after: number): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const { upstream = "" } of (await nginx.log()).slice(after)) {
    const port = Number(upstream.split(":").at(-1));
    counts.set(port, (counts.get(port) ?? 0) + 1);
  }
  return counts;
}

/** Waits, under load, until a returned instance gets requests again. */
async function returned(nginx: Nginx, { port }: Instance): Promise<void> {
  const before = (await nginx.log()).length;
  await expect
    .poll(async () => (await countByInstance(nginx, before)).get(port) ?? 0, { timeout: RETURN_TIMEOUT_MS })
    .toBeGreaterThan(5);
}

describe.skipIf(nginxProgram === undefined)("nginx in front of two services", () => {
  let instances: Instance[];
  let nginx: Nginx;
  beforeAll(async () => {
    instances = await startInstances(2);
    nginx = await startNginx(instances.map(({ port }) => port));
  });

  test("accepts its configuration", () => {
    expect(checkTemplate()).toBe("");
  });

  test("spreads requests over both evenly", async () => {
    const before = (await nginx.log()).length;
    for (let count = 0; count < 40; count++) {
      expect((await fetchFrom(nginx, PATHS[count % PATHS.length] ?? "")).status).toBe(200);
    }
    const counts = await countByInstance(nginx, before);
    for (const { port } of instances) {
      expect(counts.get(port)).toBe(20);
    }
  });

  test("hides from callers that one is killed and restarted", async () => {
    const [first, second] = instances as [Instance, Instance];
    const load = startLoad(nginx, PATHS);
    await load.more(200);
    await first.kill();
    await load.more(300);
    await first.start();
    await returned(nginx, first);
    const before = (await nginx.log()).length;
    await load.more(200);
    const { responses, failures } = await load.stop();
    expect(failures).toEqual([]);
    expect(responses).toBeGreaterThanOrEqual(700);
    // The log shows that there were failures, which were hidden.
    expect((await nginx.log()).filter(({ upstream = "" }) => upstream.includes(", ")).length).toBeGreaterThan(0);
    const counts = await countByInstance(nginx, before);
    expect(counts.get(first.port)).toBeGreaterThan(50);
    expect(counts.get(second.port)).toBeGreaterThan(50);
  });

  test("loses no request while instances are replaced one by one", async () => {
    const load = startLoad(nginx, PATHS);
    await load.more(100);
    for (const instance of instances) {
      expect(await instance.stop()).toMatchObject({ code: 0, signal: null });
      await load.more(100);
      await instance.start();
      await returned(nginx, instance);
      await load.more(100);
    }
    const { responses, failures } = await load.stop();
    expect(failures).toEqual([]);
    expect(responses).toBeGreaterThanOrEqual(500);
  });

  test("gives every response an id that is in both logs, using the caller's if it is valid", async () => {
    const idOf = async (id: string): Promise<unknown> =>
      (await fetchFrom(nginx, "/api/v1/providers", { headers: { "X-Request-Id": id } })).headers["x-request-id"];
    expect(await idOf("order-66/a:b")).toBe("order-66/a:b");
    for (const insane of ["two words", 'a"b', "x".repeat(129), `gpo_${"a".repeat(36)}`]) {
      const id = await idOf(insane);
      expect(id).toMatch(/^[0-9a-f]{32}$/);
      expect((await nginx.log()).some(({ requestId }) => requestId === id)).toBe(true);
      const logged = (): boolean => instances.some(({ log }) => log.includes(String(id)));
      await expect.poll(logged, { timeout: 3_000 }).toBe(true);
    }
  });

  test("keeps an API key in a URL out of its log", async () => {
    const key = `gpo_${"k".repeat(36)}`;
    await fetchFrom(nginx, `/api/v1/offers?key=${key}`);
    await fetchFrom(nginx, `/api/v1/offers?key=%67p%6F%5f${"k".repeat(36)}`);
    await fetchFrom(nginx, `/api/v1/offers?key=%2567p%25256F%5f${"k".repeat(36)}`);
    const log = JSON.stringify(await nginx.log());
    expect(log).not.toContain("kkkkk");
    expect(log).toContain("(with an API key)");
  });

  test("passes the page on as the service compresses it, with its policy and caching", async () => {
    const headers = { Accept: "text/html", "Accept-Encoding": "br, gzip" };
    const page = await fetchFrom(nginx, "/", { headers });
    expect(page.headers).toMatchObject({ "content-encoding": "br", "cache-control": "public, no-cache" });
    expect(page.headers["content-security-policy"]).toContain("trusted-types 'none'");
    const html = brotliDecompressSync(page.body).toString();
    const assets = [...html.matchAll(/"\.\/(assets\/[^"]+)"/g)].map(([, asset = ""]) => asset);
    expect(assets).toHaveLength(4);
    for (const path of [...assets, "web/listings.json"]) {
      const { status, headers: sent } = await fetchFrom(nginx, `/${path}`, { headers });
      expect([path, status, sent["content-encoding"]]).toEqual([path, 200, "br"]);
      const known = await fetchFrom(nginx, `/${path}`, { headers: { ...headers, "If-None-Match": sent.etag ?? "" } });
      expect([path, known.status]).toEqual([path, 304]);
    }
  });

  test("compresses, and responds with 304 if the caller has a compressed response", async () => {
    const plain = await fetchFrom(nginx, "/api/v1/offers?size=100");
    const compressed = await fetchFrom(nginx, "/api/v1/offers?size=100", { headers: { "Accept-Encoding": "gzip" } });
    expect(compressed.headers["content-encoding"]).toBe("gzip");
    expect(compressed.headers.vary).toContain("Accept-Encoding");
    expect(gunzipSync(compressed.body)).toEqual(plain.body);
    expect(compressed.body.length).toBeLessThan(plain.body.length / 4);
    expect(compressed.headers.etag).toBe(`W/${plain.headers.etag}`);
    for (const etag of [plain.headers.etag ?? "", compressed.headers.etag ?? ""]) {
      const headers = { "If-None-Match": etag, "Accept-Encoding": "gzip" };
      const again = await fetchFrom(nginx, "/api/v1/offers?size=100", { headers });
      expect([again.status, again.text]).toEqual([304, ""]);
    }
  });
});

describe.skipIf(nginxProgram === undefined)("nginx in front of three services on one PostgreSQL", () => {
  test("returns a balance, with credit added once per reference, while one is killed", async () => {
    const instances = await startInstances(3);
    const [first] = instances as [Instance];
    const nginx = await startNginx(instances.map(({ port }) => port));
    const { email, key } = await makeAccount(first.databaseUrl);
    const credit = ["credit", "add", "--account", email, "--amount", "25.00", "--reference", "invoice-17"];
    expect((await adminDone(first.databaseUrl, ...credit)).stdout).toBe(
      "Added 25.0000 USD (invoice-17). The balance is 25.0000 USD.\n",
    );
    expect((await adminDone(first.databaseUrl, ...credit)).stdout).toMatch(
      /^invoice-17 was already recorded on \S+; nothing was changed\. The balance is 25\.0000 USD\.\n$/,
    );
    const load = startLoad(nginx, ["/api/v1/account/balance"], withKey(key));
    await load.more(100);
    await first.kill();
    await load.more(200);
    expect((await load.stop()).failures).toEqual([]);
    expect(jsonOf(await fetchFrom(nginx, "/api/v1/account/balance", withKey(key)))).toEqual({
      balance: "25.0000",
      currency: "USD",
    });
    const counts = await countByInstance(nginx, 0);
    expect(instances.map(({ port }) => (counts.get(port) ?? 0) > 20)).toEqual([true, true, true]);
  });
});

describe.skipIf(nginxProgram === undefined)("RATE_LIMIT behind nginx", () => {
  const LIMIT = 5;

  test("limits rates by the callers' real addresses, despite forged headers", async () => {
    const instances = await startInstances(1, { RATE_LIMIT: String(LIMIT) });
    const nginx = await startNginx(instances.map(({ port }) => port));
    const statusesFrom = async (localAddress: string): Promise<number[]> => {
      const agent = new Agent({ localAddress, keepAlive: true });
      const statuses: number[] = [];
      for (let count = 0; count <= LIMIT; count++) {
        const headers = { "X-Forwarded-For": `192.0.2.${count}`, "X-Real-IP": "192.0.2.1", Forwarded: "for=192.0.2.2" };
        statuses.push((await fetchFrom(nginx, "/api/v1/providers", { headers, agent })).status);
      }
      agent.destroy();
      return statuses;
    };
    const expected = [...Array.from({ length: LIMIT }, () => 200), 429];
    expect(await statusesFrom("127.0.0.2")).toEqual(expected);
    expect(await statusesFrom("127.0.0.3")).toEqual(expected);
  });
});
