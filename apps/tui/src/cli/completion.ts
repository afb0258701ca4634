import {
  CONTINENTS,
  gpuModels,
  LISTING_PARAMETERS,
  LISTING_PARAMETER_NAMES,
  type ListingParameter,
} from "@gpu-offers/domain";
import type { CompletedProgram, Values } from "@gpu-offers/completion";
import type { Command } from "commander";
import type { ValueKind } from "./completion-values.js";

/**
 * What shells complete: besides the program's own words, names of GPUs and continents, and values of the catalog.
 * @param read Reads the values of a kind.
 */
export function completedProgram(
  program: Command,
  read: (kind: ValueKind) => Promise<readonly string[]>,
): CompletedProgram {
  const valuesOf = (kind: ValueKind): Values => ({ words: () => read(kind) });
  const listOf = (kind: ValueKind): Values => ({ ...valuesOf(kind), isList: true });
  const wordsOf = (words: readonly string[]): Values => ({ words, isList: true });
  const ofParameters = LISTING_PARAMETER_NAMES.flatMap((name): [string, Values][] => {
    const { flag, values, named, control, suggestions }: ListingParameter = LISTING_PARAMETERS[name];
    const isOfCatalog = (suggestions ?? control?.valuesOf) !== undefined || named === "images";
    return values !== undefined ? [[`--${flag}`, wordsOf(values)]] : isOfCatalog ? [[`--${flag}`, listOf(name)]] : [];
  });
  return {
    program,
    options: {
      ...Object.fromEntries(ofParameters),
      "--gpu": wordsOf([...new Set(gpuModels.flatMap(({ family, slug }) => [family, slug]))].sort()),
      "--continent": wordsOf(CONTINENTS.map((name) => name.toLowerCase().replaceAll(" ", "-"))),
      "--id": listOf("id"),
    },
    arguments: {
      images: valuesOf("provider"),
      show: valuesOf("id"),
      compare: valuesOf("id"),
      launch: valuesOf("id"),
    },
  };
}
