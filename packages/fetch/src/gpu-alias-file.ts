import { readFileSync } from "node:fs";
import { readGpuAliasFile, SourceError, type GpuAliases } from "@gpu-offers/sources";
import { reasonOf } from "@gpu-offers/domain";
import { ConfigError } from "./config-error.js";

/**
 * Reads the GPU names that the operator defined, for live sources and for manual imports.
 * @throws ConfigError when the file cannot be read or an alias is invalid.
 */
export function readGpuAliases({ GPU_ALIASES_FILE: file }: { GPU_ALIASES_FILE?: string | undefined }): GpuAliases {
  if (file === undefined) {
    return new Map();
  }
  try {
    return readGpuAliasFile(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ConfigError(
      error instanceof SourceError ? `${file}: ${error.message}` : `GPU aliases cannot be read: ${reasonOf(error)}.`,
    );
  }
}
