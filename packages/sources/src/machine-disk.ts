import {
  fromMicros,
  HOURS_OF_A_MONTH,
  MAX_PRICE,
  providerKey,
  UNKNOWN_STORAGE,
  type Offer,
  type Storage,
} from "@gpu-offers/domain";
import { diskGaps, diskRows } from "./disks.facts.js";
import { Rejection } from "./rejection.js";

// The disks of a machine and what they cost: as its source states, as the same run reads them, or by facts/disks.csv. Every
// source and import asks machineDisk.

/** The price of a disk that a source reads in the same run, in the currency of its machines. What it doesn't say is as in facts/disks.csv. */
export type ReadDisk = Partial<Storage>;

/** The disk of a machine, as its source states it. Prices are in the currency of the machine's price. */
export type StatedDisk =
  /** Included in the price; the machine boots from it. */
  | {
      kind: "included";
      /** Size in GB. */
      sizeGb: number;
      /** Further disk, which isn't booted from, in GB. */
      scratchGb?: number;
      /** The volume that can be added. */
      volume?: ReadDisk | undefined;
    }
  /** A catalog's size, which may be that of the boot disk or of a scratch disk: facts/disks.csv says which. */
  | {
      kind: "stated";
      /** Size in GB; 0 if there is none. */
      sizeGb: number;
    }
  /** Sold apart. */
  | {
      kind: "unpriced";
      /** Scratch disk that is listed nevertheless, in GB. */
      sizeGb?: number;
      /** The disk that it boots from. */
      volume?: ReadDisk | undefined;
    }
  /** Sold apart, at a price that the source states for this machine. */
  | {
      kind: "chosen";
      /** Price of one GB and month, before rounding. */
      pricePerGbMonth: number;
      /** Hours of that month; default: 730. */
      hoursPerMonth?: number;
      /** Smallest size in GB. */
      minGb: number;
      /** Largest size in GB. */
      maxGb: number;
    }
  /** The API's terms; one size without a cost is included. */
  | {
      kind: "terms";
      /** Price of one GB per hour, before rounding. */
      costPerGb: number;
      /** Smallest size in GB. */
      minGb: number;
      /** Largest size in GB. */
      maxGb: number;
      /** Disk that the source lists besides, in GB. */
      listedGb?: number;
    };

/** What disks depend on. */
export interface DiskedMachine {
  /** Name of the provider, or of the tables that apply to it. */
  provider: string;
  /** The region as offers have it: `us-east-1/use1-az4`. */
  region: string;
  instanceType: string;
  disk: StatedDisk;
}

/** The currency of the machine's price, and US dollars for one unit. */
export interface DiskMoney {
  currency: string;
  rate: number;
}

/** The disks of a machine. */
export interface MachineDisk {
  /** The API's fields, which can state only a price that is linear. */
  terms: Pick<Offer, "storageCostPerGB" | "storageMinGB" | "storageMaxGB">;
  /** Whether these fields state the whole cost of the disk. */
  areTermsComplete: boolean;
  /** What is known beyond the API's fields; undefined if they say everything. */
  storage: Storage | undefined;
  /** Whether the price of the smallest disk is known. */
  isPriced: boolean;
  /** Disk that comes with the machine, for information, in whole GB. */
  localGb: number;
}

const DOLLARS: DiskMoney = { currency: "USD", rate: 1 };

/** The disks of a machine; a rejection if their price is none. */
export function machineDisk({ disk, ...machine }: DiskedMachine, money: DiskMoney = DOLLARS): MachineDisk | Rejection {
  const row = findDiskRow(machine);
  if (disk.kind === "terms") {
    const isFixed = disk.costPerGb === 0 && disk.minGb > 0 && disk.minGb === disk.maxGb;
    return isFixed
      ? includedDisk(disk.minGb, soldDisk(row, undefined, money), disk.listedGb ?? disk.minGb)
      : ownTerms(disk, money);
  }
  if (disk.kind === "chosen") {
    const { hoursPerMonth = HOURS_OF_A_MONTH, minGb, maxGb } = disk;
    const pricePerGbMonth = disk.pricePerGbMonth * money.rate;
    if (!(pricePerGbMonth <= MAX_PRICE)) {
      return new Rejection("bad_price", `The disk costs ${disk.pricePerGbMonth} per month for one GB.`);
    }
    const price = { pricePerGbMonth: toNanos(pricePerGbMonth), hoursPerMonth };
    return bootDisk({ ...UNKNOWN_STORAGE, includedGb: 0, minGb, maxGb, ...price }, 0);
  }
  const sizeGb = Math.floor(disk.sizeGb ?? 0);
  const localGb = sizeGb + (disk.kind === "included" ? Math.floor(disk.scratchGb ?? 0) : 0);
  const isBoot = sizeGb > 0 && (disk.kind === "included" || (disk.kind === "stated" && row?.use !== "boot"));
  const volume = soldDisk(row, disk.kind === "stated" ? undefined : disk.volume, money);
  return isBoot || row?.use === "added"
    ? includedDisk(isBoot ? sizeGb : null, volume, localGb)
    : bootDisk(volume ?? UNKNOWN_STORAGE, localGb);
}

/** A disk that the price includes, of a size that may be unknown, and the volume that can be added to it. */
function includedDisk(includedGb: number | null, volume: Storage | undefined, localGb: number): MachineDisk {
  const { minGb: minAddedGb = null, maxGb = null } = volume ?? {};
  const storage = volume && {
    ...volume,
    includedGb,
    minGb: includedGb,
    maxGb: includedGb === null || maxGb === null ? null : includedGb + maxGb,
    minAddedGb,
  };
  const terms = { storageCostPerGB: 0, storageMinGB: includedGb ?? 0, storageMaxGB: includedGb ?? 0 };
  return { terms, areTermsComplete: includedGb !== null, storage, isPriced: true, localGb };
}

function ownTerms(disk: Extract<StatedDisk, { kind: "terms" }>, { rate }: DiskMoney): MachineDisk | Rejection {
  const costPerGb = disk.costPerGb * rate;
  if (!(costPerGb <= MAX_PRICE)) {
    return new Rejection("bad_price", `The disk costs ${disk.costPerGb} per hour for one GB.`);
  }
  const terms = { storageCostPerGB: roundUp(costPerGb), storageMinGB: disk.minGb, storageMaxGB: disk.maxGb };
  return { terms, areTermsComplete: true, storage: undefined, isPriced: true, localGb: Math.floor(disk.listedGb ?? 0) };
}

/** A disk that the machine boots from, and that is paid apart. */
function bootDisk(storage: Storage, localGb: number): MachineDisk {
  const { minGb, maxGb, pricePerGbMonth, hoursPerMonth, steps } = storage;
  const isLinear = pricePerGbMonth !== null && minGb !== null && maxGb !== null;
  return {
    terms: isLinear
      ? { storageCostPerGB: roundUp(pricePerGbMonth / hoursPerMonth), storageMinGB: minGb, storageMaxGB: maxGb }
      : { storageCostPerGB: 0, storageMinGB: 0, storageMaxGB: 0 },
    areTermsComplete: isLinear,
    storage: storage === UNKNOWN_STORAGE ? undefined : storage,
    isPriced: minGb !== null && (pricePerGbMonth !== null || steps !== null),
    localGb,
  };
}

/** The disk that a provider sells: as the run reads it, and what it doesn't say by the table. */
function soldDisk(row: DiskRow | undefined, read: ReadDisk | undefined, money: DiskMoney): Storage | undefined {
  if (row === undefined && read === undefined) {
    return undefined;
  }
  const highest = read?.pricePerGbMonth ?? read?.steps?.at(-1)?.pricePerMonth ?? 0;
  const isRead = read !== undefined && highest * money.rate <= MAX_MONTHLY;
  // Rows in dollars need no rate; those in another currency need the machine's.
  const rate = isRead ? money.rate : row?.currency === undefined ? 1 : row.currency === money.currency ? money.rate : 0;
  const tabled = rate === 0 ? undefined : row;
  const price = isRead ? read : { pricePerGbMonth: tabled?.perGb ?? null, steps: tabled?.steps?.map(toStep) ?? null };
  const { pricePerGbMonth = null, steps = null } = price;
  const isPriced = pricePerGbMonth !== null || steps !== null;
  return {
    ...UNKNOWN_STORAGE,
    includedGb: row?.use === "added" ? null : 0,
    minGb: row?.minGb ?? null,
    maxGb: row?.maxGb ?? null,
    product: row?.product ?? null,
    hoursPerMonth: row?.hours ?? HOURS_OF_A_MONTH,
    asOf: isPriced && !isRead ? (row?.asOf ?? null) : null,
    source: row?.source ?? null,
    ...(isRead && read),
    pricePerGbMonth: pricePerGbMonth === null ? null : toNanos(pricePerGbMonth * rate),
    steps: steps?.map(({ gb, pricePerMonth }) => ({ gb, pricePerMonth: toNanos(pricePerMonth * rate) })) ?? null,
  };
}

function toStep([gb = 0, pricePerMonth = 0]: readonly number[]) {
  return { gb, pricePerMonth };
}

/** A price of a month above it, of a GB or of the largest size, is damaged. */
const MAX_MONTHLY = 100_000;

type DiskRow = (typeof diskRows)[number];

const rowsByProvider = Map.groupBy(diskRows, ({ provider }) => provider);

/** The row of facts/disks.csv for a machine. */
function findDiskRow({ provider, region, instanceType }: Omit<DiskedMachine, "disk">): DiskRow | undefined {
  const rows = rowsByProvider.get(providerKey(provider));
  if (rows === undefined) {
    return undefined;
  }
  const [whole = ""] = region.toLowerCase().split("/");
  // A zone has a letter behind its region: us-east-1a, us-central1-a.
  const regions = new Set([whole, whole.replace(/-?[a-z]$/, "")]);
  return rows.find(
    (row) =>
      (row.types?.test(instanceType) ?? true) &&
      (row.regions === undefined || row.regions.some((name) => regions.has(name))),
  );
}

/**
 * A price in USD as offers have it: at most 6 decimals, rounded up.
 * @throws RangeError unless it is from 0 to {@link MAX_PRICE}.
 */
export function roundUp(usd: number): number {
  if (!(usd >= 0 && usd <= MAX_PRICE)) {
    throw new RangeError(`A price must be a number from 0 to ${MAX_PRICE}, not ${usd}.`);
  }
  return fromMicros(wholeUnits(usd * 1e6));
}

/** USD with 9 decimals, rounded up: hourly prices of a GB have more than 6. */
function toNanos(usd: number): number {
  return wholeUnits(usd * 1e9) / 1e9;
}

/**
 * Rounds up, because an estimate must never be too low. Float noise of sums and products in a source is dropped before:
 * 8.000300000000001 means 8.0003.
 */
function wholeUnits(units: number): number {
  const nearest = Math.round(units);
  return Math.abs(units - nearest) <= 1e-3 ? nearest : Math.ceil(units);
}

/** The disks of a provider in facts/disks.csv. */
export interface DiskProducts {
  /** What machines boot from, and which volumes can be added; null if there is no row, and each offer states its own. */
  product: string | null;
  /** Price of a GB and month, such as `0.08-0.152 USD`; `by size` if sizes have prices of their own; null if unknown. */
  price: string | null;
  /** Day or month of the price. */
  asOf: string | null;
  /** What no source that can be cited states. */
  unknown: string | null;
}

/** Keys of the providers with rows of their own. */
export const DISK_PROVIDERS: readonly string[] = [
  ...new Set([...diskRows.map(({ provider }) => provider), ...diskGaps.keys()]),
];

/** The disks of a provider, by its name. */
export function diskProducts(name: string): DiskProducts {
  const key = providerKey(name);
  const rows = diskRows.filter(({ provider }) => provider === key);
  const products = rows.map(({ product, use }) => `${product}${use === "added" ? ", added" : ""}`);
  const priced = rows.filter(({ perGb, steps }) => (perGb ?? steps) !== undefined);
  return {
    product: [...new Set(products)].join("; ") || null,
    price: priceText(priced),
    asOf: priced[0]?.asOf ?? null,
    unknown: diskGaps.get(key) ?? null,
  };
}

function priceText(rows: readonly (typeof diskRows)[number][]): string | null {
  const prices = rows.flatMap(({ perGb }) => perGb ?? []);
  if (prices.length < rows.length) {
    return "by size";
  }
  const range = [...new Set([Math.min(...prices), Math.max(...prices)])].join("-");
  return prices.length === 0 ? null : `${range} ${rows[0]?.currency ?? "USD"}`;
}
