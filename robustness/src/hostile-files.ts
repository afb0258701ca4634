import { gzipSync } from "node:zlib";
import { nativeRow } from "@gpu-offers/testkit/native-catalogs";

// Files that an import must reject. They are generated while being read; none is held in memory whole.

/** A file, and the expected result of importing it. */
export interface HostileFile {
  what: string;
  format: "native" | "skypilot";
  content: () => Iterable<string | Uint8Array>;
  /** The file is valid, only large, and must be imported. */
  isSound?: boolean;
}

const HEADER = '{"format":"gpu-offers/1","asOf":"2026-11-01"}\n{"provider":{"name":"fjord","type":"vm"}}\n';
const CSV =
  "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone\n";
const CSV_ROW = "p5.48xlarge,H100,8.0,192.0,2048.0,,98.32,,us-east-1,use1-az1\n";
const MEGABYTE = 2 ** 20;

const line = (offer: object): string => `${JSON.stringify({ offer })}\n`;

function* repeated(piece: string | Uint8Array, times: number): Generator<string | Uint8Array> {
  for (let time = 0; time < times; time++) {
    yield piece;
  }
}

function* joined(...parts: (string | Uint8Array | Iterable<string | Uint8Array>)[]): Generator<string | Uint8Array> {
  for (const part of parts) {
    if (typeof part === "string" || part instanceof Uint8Array) {
      yield part;
    } else {
      yield* part;
    }
  }
}

function* rows(count: number): Generator<string> {
  for (let number = 0; number < count; number += 100) {
    yield Array.from({ length: Math.min(100, count - number) }, (_, more) =>
      line(nativeRow({ instanceType: `type-${number + more}`, priceHourly: 1 + ((number + more) % 9_000) / 100 })),
    ).join("");
  }
}

/** All files; the largest have `count` rows, and rows of `megabytes`. */
export function hostileFiles(count: number, megabytes: number): HostileFile[] {
  const row = line(nativeRow());
  const huge = "x".repeat(MEGABYTE);
  const bomb = gzipSync(Buffer.alloc(megabytes * MEGABYTE));
  return [
    { what: "a gzip bomb", format: "native", content: () => [bomb] },
    { what: "a gzip bomb as CSV", format: "skypilot", content: () => [bomb] },
    { what: "a huge line", format: "native", content: () => joined(HEADER, repeated(huge, megabytes), "\n") },
    {
      what: "a huge value on one line",
      format: "native",
      content: () => joined(HEADER, '{"offer":{"provider":"', repeated(huge, megabytes), '"}}\n'),
    },
    {
      what: "a huge document",
      format: "native",
      content: () =>
        joined('{"format":"gpu-offers/1","asOf":"2026-11-01","providers":[],"note":"', repeated(huge, megabytes), '"}'),
    },
    { what: "a huge row", format: "skypilot", content: () => joined(CSV, repeated(huge, megabytes), "\n") },
    {
      what: "a huge quoted field",
      format: "skypilot",
      content: () => joined(CSV, '"', repeated("x\n".repeat(MEGABYTE / 2), megabytes), '"\n'),
    },
    {
      what: "a row of only commas",
      format: "skypilot",
      content: () => joined(CSV, repeated(",".repeat(MEGABYTE), megabytes), "\n"),
    },
    {
      what: "rows of as many commas as fit",
      format: "skypilot",
      content: () => joined(CSV, repeated(`${",".repeat(MEGABYTE - 1)}\n`, 20)),
    },
    { what: "a huge header", format: "skypilot", content: () => repeated("a,".repeat(MEGABYTE / 2), megabytes) },
    {
      what: "invalid UTF-8",
      format: "native",
      content: () => joined(HEADER, row, Buffer.from([0xff, 0xfe, 0x0a])),
    },
    {
      what: "invalid UTF-8 in a CSV",
      format: "skypilot",
      content: () => joined(CSV, CSV_ROW, Buffer.from("p5,\u00ff\n", "latin1")),
    },
    { what: "an overlong slash", format: "native", content: () => joined(HEADER, Buffer.from([0xc0, 0xaf, 0x0a])) },
    { what: "UTF-16", format: "native", content: () => [Buffer.from(`\ufeff${HEADER}${row}`, "utf16le")] },
    { what: "ragged rows", format: "skypilot", content: () => joined(CSV, "p5.48xlarge,H100\n", `x,${CSV_ROW}`) },
    {
      what: "an unclosed quote",
      format: "skypilot",
      content: () => joined(CSV, CSV_ROW, '"', repeated(CSV_ROW, 50_000)),
    },
    {
      what: "NaN",
      format: "native",
      content: () => joined(HEADER, row.replace('"priceHourly":2.5', '"priceHourly":NaN')),
    },
    {
      what: "a price of 1e999",
      format: "native",
      content: () => joined(HEADER, row.replace('"priceHourly":2.5', '"priceHourly":1e999')),
    },
    {
      what: "NaN in a CSV",
      format: "skypilot",
      content: () => joined(CSV, CSV_ROW.replace("98.32", "NaN"), CSV_ROW.replace("98.32", "Infinity")),
    },
    {
      what: "a million nested lists",
      format: "native",
      content: () => joined(HEADER, "[".repeat(500_000), "]".repeat(500_000), "\n"),
    },
    {
      what: "a document of nested objects",
      format: "native",
      content: () => joined('{"format":"gpu-offers/1","providers":', '{"a":'.repeat(500_000)),
    },
    {
      what: "a million member names",
      format: "native",
      content: () => joined(HEADER, "{", [...Array(50_000).keys()].map((name) => `"a${name}":1,`).join(""), '"b":1}\n'),
    },
    { what: "duplicate ids", format: "native", content: () => joined(HEADER, row, row, row, row) },
    {
      what: "__proto__ as a member",
      format: "native",
      content: () => joined(HEADER, row.replace('{"offer":{', '{"offer":{"__proto__":{"x":1},')),
    },
    { what: "a NUL in a name", format: "native", content: () => joined(HEADER, row.replace("oslo-1", "oslo\\u0000")) },
    { what: "a truncated file", format: "native", content: () => joined(HEADER, row.slice(0, -20)) },
    {
      what: "endless invalid rows",
      format: "native",
      content: () => joined(HEADER, repeated("{}\n".repeat(1_000), count / 1_000)),
    },
    { what: `${count} distinct rows`, format: "native", content: () => joined(HEADER, rows(count)), isSound: true },
  ];
}
