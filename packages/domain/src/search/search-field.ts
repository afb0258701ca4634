import { providerKey } from "../provider/provider-key.js";
import type { SearchNames } from "./search-names.js";
import type { SearchField, SearchTerm } from "./search-term.js";

// Fields by their names: `vram>=40`, `gpu=h100`, `place=de,eu`.

/** The names by which a search compares fields. */
export const FIELD_NAMES: Readonly<Record<SearchField, string>> = {
  gpuCount: "gpus",
  vram: "vram",
  totalVram: "totalvram",
  ram: "ram",
  vcpu: "vcpu",
  disk: "disk",
  pricePerGpu: "price",
  priceHourly: "hourly",
};

/** The term of a field that is one of several names: `gpu=h100`, `provider:aws`, `place=de,eu`; undefined for other words. */
export function readField(word: string, names: SearchNames): SearchTerm | undefined {
  const [, field = "", value = ""] = /^([a-z]+)[=:](.+)$/i.exec(word) ?? [];
  const items = value.split(",").filter((item) => item !== "");
  if (items.length === 0) {
    return undefined;
  }
  switch (field.toLowerCase()) {
    case "gpu": {
      const slugs = [...new Set(items.flatMap((item) => names.gpu(item) ?? []))].sort();
      return slugs.length === 0 ? undefined : { kind: "gpu", slugs };
    }
    case "provider":
      return {
        kind: "provider",
        keys: [...new Set(items.flatMap((item) => names.provider(item) ?? [providerKey(item)]))],
      };
    case "place":
    case "country":
    case "continent":
      return placeTerm(items, names);
    case "type":
      return { kind: "type", text: value };
    default:
      return undefined;
  }
}

function placeTerm(items: readonly string[], names: SearchNames): SearchTerm {
  const places = items.map((item) => names.place(item) ?? { codes: [item.toLowerCase()], name: undefined });
  const name = places.find((place) => place.name !== undefined)?.name;
  const codes = [...new Set(places.flatMap((place) => place.codes))];
  return { kind: "place", codes, ...(name === undefined ? {} : { name }) };
}
