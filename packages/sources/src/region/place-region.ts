import { UNKNOWN_REGION, type RegionInfo } from "@gpu-offers/domain";
import { placeIn } from "./country.js";
import { tableName } from "../provider-alias.js";
import { REGION_TABLES } from "./region-tables.js";
import { commonRules, PROVIDER_RULES } from "./region-rules.js";

// Longest text that may name a region, as in a published offer. Patterns are not asked about anything longer.
const MAX_LENGTH = 200;

/**
 * Where a provider's region lies. The provider's table of regions decides, then the provider's own way of
 * naming regions, then ways that any provider may use (`US`, `NORWAY-1`, `Michigan, US, NA`).
 * @param zone A finer place within the region; it is asked first.
 * @returns `regionInfo` of an offer; {@link UNKNOWN_REGION} when nobody can tell.
 */
export function placeRegion(provider: string, region: string, zone?: string): RegionInfo {
  const name = tableName(provider);
  // An offer's region may be "region/zone", where the zone alone would not name the region.
  const texts = [zone ?? "", region, region.split("/", 1)[0] ?? ""];
  for (const text of texts.filter(({ length }) => length <= MAX_LENGTH)) {
    const info = tabledPlace(name, text) ?? ruledPlace(name, text);
    if (info !== undefined) {
      return info;
    }
  }
  return { ...UNKNOWN_REGION };
}

function tabledPlace(provider: string, text: string): RegionInfo | undefined {
  const table = REGION_TABLES.get(provider);
  if (table === undefined) {
    return undefined;
  }
  const key = text.toLowerCase();
  const place = table.places.get(key) ?? table.places.get(key.replace(table.suffix, ""));
  return place && placeIn(...place);
}

function ruledPlace(provider: string, text: string): RegionInfo | undefined {
  for (const rule of [...(PROVIDER_RULES.get(provider) ?? []), ...commonRules]) {
    const place = rule(text);
    const info = place && placeIn(...place);
    if (info !== undefined) {
      return info;
    }
  }
  return undefined;
}
