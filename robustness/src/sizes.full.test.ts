import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { UNKNOWN_LISTING_FACTS } from "@gpu-offers/domain";
import type { SourceItem } from "@gpu-offers/sources";
import { importCatalog } from "@gpu-offers/store/catalog-import";
import { openDatabase } from "@gpu-offers/store/database";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { memoryMb } from "@gpu-offers/testkit/process-usage";
import { openSocket } from "@gpu-offers/testkit/raw-socket";
import { builtProgram, startCommand } from "@gpu-offers/testkit/running-process";
import { listening, type Service } from "@gpu-offers/testkit/service";
import { syntheticOffers } from "@gpu-offers/testkit/synthetic";
import { addRow, shown } from "@gpu-offers/testkit/table-row";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { isFull } from "./stress-test.ts";

// The table of sizes in docs/operations/deploy.md: the memory of a service within a limit, with new catalogs and clients that
// read long lists slowly. Limits are those of the kernel, so the test needs a writable control group, as root has.

const PAGE = fileURLToPath(new URL("../../docs/operations/deploy.md", import.meta.url));
/** Offers, or N of the environment. */
const SIZES = process.env["N"] === undefined ? (isFull ? [375, 50_000, 300_000] : [2_000]) : [Number(process.env["N"])];
const LIMITS_GIB = [1, 2, 4];
const RELOADS = 4;
const SLOW_READERS = 40;
/** Gaps of slow readers in milliseconds, in which they read 64 kB. */
const READ_MS = 200;

/** The files of a control group of version 1 or 2. */
const [GROUPS, LIMIT_FILE] = existsSync("/sys/fs/cgroup/cgroup.controllers")
  ? ["/sys/fs/cgroup", "memory.max"]
  : ["/sys/fs/cgroup/memory", "memory.limit_in_bytes"];

function makeGroup(gib: number): string | undefined {
  const group = join(GROUPS, `gpu-offers-sizes-${process.pid}-${gib}`);
  try {
    mkdirSync(group, { recursive: true });
    writeFileSync(join(group, LIMIT_FILE), `${gib * 1024 ** 3}`);
    return group;
  } catch {
    return undefined;
  }
}

const hasGroups = makeGroup(1) !== undefined;

async function* items(count: number, seed: number): AsyncGenerator<SourceItem> {
  yield { kind: "provider", where: "start", provider: { name: "synthetic", type: "vm", images: [] } };
  let number = 0;
  for (const offer of syntheticOffers(count)) {
    const priceHourly = offer.priceHourly + ((number++ + seed) % 20 === 0 ? seed / 100 : 0);
    const pricePerGpu = priceHourly / offer.gpuCount;
    const listing = { ...UNKNOWN_LISTING_FACTS, instanceType: `type-${number % 3_000}` };
    yield { kind: "offer", where: "row", offer: { ...offer, priceHourly, pricePerGpu }, listing };
  }
}

async function importOffers(path: string, count: number, seed: number): Promise<number> {
  const database = await openDatabase(`sqlite:${path}`);
  try {
    const { revision = 0 } = await importCatalog(database, { items: items(count, seed), cause: "sizes" });
    return revision;
  } finally {
    await database.destroy();
  }
}

interface Sizes {
  idleMb: number;
  peakMb: number;
}

/** Sizes within a limit; undefined if the kernel killed the service. */
async function measure(path: string, offers: number, group: string): Promise<Sizes | undefined> {
  const program = builtProgram("apps/api/dist/main.js");
  const script = `echo $$ > ${join(group, "cgroup.procs")} && exec "$0" "$1"`;
  const settings = { PORT: "0", DATABASE_URL: `sqlite:${path}`, LOG_LEVEL: "silent", RATE_LIMIT: "off" };
  const running = startCommand("/bin/sh", ["-c", script, process.execPath, program], settings);
  const { child } = running;
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const started = await listening(running).catch(() => undefined);
  if (started === undefined) {
    return undefined;
  }
  const service: Service = { ...started, databasePath: path };
  await fetchFrom(service, "/api/v1/offers?size=100");
  await setTimeout(3_000);
  const sizes = { idleMb: memoryMb(child.pid).now, peakMb: 0 };
  const sampling = setInterval(() => {
    sizes.peakMb = isRunning() ? memoryMb(child.pid).peak : sizes.peakMb;
  }, 200);
  const readers = await Promise.all(Array.from({ length: SLOW_READERS }, () => readSlowly(service)));
  for (let reload = 1; reload <= RELOADS && isRunning(); reload++) {
    const revision = await importOffers(path, offers, reload);
    while (isRunning() && !(await isServed(service, revision))) {
      await setTimeout(500);
    }
  }
  clearInterval(sampling);
  readers.forEach((stop) => stop());
  const hasSurvived = isRunning();
  child.kill("SIGKILL");
  await running.ended;
  return hasSurvived ? sizes : undefined;
}

/** Uses lists of all kinds, and asks whether a revision is served. */
async function isServed(service: Service, revision: number): Promise<boolean> {
  const paths = ["/api/v2/listings?sort_by=total&disk=100", "/api/v2/gpus", "/api/v1/offers?size=100&page=3"];
  // A service that the kernel killed has no status.
  const responses = await Promise.all(paths.map((path) => fetchFrom(service, path).catch(() => undefined)));
  expect(responses.map((response) => response?.status ?? 200)).toEqual(paths.map(() => 200));
  const ready = await fetchFrom(service, "/health/ready").catch(() => undefined);
  return ready?.text.includes(`"revision":${revision},`) === true;
}

/** A client that asks for the whole list again and again, and reads it slowly. Returns what stops it. */
async function readSlowly(service: Service): Promise<() => void> {
  const socket = await openSocket(service);
  socket.on("error", () => {});
  const ask = (): unknown =>
    socket.write("GET /api/v2/listings HTTP/1.1\r\nHost: a\r\nAccept: application/x-ndjson\r\n\r\n");
  ask();
  // A turn comes late, or not at all: 503.
  socket.once("readable", () => expect(String(socket.read(12))).toMatch(/^HTTP\/1.1 (?:200|503)$/));
  socket.pause();
  const reading = setInterval(() => socket.read(65_536) ?? socket.read(), READ_MS);
  const asking = setInterval(ask, 5_000);
  return () => {
    clearInterval(reading);
    clearInterval(asking);
    socket.destroy();
  };
}

test.skipIf(!hasGroups).for(SIZES)(
  `%s offers with ${SLOW_READERS} slow readers and ${RELOADS} new catalogs fit into their limit of memory${hasGroups ? "" : " (SKIPPED: no control groups here)"}`,
  { timeout: isFull ? 0 : 180_000 },
  async (offers, context) => {
    const path = tempDatabase();
    await importOffers(path, offers, 0);
    for (const gib of LIMITS_GIB) {
      const group = makeGroup(gib) ?? "";
      const sizes = await measure(path, offers, group);
      await setTimeout(500);
      rmdirSync(group);
      if (sizes !== undefined) {
        const cells = [`${sizes.idleMb.toFixed(0)} MB`, `${sizes.peakMb.toFixed(0)} MB`];
        const isMet = gib === 1 || offers > 50_000;
        addRow(context, { page: PAGE, what: `${shown(offers)} offers`, cells, bar: `${gib} GiB`, isMet });
        return;
      }
      // The delivered limit.
      expect(offers).toBeGreaterThan(50_000);
    }
    expect.fail(`The service needs more than ${LIMITS_GIB.at(-1)} GiB.`);
  },
);
