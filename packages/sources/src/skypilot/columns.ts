import { SourceError } from "../source-error.js";

const REQUIRED = ["InstanceType", "AcceleratorName", "AcceleratorCount", "Price", "Region"] as const;
// Files from 2022 lack vCPUs.
const OPTIONAL = [
  "vCPUs",
  "MemoryGiB",
  "AvailabilityZone",
  "GpuInfo",
  "SpotPrice",
  "StorageGiB",
  "UpstreamCloudId",
] as const;

/** Every column that is read. */
export const COLUMNS = [...REQUIRED, ...OPTIONAL];

/** The name of a column that is read. */
export type Column = (typeof COLUMNS)[number];

/** Reads a column of a row. */
export type Get = (column: Column) => string;

// Maximum length of a meaningful text in any column; the longest in real catalogs is about 150.
const MAX_TEXT = 1000;

/** Column positions, because their order differs between files. */
export class Columns {
  /** Fields that every row must have. */
  readonly count: number;
  readonly #positions: ReadonlyMap<string, number>;

  /** @throws SourceError if a required column is missing, a column is duplicated, or the header doesn't end at its line. */
  constructor(header: readonly string[]) {
    const names = header.map((name) => name.trim());
    if (names.some((name) => name.includes("\r"))) {
      throw new SourceError("The lines end with CR. Save the file with LF or CRLF line endings.", "line 1");
    }
    this.count = names.length;
    this.#positions = new Map(names.map((name, position) => [name, position]));
    const missing = REQUIRED.filter((name) => !this.#positions.has(name));
    if (missing.length > 0) {
      throw new SourceError(
        `The header has no column ${missing.join(", ")}. The first line of a SkyPilot catalog names its columns.`,
        "line 1",
      );
    }
    const twice = COLUMNS.filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
    if (twice.length > 0) {
      throw new SourceError(`The header has the column ${twice.join(", ")} twice. Remove one.`, "line 1");
    }
  }

  /** A column whose text is too long; no pattern runs on such a text. */
  findOverlong(fields: readonly string[]): Column | undefined {
    return COLUMNS.find((column) => this.read(fields, column).length > MAX_TEXT);
  }

  /** The trimmed text of a row in a column; empty if the file has no such column. */
  read(fields: readonly string[], column: Column): string {
    const position = this.#positions.get(column);
    return position === undefined ? "" : (fields[position] ?? "").trim();
  }
}
