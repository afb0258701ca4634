import { shellWord } from "@gpu-offers/domain";
import type { CatalogPlace } from "./catalog-file.js";
import { LoadedSource } from "./loaded-source.js";
import type { OfferSource } from "./offer-source.js";

/** Offers of a catalog file, without a server. */
export function fileSource(file: CatalogPlace): OfferSource {
  const provider = file.provider === undefined ? "" : ` --provider ${shellWord(file.provider)}`;
  return new LoadedSource({
    place: file.path,
    options: `--catalog ${shellWord(file.path)}${provider}`,
    read: async () => {
      const { readCatalogFile } = await import("./catalog-file.js");
      return readCatalogFile(file);
    },
    // A file may have changed. Standard input can only be read once.
    isReread: file.path !== "-",
    noAccount: "a catalog file has no account. Remove --catalog.",
  });
}
