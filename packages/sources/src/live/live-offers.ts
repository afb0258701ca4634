import {
  AVAILABILITIES,
  PROVIDER_TYPES,
  SPOT_KINDS,
  statedAvailability,
  statedFactsSchema,
  unknownParameter,
  type Availability,
} from "@gpu-offers/domain";
import * as z from "zod";
import { asOfSchema } from "../as-of.js";
import { dollars, type MoneyOf } from "../currencies.js";
import { dedupe } from "../duplicates.js";
import type { GpuClaim } from "../choose-gpu.js";
import { issueText } from "../issue-text.js";
import { machineItem, type Machine } from "../machine.js";
import { Rejection } from "../rejection.js";
import type { StatedPlace } from "../region/locate.js";
import { showValue } from "../shown-value.js";
import { SourceError } from "../source-error.js";
import { DEPLOYMENT_TYPE_OF, type ProviderType, type SourceImage } from "../source-item.js";
import { stockOf, type LiveContext, type LiveItem, type LiveSource } from "./live-source.js";
import type { ParsedRow } from "./response.js";

const UNKNOWN_REGION_NAME = "unknown";

/** A configuration that a source sells, in the source's terms. */
export interface LiveRow extends Pick<
  Machine,
  "isAvailable" | "vcpu" | "ramGb" | "disk" | "nvlink" | "interconnect" | "costDataComplete" | "listing"
> {
  /** Names the configuration in the source; with the region it identifies the offer. `listing` has what one rents. */
  instanceType: string;
  /** The provider's region; null if the source has none. */
  region: string | null;
  /** False if `instanceType` alone identifies the offer: a machine of a market has one location, whatever its name. */
  regionIdentifies?: boolean;
  /** False if the source has rows of one `instanceType` with different GPUs, so that these identify the offer, too. */
  typeFixesGpu?: boolean;
  /** What the source states about the location besides the region name. */
  place?: Omit<StatedPlace, "provider" | "region"> | undefined;
  /** What the source states about the GPUs. */
  gpu: Omit<GpuClaim, "provider" | "instanceType" | "aliases">;
  /** Price per hour for the whole instance, before rounding. */
  priceHourly: number;
  /** Its currency, ISO 4217; default: that of the source. */
  currency?: string;
  /** Deployment type, if the provider's type doesn't determine it. */
  type?: ProviderType | undefined;
  /** Whether it can be had, if that isn't what `isAvailable` says of a source with its stock: see `statedAvailability`. */
  availability?: Availability | undefined;
  /** Its stock in the provider's own words, or a number; unset if it states none. */
  stockLevel?: string | number | null | undefined;
}

// What a source may say of a machine, for sources that no compiler has checked: a misspelled field would be lost.

const amount = z.number().min(0);
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullish();
const volume = z.record(z.string(), z.unknown()).optional();
const text = z.string().optional();

/** An object without other fields than these; an error names the nearest of them. */
function exactly<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => `${key} ${unknownParameter(key, known)}`).join("; ")
        : undefined,
  });
}

const diskSchema = z.discriminatedUnion("kind", [
  exactly({ kind: z.literal("included"), sizeGb: amount, scratchGb: amount.optional(), volume }),
  exactly({ kind: z.literal("stated"), sizeGb: amount }),
  exactly({ kind: z.literal("unpriced"), sizeGb: amount.optional(), volume }),
  exactly({
    kind: z.literal("chosen"),
    pricePerGbMonth: amount,
    hoursPerMonth: amount.optional(),
    minGb: amount,
    maxGb: amount,
  }),
  exactly({
    kind: z.literal("terms"),
    costPerGb: amount,
    minGb: amount,
    maxGb: amount,
    listedGb: amount.optional(),
  }),
]);

const liveRowSchema = exactly({
  instanceType: z.string(),
  region: z.string().nullable(),
  regionIdentifies: z.boolean().optional(),
  typeFixesGpu: z.boolean().optional(),
  place: optional(exactly({ zone: text, countryCode: text, country: text, continent: text, city: text })),
  gpu: exactly({
    name: z.string(),
    otherNames: z.array(z.string()).readonly().optional(),
    count: z.number().optional(),
    vramGb: z.number().optional(),
    totalVramGb: z.number().optional(),
    unclearVramGb: z.number().optional(),
  }),
  priceHourly: z.number(),
  currency: text,
  type: z.enum(PROVIDER_TYPES).optional(),
  isAvailable: z.boolean(),
  availability: z.enum(AVAILABILITIES).optional(),
  stockLevel: optional(z.union([z.string(), z.number()])),
  vcpu: optional(z.number()),
  ramGb: optional(z.number()),
  disk: diskSchema,
  nvlink: z.boolean().optional(),
  interconnect: optional(z.string()),
  costDataComplete: z.boolean().optional(),
  listing: exactly({
    ...statedFactsSchema.shape,
    egressPerGB: optional(amount),
    ingressPerGB: optional(amount),
    spot: optional(exactly({ priceHourly: amount, kind: z.enum(SPOT_KINDS) })),
  }).optional(),
});

/**
 * Checks a row of a source.
 * @throws SourceError that names each field that is unknown, missing or invalid, with its value.
 */
function checkLiveRow(where: string, row: unknown): void {
  const result = liveRowSchema.safeParse(row);
  if (!result.success) {
    const values = result.error.issues.flatMap(({ path }) => {
      const value = path.reduce<unknown>((inner, key) => Object(inner)[key] as unknown, row);
      return value === undefined || typeof value === "object" ? [] : [`${path.join(".")} is ${showValue(value)}`];
    });
    const got = values.length === 0 ? "" : ` (${values.join(", ")})`;
    throw new SourceError(`the source returns an invalid row. ${issueText(result.error)}${got}`, where);
  }
}

/** Converts the configurations of one provider into offers. */
export class LiveOffers {
  /** Name of the provider, as its offers have it. */
  readonly provider: string;
  /** What its rows know of stock; undefined for a price list of one's own. */
  readonly #stock: LiveSource["stock"] | undefined;

  /**
   * @param source Its name selects region tables and instance types, and is the provider's name unless the settings override it.
   * @param money Terms of other currencies than USD; default: prices in them are rejected.
   */
  constructor(
    /** What the source says of all its offers. */
    private readonly source: Pick<LiveSource, "name" | "type"> &
      Partial<Omit<LiveSource, "currency">> & { currency?: string },
    /** Settings, aliases and keys of the run. */
    private readonly context: Pick<LiveContext, "settings" | "aliases"> & Partial<LiveContext>,
    /** The currency of the prices, and what it is in dollars. */
    private readonly money: MoneyOf = dollars,
  ) {
    this.provider = context.settings.provider ?? source.name;
    this.#stock = statedStock(source, context.secrets ?? {});
  }

  /**
   * The item that names the seller of the offers.
   * @param asOf The date of the prices, if the source states one. In another form than ISO 8601 it is unknown.
   * @param images The provider's images; undefined if the source doesn't state them.
   */
  providerItem(asOf?: string | null, images?: SourceImage[]): LiveItem {
    const provider = {
      name: this.provider,
      type: this.source.type,
      ...(asOf === undefined ? {} : { asOf: asOfSchema.safeParse(asOf).data ?? null }),
      ...(images === undefined ? {} : { images }),
    };
    return { kind: "provider", where: "provider", provider };
  }

  /** The items of rows that were validated, as `read` returns them; one that doesn't match is rejected. */
  each<T>(
    rows: Iterable<ParsedRow<T>>,
    read: (row: T, where: string) => readonly LiveItem[],
    scopeOf?: (row: Rejection) => string | undefined,
  ): LiveItem[] {
    return [...rows].flatMap(({ where, row }) =>
      row instanceof Rejection ? [this.item(where, row, scopeOf?.(row))] : read(row, where),
    );
  }

  /**
   * The items of rows that were validated; one that doesn't match is rejected.
   * @param read What a row sells; undefined if that is no GPU.
   * @param scopeOf The scope of a row.
   */
  items<T>(
    rows: Iterable<ParsedRow<T>>,
    read: (row: T, where: string) => LiveRow | Rejection | readonly (LiveRow | Rejection)[] | undefined,
    scopeOf?: (row: T | Rejection) => string | undefined,
  ): LiveItem[] {
    const itemsOf = (row: T, where: string): LiveItem[] => {
      const sold = read(row, where);
      return sold === undefined
        ? [{ kind: "skipped", where }]
        : [sold].flat().map((each) => this.item(where, each, scopeOf?.(row)));
    };
    return this.each(rows, itemsOf, scopeOf);
  }

  /** The item for a row. @throws SourceError if it has unknown, missing or invalid fields. */
  item(where: string, row: LiveRow | Rejection, scope?: string): LiveItem {
    if (!(row instanceof Rejection)) {
      checkLiveRow(where, row);
    }
    const item = machineItem(where, row instanceof Rejection ? row : this.#machineOf(row), this.money);
    return scope === undefined ? item : { ...item, scope };
  }

  #machineOf(row: LiveRow): Machine {
    const { availability, isAvailable, stockLevel, listing } = row;
    const known = this.#stock === undefined ? undefined : statedAvailability(this.#stock, isAvailable);
    const { instanceType, region, regionIdentifies, typeFixesGpu, place, gpu, priceHourly, currency, type } = row;
    return {
      ...row, // with its instanceType
      provider: this.provider,
      tables: this.source.name,
      identity: {
        name: instanceType,
        ...(regionIdentifies === false && { region: "" }),
        ...(typeFixesGpu === false && { gpu: "count and card" }),
      },
      gpu: { ...gpu, aliases: this.context.aliases },
      region: region ?? UNKNOWN_REGION_NAME,
      place: { ...place, region: region ?? "" },
      price: { amount: priceHourly, currency: currency ?? this.source.currency },
      deploymentType: DEPLOYMENT_TYPE_OF[type ?? this.source.type],
      listing: {
        ...listing,
        availability: availability ?? known,
        stockLevel: stockLevel == null ? null : String(stockLevel),
      },
    };
  }
}

/** A machine wherever it may be. */
export type LiveMachine = Omit<LiveRow, "region" | "isAvailable" | "availability" | "stockLevel">;

/** A place of a machine, and whether it can be had there. */
export type LivePlace = Pick<LiveRow, "region" | "place" | "isAvailable" | "availability" | "stockLevel">;

/** A machine in each of its places; in none, it is listed as unavailable. */
export function inPlaces(machine: LiveMachine | Rejection, places: readonly LivePlace[]): (LiveRow | Rejection)[] {
  if (machine instanceof Rejection) {
    return [machine];
  }
  return places.length === 0
    ? [{ ...machine, region: null, isAvailable: false }]
    : places.map((place) => ({ ...machine, ...place }));
}

/** A machine that is available in all its regions; in none, it is listed as unavailable. */
export function inRegions(machine: LiveMachine | Rejection, regions: Iterable<string>): (LiveRow | Rejection)[] {
  const places = [...new Set(regions)].map((region) => ({ region, isAvailable: true }));
  return inPlaces(machine, places);
}

/** Feeds pass on prices that others collected, and say nothing about stock. */
function statedStock(
  { kind, stock, stockNeedsSecret }: Partial<Pick<LiveSource, "kind" | "stock" | "stockNeedsSecret">>,
  secrets: LiveContext["secrets"],
): LiveSource["stock"] | undefined {
  const hasSecrets = Object.values(secrets).some((secret) => secret !== "");
  return stock && (kind === "feed" ? "unknown" : stockOf({ stock, stockNeedsSecret }, hasSecrets));
}

/**
 * The items with one offer per id, as for every source.
 * @param kind Kind of the source, which decides between two prices; by default the provider's name decides.
 */
export function uniqueOffers(items: Iterable<LiveItem>, kind?: LiveSource["kind"]): LiveItem[] {
  return dedupe(onceRejected(items), kind === undefined ? undefined : kind === "marketplace");
}

/** A rejected row is rejected once, not once per region. */
function* onceRejected(items: Iterable<LiveItem>): Generator<LiveItem> {
  let last: LiveItem | undefined;
  for (const item of items) {
    const isRepeated =
      item.kind === "rejection" &&
      last?.kind === "rejection" &&
      item.where === last.where &&
      item.reason === last.reason &&
      item.scope === last.scope;
    if (!isRepeated) {
      yield item;
    }
    last = item;
  }
}
