import { CONTINENTS, gpuModels } from "@gpu-offers/domain";
import type { CompletedProgram, Values } from "@gpu-offers/completion";
import type { Command } from "commander";
import type { ValueKind } from "./completion-values.js";

const NAME = "gpu-offers";

/** Values of the catalog, one per line, with a short timeout. */
const valuesOf = (kind: ValueKind, isList = false): Values => ({
  kind: "lines",
  command: `${NAME} complete ${kind} 2>/dev/null`,
  isList,
});
const listOf = (kind: ValueKind): Values => valuesOf(kind, true);
const wordsOf = (words: readonly string[]): Values => ({ kind: "words", words, isList: true });

/** What shells complete: besides the program's own words, names of GPUs and continents, and values of the catalog. */
export function completedProgram(program: Command): CompletedProgram {
  return {
    name: NAME,
    program,
    options: {
      "--gpu": wordsOf([...new Set(gpuModels.flatMap(({ family, slug }) => [family, slug]))].sort()),
      "--continent": wordsOf(CONTINENTS.map((name) => name.toLowerCase().replaceAll(" ", "-"))),
      "--provider": listOf("provider"),
      "--country": listOf("country"),
      "--region": listOf("region"),
      "--image": listOf("image"),
      "--os": listOf("os"),
      "--id": listOf("id"),
      "--catalog": { kind: "file" },
    },
    arguments: {
      images: valuesOf("provider"),
      show: valuesOf("id"),
      compare: valuesOf("id"),
      launch: valuesOf("id"),
    },
  };
}
