import { continentCode, UNKNOWN_REGION, type Offer } from "@gpu-offers/domain";
import { printable } from "../text/width.js";

// What an offer is called, and where it is.

/** `8× H100 SXM 80G`: the memory is left out where the name has it already. */
export function gpuText({ gpu, gpuCount }: Offer): string {
  const memory = `${gpu.vramGB}G`;
  const isNamed = new RegExp(`\\b${memory}B?\\b`, "i").test(gpu.name);
  return printable(`${gpuCount}× ${gpu.name}${isNamed ? "" : ` ${memory}`}`);
}

/** `FI fin-01`: country and region; the region alone where its country is not known. */
export function placeText(offer: Offer): string {
  const { countryCode, continent } = offer.regionInfo;
  // Some providers write the country into the region as well: `Michigan, US, NA`.
  const known = new Set(["", countryCode, continentCode(continent)]);
  const region = offer.region
    .split(/\s*,\s*/)
    .filter((part) => !known.has(part))
    .join(", ");
  const isKnown = countryCode !== UNKNOWN_REGION.countryCode;
  return printable(!isKnown ? region : region === "" ? countryCode : `${countryCode} ${region}`);
}

/** `EU 3 places ›`: the country, or the continent, that all of them share. */
export function placesText(places: readonly Offer[]): string {
  const countries = new Set(places.map(({ regionInfo }) => regionInfo.countryCode));
  const continents = new Set(places.map(({ regionInfo }) => continentCode(regionInfo.continent)));
  const shared = countries.size === 1 ? [...countries] : continents.size === 1 ? [...continents] : [];
  const name = shared.find((code) => code !== UNKNOWN_REGION.countryCode && code !== "??");
  return printable(`${name === undefined ? "" : `${name} `}${places.length} places ›`);
}
