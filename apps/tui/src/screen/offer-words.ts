import { isDiskFixed, placeCode, type Balance, type Offer } from "@gpu-offers/domain";
import { countText } from "../output/count-text.js";
import { paidDiskGb, totalMicros } from "../output/offer-cost.js";
import { decimalsFor, microsText, usdText } from "../output/price-text.js";
import { runwayOf } from "../output/runway-text.js";
import { printable } from "../text/width.js";

// An offer in sentences: for the summary, the details and the prompts.

/** The parts of a one-line summary: what it is, where, the machine, the price, how long the credit lasts. */
export function summaryParts(offer: Offer, neededGb: number | undefined, balance: Balance | undefined): string[] {
  const { gpu, specs } = offer;
  const micros = totalMicros(offer, neededGb);
  const runway = runwayOf(balance, micros);
  return [
    `${offer.gpuCount}×${printable(gpu.name)} ${gpu.vramGB}G`,
    printable(offer.provider.name),
    printable(placeCode(offer.regionInfo)),
    specs.vcpu === 0 ? "" : `${specs.vcpu} vCPU`,
    specs.ram === 0 ? "" : `${countText(specs.ram)} GB`,
    offer.isAvailable ? "" : "NOT AVAILABLE",
    priceSentence(offer, neededGb),
    runway === undefined ? "" : `runway ${runway}`,
  ].filter((part) => part !== "");
}

/** `$1.97/h with 500 GB`; `$1.90/h` where the disk is included; `at least $1.90/h` where a part is not known. */
export function priceSentence(offer: Offer, neededGb: number | undefined): string {
  const micros = totalMicros(offer, neededGb);
  const price = `$${microsText(micros, decimalsFor([micros]))}/h`;
  const disk = isDiskFixed(offer) ? "" : ` with ${countText(paidDiskGb(offer, neededGb))} GB`;
  return `${offer.costDataComplete ? "" : "at least "}${price}${disk}`;
}

/** What disk the offer has or can have. */
export function diskSentence(offer: Offer): string {
  const { storageMinGB, storageMaxGB, storageCostPerGB } = offer;
  return isDiskFixed(offer)
    ? `${countText(storageMaxGB)} GB included`
    : `${countText(storageMinGB)}–${countText(storageMaxGB)} GB at $${storageCostPerGB}/GB-h`;
}

/** Names and values of everything that an offer says, for the details. */
export function offerFacts(
  offer: Offer,
  neededGb: number | undefined,
  balance: Balance | undefined,
): [string, string][] {
  const { gpu, regionInfo, specs, interconnect } = offer;
  const place = [regionInfo.cityState, regionInfo.countryName, regionInfo.continent].filter((part) => part !== "");
  const known = (count: number, unit: string): string => (count === 0 ? "not told" : `${countText(count)}${unit}`);
  const runway = runwayOf(balance, totalMicros(offer, neededGb));
  const facts: [string, string][] = [
    ["GPU", `${offer.gpuCount} × ${gpu.name}`],
    ["VRAM", `${gpu.vramGB} GB each, ${countText(gpu.vramGB * offer.gpuCount)} GB in all`],
    ["architecture", `${gpu.architecture}${offer.nvlinkEnabled ? ", NVLink" : ""}`],
    ["provider", `${offer.provider.name} (${offer.deploymentType})`],
    ["region", offer.region],
    ["place", place.join(", ")],
    ["CPU, memory", `${known(specs.vcpu, " vCPU")}, ${known(specs.ram, " GB")}`],
    ["disk", diskSentence(offer)],
    [
      "network",
      interconnect === null
        ? "not told"
        : typeof interconnect === "string"
          ? interconnect
          : JSON.stringify(interconnect),
    ],
    ["available", offer.isAvailable ? "yes" : "no"],
    ["per GPU", `${usdText(offer.pricePerGpu)}/h`],
    ["instance", `${offer.costDataComplete ? "" : "at least "}${usdText(offer.priceHourly)}/h without disk`],
    ["with disk", priceSentence(offer, neededGb)],
    ["30 days", `$${countText(Math.ceil((totalMicros(offer, neededGb) * 720) / 1e6))}`],
    ["runway", runway ?? "needs an API key"],
    ["id", offer.id],
  ];
  return facts.map(([name, value]) => [name, printable(value)]);
}
