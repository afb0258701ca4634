import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { gzipSync } from "node:zlib";
import { adminDone, startAdmin } from "@gpu-offers/testkit/admin";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { nativeFile, nativeRows, nativeRow } from "@gpu-offers/testkit/native-catalogs";
import { startService } from "@gpu-offers/testkit/service";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";
import { databaseHash } from "./database-hash.ts";
import { stressTest } from "./stress-test.ts";

// Files that an import must reject. They are generated while being read; none is held in memory whole.

type Piece = string | Uint8Array;

/** A file to import; its parts follow each other. */
type HostileFile = [what: string, format: "native" | "skypilot", parts: () => (Piece | Iterable<Piece>)[]];

const HEADER = '{"format":"gpu-offers/1","asOf":"2026-11-01"}\n{"provider":{"name":"fjord","type":"vm"}}\n';
const CSV =
  "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone\n";
const CSV_ROW = "p5.48xlarge,H100,8.0,192.0,2048.0,,98.32,,us-east-1,use1-az1\n";
const MEGABYTE = 2 ** 20;

const line = (offer: object): string => `${JSON.stringify({ offer })}\n`;

function* repeated(piece: Piece, times: number): Generator<Piece> {
  for (let time = 0; time < times; time++) {
    yield piece;
  }
}

/** The content of a file. */
function* contentOf([, , parts]: HostileFile): Generator<Piece> {
  for (const part of parts()) {
    if (typeof part === "string" || part instanceof Uint8Array) {
      yield part;
    } else {
      yield* part;
    }
  }
}

/** A valid file, only large. */
function soundFile(count: number): HostileFile {
  return [`${count} distinct rows`, "native", () => [HEADER, rows(count)]];
}

function* rows(count: number): Generator<string> {
  for (let number = 0; number < count; number += 100) {
    yield Array.from({ length: Math.min(100, count - number) }, (_, more) =>
      line(nativeRow({ instanceType: `type-${number + more}`, priceHourly: 1 + ((number + more) % 9_000) / 100 })),
    ).join("");
  }
}

/** Files to reject; the largest have `count` rows, and rows of `megabytes`. */
function hostileFiles(count: number, megabytes: number): HostileFile[] {
  const row = line(nativeRow());
  const huge = "x".repeat(MEGABYTE);
  const bomb = gzipSync(Buffer.alloc(megabytes * MEGABYTE));
  const members = () => Array.from({ length: 50_000 }, (_, name) => `"a${name}":1,`).join("");
  const priced = (price: string): string => row.replace('"priceHourly":2.5', `"priceHourly":${price}`);
  return [
    ["a gzip bomb", "native", () => [bomb]],
    ["a gzip bomb as CSV", "skypilot", () => [bomb]],
    ["a huge line", "native", () => [HEADER, repeated(huge, megabytes), "\n"]],
    [
      "a huge value on one line",
      "native",
      () => [HEADER, '{"offer":{"provider":"', repeated(huge, megabytes), '"}}\n'],
    ],
    [
      "a huge document",
      "native",
      () => ['{"format":"gpu-offers/1","asOf":"2026-11-01","providers":[],"note":"', repeated(huge, megabytes), '"}'],
    ],
    ["a huge row", "skypilot", () => [CSV, repeated(huge, megabytes), "\n"]],
    ["a huge quoted field", "skypilot", () => [CSV, '"', repeated("x\n".repeat(MEGABYTE / 2), megabytes), '"\n']],
    ["a row of only commas", "skypilot", () => [CSV, repeated(",".repeat(MEGABYTE), megabytes), "\n"]],
    ["rows of as many commas as fit", "skypilot", () => [CSV, repeated(`${",".repeat(MEGABYTE - 1)}\n`, 20)]],
    ["a huge header", "skypilot", () => [repeated("a,".repeat(MEGABYTE / 2), megabytes)]],
    ["invalid UTF-8", "native", () => [HEADER, row, Buffer.from([0xff, 0xfe, 0x0a])]],
    ["invalid UTF-8 in a CSV", "skypilot", () => [CSV, CSV_ROW, Buffer.from("p5,\u00ff\n", "latin1")]],
    ["an overlong slash", "native", () => [HEADER, Buffer.from([0xc0, 0xaf, 0x0a])]],
    ["UTF-16", "native", () => [Buffer.from(`\ufeff${HEADER}${row}`, "utf16le")]],
    ["ragged rows", "skypilot", () => [CSV, "p5.48xlarge,H100\n", `x,${CSV_ROW}`]],
    ["an unclosed quote", "skypilot", () => [CSV, CSV_ROW, '"', repeated(CSV_ROW, 50_000)]],
    ["NaN", "native", () => [HEADER, priced("NaN")]],
    ["a price of 1e999", "native", () => [HEADER, priced("1e999")]],
    ["NaN in a CSV", "skypilot", () => [CSV, CSV_ROW.replace("98.32", "NaN"), CSV_ROW.replace("98.32", "Infinity")]],
    ["a million nested lists", "native", () => [HEADER, "[".repeat(500_000), "]".repeat(500_000), "\n"]],
    [
      "a document of nested objects",
      "native",
      () => ['{"format":"gpu-offers/1","providers":', '{"a":'.repeat(500_000)],
    ],
    ["a million member names", "native", () => [HEADER, "{", members(), '"b":1}\n']],
    ["duplicate ids", "native", () => [HEADER, row, row, row, row]],
    ["__proto__ as a member", "native", () => [HEADER, row.replace('{"offer":{', '{"offer":{"__proto__":{"x":1},')]],
    ["a NUL in a name", "native", () => [HEADER, row.replace("oslo-1", "oslo\\u0000")]],
    ["a truncated file", "native", () => [HEADER, row.slice(0, -20)]],
    ["endless invalid rows", "native", () => [HEADER, repeated("{}\n".repeat(1_000), count / 1_000)]],
  ];
}

const MAX_MEGABYTES = 256;

/** Row count of the full run, whose largest row has 1 GiB. */
const FULL = 600_000;

/** Matches the location of a problem in a message to the operator, or a problem of the whole file. */
const PLACE = /(?:line|row) \d+|(?:offers|providers)\[\d+\]|compressed with gzip/;

/** Imports a file by streaming it to the command. */
async function importFrom(databasePath: string, file: HostileFile) {
  const peakFile = join(tempFolder(), "peak");
  const provider = file[1] === "skypilot" ? ["--provider", "fjord"] : [];
  const running = startAdmin(databasePath, ["catalog", "import", "-", "--format", file[1], ...provider], {
    settings: {
      NODE_OPTIONS: `--import=${join(import.meta.dirname, "peak-memory.ts")}`,
      PEAK_MEMORY_FILE: peakFile,
    },
    stdin: "open",
  });
  // A command that has read enough closes its input; the rest of the file is discarded.
  await pipeline(
    Readable.from(contentOf(file), { objectMode: false }),
    running.child.stdin as NodeJS.WritableStream,
  ).catch(() => {});
  const { code, stdout, stderr } = await running.ended;
  return { code, said: `${stdout}${stderr}`.trim(), megabytes: Number(readFileSync(peakFile, "utf8")) / 1024 };
}

stressTest(
  "hostile imports",
  {
    bar: "rejected with a line number, memory <= 256 MB",
    unit: "rows",
    n: FULL,
    shortN: 2_000,
  },
  async ({ n, isFull, report }) => {
    const databasePath = tempDatabase();
    await adminDone(databasePath, "catalog", "import", nativeFile(nativeRows(3)), "--format", "native");
    const service = await startService({ databasePath, settings: { LOG_LEVEL: "warn" } });
    const tagOf = async (): Promise<unknown> => (await fetchFrom(service, "/api/v1/offers")).headers.etag;
    const tag = await tagOf();
    const before = databaseHash(databasePath);
    // The readers' own tests cover each file; a short run sends every third through the command.
    const files = hostileFiles(n, Math.max(17, Math.round((1_024 * n) / FULL))).filter(
      (_, place) => isFull || place % 3 === 0,
    );
    let worst = { what: "", megabytes: 0 };
    const importOne = async (path: string, file: HostileFile) => {
      const { megabytes, ...ending } = await importFrom(path, file);
      const [what] = file;
      worst = megabytes > worst.megabytes ? { what, megabytes } : worst;
      report(megabytes > MAX_MEGABYTES ? `${what}: ${Math.round(megabytes)} MB of memory` : undefined);
      report((await tagOf()) === tag ? undefined : `${what}: another catalog is served`);
      return { what, ...ending };
    };
    for (const file of files) {
      const { what, code, said } = await importOne(databasePath, file);
      report(code === 1 && PLACE.test(said) ? undefined : `${what}: exit code ${code}: ${said}`);
    }
    const { what, code, said } = await importOne(tempDatabase(), soundFile(n));
    report(code === 0 ? undefined : `${what}: the file is valid, but the exit code is ${code}: ${said}`);
    report(databaseHash(databasePath) === before ? undefined : "the stored catalog has changed");
    await service.stop();
    return `${files.length + 1} files; ${Math.round(worst.megabytes)} MB (${worst.what})`;
  },
);
