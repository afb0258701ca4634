import { continentCode, UNKNOWN_REGION, type Offer } from "@gpu-offers/domain";
import { printable } from "./printable.js";

// Display names of offers and places.

/** `8× H100 SXM 80G`, without the memory if the name includes it. */
export function gpuText({ gpu, gpuCount }: Pick<Offer, "gpu" | "gpuCount">): string {
  const memory = `${gpu.vramGB}G`;
  const isNamed = new RegExp(`\\b${memory}B?\\b`, "i").test(gpu.name);
  return printable(`${gpuCount}× ${gpu.name}${isNamed ? "" : ` ${memory}`}`);
}

/** `FI fin-01`: country and region, or only the region if the country is unknown. */
export function placeText(offer: Offer): string {
  const { countryCode, continent } = offer.regionInfo;
  // Some providers repeat the country in the region: `Michigan, US, NA`.
  const known = new Set(["", countryCode, continentCode(continent)]);
  const region = offer.region
    .split(/\s*,\s*/)
    .filter((part) => !known.has(part))
    .join(", ");
  const isKnown = countryCode !== UNKNOWN_REGION.countryCode;
  return printable(!isKnown ? region : region === "" ? countryCode : `${countryCode} ${region}`);
}

/** `Stockholm, Sweden`; only the city or the country if the other is unknown. */
export function cityText({ regionInfo: { cityState, countryName, countryCode } }: Offer): string {
  const country = countryCode === UNKNOWN_REGION.countryCode ? "" : countryName;
  return printable([cityState, country].filter((part) => part !== "").join(", "));
}

/** `EU 3 places ›`, with the common country or continent. */
export function placesText(places: readonly Offer[]): string {
  const countries = new Set(places.map(({ regionInfo }) => regionInfo.countryCode));
  const continents = new Set(places.map(({ regionInfo }) => continentCode(regionInfo.continent)));
  const shared = countries.size === 1 ? [...countries] : continents.size === 1 ? [...continents] : [];
  const name = shared.find((code) => code !== UNKNOWN_REGION.countryCode && code !== "??");
  return printable(`${name === undefined ? "" : `${name} `}${places.length} places ›`);
}
