import { findGpuModel, type GpuModel } from "@gpu-offers/domain";
import { showValue } from "./shown-value.js";
import { SourceError } from "./source-error.js";

/** GPU names that the operator defined, in lower case with single spaces. */
export type GpuAliases = ReadonlyMap<string, GpuModel>;

const LINE = /^(?<name>[^=]+)=(?<slug>[^=]+)$/;

/**
 * Parses aliases written as `NAME=slug`, such as `H100 Turbo=h100-pcie`. Case and separators of a name are ignored; of
 * equal names, the last one counts.
 * @throws SourceError for any other form, or for an unknown GPU slug.
 */
export function parseGpuAliases(lines: Iterable<string>): GpuAliases {
  const aliases = new Map<string, GpuModel>();
  for (const line of lines) {
    const { name = "", slug = "" } = LINE.exec(line)?.groups ?? {};
    if (aliasKey(name) === "") {
      throw new SourceError(`${showValue(line)} is not a GPU alias. Write NAME=slug, such as "H100 Turbo=h100-pcie".`);
    }
    const model = findGpuModel(slug.trim().toLowerCase());
    if (model === undefined) {
      throw new SourceError(`${showValue(slug.trim())} in the GPU alias ${showValue(line)} is not a known GPU slug.`);
    }
    aliases.set(aliasKey(name), model);
  }
  return aliases;
}

/**
 * Parses an alias file: one `NAME=slug` per line. Empty lines and lines that start with `#` are ignored.
 * @throws SourceError like {@link parseGpuAliases}.
 */
export function readGpuAliasFile(text: string): GpuAliases {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  return parseGpuAliases(lines.filter((line) => line.trim() !== "" && !line.trim().startsWith("#")));
}

/** The model that an operator's alias gives a name. */
export function findAlias(name: string, aliases: GpuAliases | undefined): GpuModel | undefined {
  return aliases?.get(aliasKey(name));
}

/** A name without case and separators, so that `RTX_6000-Foo` and `rtx 6000 foo` are equal. */
function aliasKey(name: string): string {
  return name
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter(Boolean)
    .join(" ");
}
