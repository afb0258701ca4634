import type { Offer, Searched } from "@gpu-offers/domain";

// Plain conditions on the fields of offers, for what searches must find. They share nothing with the grammar of searches.

/** Whether an offer is meant. */
export type Condition = (searched: Searched) => boolean;

const on =
  (test: (offer: Offer) => boolean): Condition =>
  ({ offer }) =>
    test(offer);

export const slug = (pattern: RegExp): Condition => on(({ gpu }) => pattern.test(gpu.slug));
export const count = (least: number, most = least): Condition =>
  on(({ gpuCount }) => gpuCount >= least && gpuCount <= most);
export const vram = (least: number, most = least): Condition =>
  on(({ gpu }) => gpu.vramGB >= least && gpu.vramGB <= most);
export const vramFrom = (gb: number): Condition => vram(gb, Infinity);
export const vramAbove = (gb: number): Condition => on(({ gpu }) => gpu.vramGB > gb);
export const totalVramFrom = (gb: number): Condition => on(({ gpu, gpuCount }) => gpu.vramGB * gpuCount >= gb);
export const ramFrom = (gb: number): Condition => on(({ specs }) => specs.ram >= gb);
export const ramAbove = (gb: number): Condition => on(({ specs }) => specs.ram > gb);
export const vcpuFrom = (least: number): Condition => on(({ specs }) => specs.vcpu >= least);
/** The disk is included, can be chosen, or nothing is known about disks. */
export const diskFrom = (gb: number): Condition =>
  on(({ storageMaxGB, costDataComplete }) => storageMaxGB >= gb || (storageMaxGB === 0 && !costDataComplete));
export const below = (usd: number): Condition => on(({ pricePerGpu }) => pricePerGpu < usd);
export const atMost = (usd: number): Condition => on(({ pricePerGpu }) => pricePerGpu <= usd);
export const atLeast = (usd: number): Condition => on(({ pricePerGpu }) => pricePerGpu >= usd);
export const above = (usd: number): Condition => on(({ pricePerGpu }) => pricePerGpu > usd);
export const hourlyBelow = (usd: number): Condition => on(({ priceHourly }) => priceHourly < usd);
export const hourlyAtMost = (usd: number): Condition => on(({ priceHourly }) => priceHourly <= usd);
export const by = (...names: string[]): Condition => on(({ provider }) => names.includes(provider.name));
export const country = (...codes: string[]): Condition =>
  on(({ regionInfo }) => codes.includes(regionInfo.countryCode));
export const continent = (...names: string[]): Condition =>
  on(({ regionInfo }) => names.includes(regionInfo.continent));
/** The region or the city. */
export const place = (pattern: RegExp): Condition =>
  on(({ region, regionInfo }) => pattern.test(region) || pattern.test(regionInfo.cityState));
export const architecture = (name: string): Condition => on(({ gpu }) => gpu.architecture.startsWith(name));
export const deployment = (type: string): Condition => on(({ deploymentType }) => deploymentType === type);
export const network = (pattern: RegExp): Condition =>
  on(({ interconnect }) => typeof interconnect === "string" && pattern.test(interconnect));
export const nvlink: Condition = on(({ nvlinkEnabled }) => nvlinkEnabled);
export const available: Condition = on(({ isAvailable }) => isAvailable);
export const type =
  (pattern: RegExp): Condition =>
  ({ instanceType }) =>
    typeof instanceType === "string" && pattern.test(instanceType);
const spotOf = ({ spot }: Searched): number => (spot?.kind === "price" ? spot.priceHourly : Number.NaN);
export const spot: Condition = (searched) => spotOf(searched) > 0;
/** A spot price per GPU. */
export const spotBelow =
  (usd: number): Condition =>
  (searched) =>
    spotOf(searched) / searched.offer.gpuCount < usd;
/** A number alone: a count, a memory size, a number in the GPU's name. */
export const number = (value: number): Condition =>
  any(
    count(value),
    vram(value),
    on(({ gpu }) => gpu.name.split(/\D+/).includes(String(value))),
  );
export const all =
  (...conditions: Condition[]): Condition =>
  (searched) =>
    conditions.every((holds) => holds(searched));
export const any =
  (...conditions: Condition[]): Condition =>
  (searched) =>
    conditions.some((holds) => holds(searched));
export const not =
  (condition: Condition): Condition =>
  (searched) =>
    !condition(searched);
export const everything: Condition = () => true;

export const h100 = slug(/^h100(-|$)/);
export const h200 = slug(/^h200(-|$)/);
export const a100 = slug(/^a100-/);
export const a10 = slug(/^a10$/);
export const v100 = slug(/^v100(-|$)/);
export const b200 = slug(/^b200$/);
export const l4 = slug(/^l4$/);
export const l40s = slug(/^l40s$/);
export const t4 = slug(/^t4$/);
export const a6000 = slug(/^rtx-a6000$/);
export const sxm = slug(/-sxm(-|$)/);
/** The name "4090" is also the export card's, and the rebuilt one's. */
export const rtx4090 = slug(/^rtx-4090(-|$)/);
export const rtx3090 = slug(/^rtx-3090(-|$)/);
export const amd = slug(/^(mi\d|radeon|rx-)/);
export const europe = continent("Europe");
/** The members of the European Union. */
const MEMBERS = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ");
export const members = country(...MEMBERS);
export const us = country("US");

/** Searches with one meaning. */
export type Row = readonly [reading: string, meant: Condition, ...texts: string[]];
