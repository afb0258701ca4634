import type { Offer } from "@gpu-offers/domain";
import type { SourceItem } from "./source-item.js";

// Test helpers: content as streams, streams as lists.

/** The content in pieces of `size` bytes. */
export async function* bytesOf(content: string | Uint8Array, size = 1 << 16): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.subarray(start, start + size);
  }
}

/** Repeats a text `times` times. */
export async function* repeated(text: string, times: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let time = 0; time < times; time += 1) {
    yield bytes;
  }
}

/** Concatenates sources. */
export async function* joined(...parts: AsyncIterable<Uint8Array>[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    yield* part;
  }
}

/** Everything that a reader yields. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) {
    list.push(item);
  }
  return list;
}

/** The offers among items. */
export function offersOf(items: readonly SourceItem[]): Offer[] {
  return items.flatMap((item) => (item.kind === "offer" ? [item.offer] : []));
}

/** Items of one kind. */
export function ofKind<K extends SourceItem["kind"]>(
  items: readonly SourceItem[],
  kind: K,
): Extract<SourceItem, { kind: K }>[] {
  return items.filter((item): item is Extract<SourceItem, { kind: K }> => item.kind === kind);
}

/** A catalog with SkyPilot's columns and the given rows; missing values are those of an 8x H100 of AWS. */
export function skypilotCsv(...rows: Partial<Record<string, string>>[]): string {
  const standard: Record<string, string> = {
    InstanceType: "p5.48xlarge",
    AcceleratorName: "H100",
    AcceleratorCount: "8",
    vCPUs: "192.0",
    MemoryGiB: "2048.0",
    GpuInfo: "",
    Price: "98.32",
    SpotPrice: "",
    Region: "us-east-1",
    AvailabilityZone: "",
    StorageGiB: "",
  };
  const lines = rows.map((row) => Object.keys(standard).map((column) => quote(row[column] ?? standard[column] ?? "")));
  return [Object.keys(standard), ...lines].map((line) => `${line.join(",")}\n`).join("");
}

const quote = (field: string) => `"${field.replaceAll('"', '""')}"`;
