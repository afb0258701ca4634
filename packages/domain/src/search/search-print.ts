import type { WantedImage } from "../image/image-filter.js";
import { providerKey } from "../provider/provider-key.js";
import type { SearchNames } from "./search-names.js";
import type { SearchField, SearchTerm, SearchWishes } from "./search-term.js";

// Exact forms of terms, which read the same in every catalog: `gpu==h100`, `place=de,@eu`, `price<2`.

const FIELD_NAMES: Readonly<Record<SearchField, string>> = {
  gpuCount: "gpus",
  vram: "vram",
  totalVram: "totalvram",
  ram: "ram",
  vcpu: "vcpu",
  disk: "disk",
  pricePerGpu: "price",
  priceHourly: "hourly",
};

/** The name of a field in an exact form. */
export function fieldName(field: SearchField): string {
  return FIELD_NAMES[field];
}

const DEPLOYMENT_WORDS: ReadonlyMap<string, string> = new Map([
  ["virtual", "vm"],
  ["bare-metal", "bare-metal"],
  ["container", "container"],
]);

/** The text of terms that must all match, with their wishes. Reading it gives the same terms. */
export function printSearch(terms: readonly SearchTerm[], wishes: SearchWishes = {}): string {
  const spot = wishes.spot === false ? ["on-demand"] : [];
  const sort = wishes.sortBy === undefined ? [] : ["cheapest"];
  return [...sort, ...spot, ...terms.map(printTerm)].join(" ");
}

function printTerm(term: SearchTerm): string {
  switch (term.kind) {
    case "any":
      return term.terms.map(printTerm).join("|");
    case "all":
      return term.terms.map(printTerm).join("&");
    case "not":
      return `!${printTerm(term.term)}`;
    case "gpu":
      return `gpu=${term.slugs.map((slug) => `=${slug}`).join(",")}`;
    case "provider":
      return `provider=${term.keys.join(",")}`;
    case "place":
      return `place=${[...term.codes.map(printCode), ...(term.name === undefined ? [] : [`~${spaceless(term.name)}`])].join(",")}`;
    case "type":
      return `type=${term.isWhole === true ? "=" : ""}${term.text}`;
    case "image":
      return printImage(term.wanted);
    case "deployment":
      return term.types.map((type) => DEPLOYMENT_WORDS.get(type) ?? type).join("|");
    case "nvlink":
    case "available":
    case "spot":
      return term.kind;
    case "word":
      return `${term.isOpen === true ? "begins" : "text"}=${term.text}`;
    case "phrase":
      return `"${term.text}${term.isOpen ? "" : '"'}`;
    case "number":
      return `number=${term.value}`;
    case "compare":
      return `${fieldName(term.field)}${term.operator}${term.value}`;
  }
}

function printCode(code: string): string {
  return code.startsWith("@") || code.length === 2 ? code : `=${code}`;
}

function spaceless(name: string): string {
  return name.replaceAll(" ", "_");
}

function printImage({ os, cuda, hasCuda, hasDocker }: WantedImage): string {
  const words = [os, cuda === undefined ? undefined : `cuda-${cuda}`, hasCuda && "cuda", hasDocker && "docker"];
  return words.filter((word) => typeof word === "string").join(" ");
}

/** The term of a field and its values, as printed: `gpu=h100`, `place=de,@eu`; undefined for other words. */
export function readField(word: string, names: SearchNames): SearchTerm | undefined {
  const [, field = "", value = ""] = /^([a-z]+)=(.+)$/i.exec(word) ?? [];
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
      return value.startsWith("=") && value.length > 1
        ? { kind: "type", text: value.slice(1), isWhole: true }
        : { kind: "type", text: value };
    case "text":
      return { kind: "word", text: value };
    case "begins":
      return { kind: "word", text: value, isOpen: true };
    case "number":
      return /^\d{1,9}$/.test(value) ? { kind: "number", value: Number(value) } : undefined;
    default:
      return undefined;
  }
}

function placeTerm(items: readonly string[], names: SearchNames): SearchTerm {
  const codes: string[] = [];
  let name: string | undefined;
  for (const item of items.map((text) => text.toLowerCase())) {
    const place = /^(?:@|=|~|[a-z]{2}$)/.test(item) ? undefined : names.place(item);
    if (item.startsWith("~")) {
      name = item.slice(1).replaceAll("_", " ");
    } else if (place === undefined) {
      codes.push(item.replace(/^=/, ""));
    } else {
      codes.push(...place.codes);
      name ??= place.name;
    }
  }
  return { kind: "place", codes: [...new Set(codes)], ...(name === undefined ? {} : { name }) };
}
