import * as z from "zod";
import { findInstanceType } from "../instance/instance-type.js";
import { awsRegionNames } from "../price-lists.facts.js";
import type { ReadDisk } from "../machine-disk.js";
import { Rejection } from "../rejection.js";
import { builtInSource } from "./built-in-source.js";
import type { LiveRow } from "./live-offers.js";
import type { LiveResponse } from "./live-source.js";
import { optionalPart } from "./part.js";
import { bodiesOf, bodyOf, decimalSchema, listOf, nameSchema, rowsOf } from "./response.js";
import { spotTerms } from "./terms.js";

// The file behind https://aws.amazon.com/ec2/pricing/on-demand/: one per region, with a name of its own for it.

const FOLDER = "https://b0.p.awsstatic.com/pricing/2.0/meteredUnitMaps/ec2/USD/current/ec2-ondemand-without-sec-sel";

const REGIONS: ReadonlyMap<string, string> = new Map(
  [...awsRegionNames].flatMap(([region, names]) => names.map((name) => [name, region])),
);

const DISKS = "https://b0.p.awsstatic.com/pricing/2.0/meteredUnitMaps/ec2/USD/current/ebs.json";

// The file behind https://aws.amazon.com/ec2/spot/pricing/, for all regions. None is documented, and they may change or go, so
// prices on demand depend on none of the others.
const SPOT_HOST = "website.spot.ec2.aws.a2z.com";

// The file behind https://aws.amazon.com/ec2/spot/instance-advisor/: how often instances were taken back in the last month.
const ADVISOR_HOST = "spot-bid-advisor.s3.amazonaws.com";

const ANY_LOCATION = "rows";

const fileSchema = z.object({
  manifest: z
    .object({ currencyCode: z.string().nullish(), hawkFilePublicationDate: z.string().max(40).nullish() })
    .nullish(),
  regions: z.record(z.string(), z.record(z.string(), z.unknown())),
});
// A bare list of its rows, each with its location.
const rowListSchema = z
  .array(z.unknown())
  .transform((rows) => ({ manifest: undefined, regions: { [ANY_LOCATION]: rows } }));
const bodySchema = z.union([fileSchema, rowListSchema]);

const rowSchema = z.object({
  // USD per hour, as text.
  price: z.string().regex(/^\d{1,9}(?:\.\d{1,12})?$/, "must be a decimal number as text"),
  "Instance Type": nameSchema,
  "Instance Family": z.string().nullish(),
  Location: z.string().nullish(),
  vCPU: z.string().nullish(),
  Memory: z.string().nullish(),
  Storage: z.string().nullish(),
  "Operating System": z.string().nullish(),
  "plc:OperatingSystem": z.string().nullish(),
  "Pre Installed S/W": z.string().nullish(),
});
type Row = z.output<typeof rowSchema>;

export const aws = builtInSource("aws", {
  scopes: { noun: "region", defaults: [...awsRegionNames.keys()] },

  check: (response) => bodyOf(response, bodySchema),

  *requests({ settings }) {
    for (const region of settings.scopes ?? awsRegionNames.keys()) {
      const url = `${FOLDER}/${encodeURIComponent(awsRegionNames.get(region)?.[0] ?? region)}/Linux/index.json`;
      yield { part: "prices", main: true, scope: region, method: "GET", url };
    }
    yield { part: "ebs", optional: true, url: DISKS };
    yield { part: "spot", optional: true, url: `https://${SPOT_HOST}/spot.json` };
    yield { part: "spot-advisor", optional: true, url: `https://${ADVISOR_HOST}/spot-advisor-data.json` };
  },

  *items(offers, replies) {
    const bodies = bodiesOf(replies, "prices", bodySchema);
    const dates = bodies.flatMap(({ manifest }) => manifest?.hawkFilePublicationDate ?? []).sort();
    const spot = optionalPart(replies, "spot", "Spot prices", spotPricesIn);
    const disks = optionalPart(replies, "ebs", "Current prices of EBS volumes", disksIn);
    yield offers.providerItem(dates[0]);
    const advisor = optionalPart(replies, "spot-advisor", "Interruptions of spot instances", interruptionsIn);
    yield* [...spot.notes, ...disks.notes, ...advisor.notes];
    for (const { manifest, regions } of bodies) {
      for (const [location, rows] of Object.entries(regions)) {
        const regionOf = (row: Row | Rejection): string => {
          const named = row instanceof Rejection || location !== ANY_LOCATION ? location : (row.Location ?? "");
          return REGIONS.get(named) ?? named;
        };
        const read = (row: Row) => {
          const region = regionOf(row);
          const type = `${region} ${row["Instance Type"]}`;
          const [spotPrice, interruption] = [spot.value?.get(type), advisor.value?.get(type)];
          return rowOf(row, manifest?.currencyCode, {
            region,
            spotPrice,
            interruption,
            disk: disks.value?.get(region),
          });
        };
        yield* offers.items(rowsOf(Object.values(rows), rowSchema, location), read, regionOf);
      }
    }
  },
});

const GP3 = "Storage General Purpose gp3 GB Mo";
const disksSchema = z.object({
  manifest: z.object({ currencyCode: z.literal("USD"), hawkFilePublicationDate: z.string().max(40).nullish() }),
  regions: z.record(z.string(), z.looseObject({ [GP3]: z.object({ price: decimalSchema }).optional() })),
});

/** The gp3 volumes of each region: the default of new volumes. */
function disksIn(responses: readonly LiveResponse[]): ReadonlyMap<string, ReadDisk> {
  const found = responses.flatMap((response) => {
    const { manifest, regions } = bodyOf(response, disksSchema);
    const facts = { product: "EBS gp3", asOf: manifest.hawkFilePublicationDate?.slice(0, 10) ?? null, source: DISKS };
    return Object.entries(regions).map(([location, { [GP3]: gp3 }]) => {
      const disk = { ...facts, pricePerGbMonth: gp3?.price ?? 0 };
      return [REGIONS.get(location) ?? location, disk] as const;
    });
  });
  return new Map(found.filter(([, { pricePerGbMonth }]) => pricePerGbMonth > 0));
}

const spotSchema = z.object({
  config: z.object({
    rate: z.literal("perhr"),
    regions: z.array(
      z.object({
        region: z.string(),
        instanceTypes: listOf(
          z.object({
            sizes: listOf(
              z.object({
                size: z.string(),
                valueColumns: listOf(z.object({ name: z.string(), prices: z.object({ USD: z.string().nullish() }) })),
              }),
            ),
          }),
        ),
      }),
    ),
  }),
});

/** `0.3555` or `9.0E-4`; `N/A*` is no price. */
const SPOT_PRICE = /^\d{1,6}(?:\.\d{1,12})?(?:E-\d)?$/;

/** Spot prices of Linux in USD per hour of the whole instance, by region and instance type: `us-east-1 p5.48xlarge`. */
function spotPricesIn(responses: readonly LiveResponse[]): ReadonlyMap<string, number> {
  const regions = responses.flatMap((response) => bodyOf(response, spotSchema).config.regions);
  const sizes = regions.flatMap(({ region, instanceTypes }) =>
    instanceTypes.flatMap((type) => type.sizes.map((size) => ({ region, ...size }))),
  );
  return new Map(
    sizes.flatMap(({ region, size, valueColumns }) => {
      const linux = valueColumns.find(({ name }) => name === "linux")?.prices.USD ?? "";
      return SPOT_PRICE.test(linux) ? [[`${region} ${size}`, Number(linux)] as const] : [];
    }),
  );
}

const advisorSchema = z.object({
  ranges: listOf(z.object({ index: z.int(), label: nameSchema })),
  spot_advisor: z.record(
    z.string(),
    z.object({ Linux: z.record(z.string(), z.object({ r: z.int().nullish() })).nullish() }),
  ),
});

/** The class of each type, such as `5-10%`, by region and instance type. */
function interruptionsIn(responses: readonly LiveResponse[]): ReadonlyMap<string, string> {
  const classes = responses.flatMap((response) => {
    const { ranges, spot_advisor: regions } = bodyOf(response, advisorSchema);
    const labels = new Map(ranges.map(({ index, label }) => [index, label]));
    return Object.entries(regions).flatMap(([region, { Linux: types }]) =>
      Object.entries(types ?? {}).flatMap(([type, { r }]) => {
        const label = labels.get(r ?? -1);
        return label === undefined ? [] : [[`${region} ${type}`, label] as const];
      }),
    );
  });
  return new Map(classes);
}

/** Families with accelerators other than GPUs: Inferentia, Trainium, Gaudi, FPGAs, video transcoders. */
const NO_GPUS = /^(?:inf|trn|dl\d|dl2q|f\d|vt\d)/i;

interface Circumstances {
  region: string;
  /** USD per hour; undefined if unknown. */
  spotPrice: number | undefined;
  /** How often its spot instances were taken back; undefined if unknown. */
  interruption: string | undefined;
  /** The disk that machines boot from; undefined if this run doesn't have its price. */
  disk: ReadDisk | undefined;
}

function rowOf(
  row: Row,
  currency: string | null | undefined,
  { region, spotPrice, interruption, disk }: Circumstances,
): LiveRow | Rejection | undefined {
  const type = row["Instance Type"];
  if (findInstanceType("aws", type) === undefined) {
    if (NO_GPUS.test(type)) {
      return new Rejection("not_a_gpu", `${type} has accelerators that are no GPUs.`);
    }
    if (!/^(?:u-)?[pg]\d/i.test(type) && !/^GPU /i.test(row["Instance Family"] ?? "")) {
      return undefined;
    }
    return new Rejection("unknown_gpu", `The tables of AWS have no instance type ${type}.`);
  }
  if (currency != null && currency !== "USD") {
    return new Rejection("unknown_currency", `The price is in ${currency.slice(0, 8)}.`);
  }
  const system = row["plc:OperatingSystem"] ?? row["Operating System"] ?? "Linux";
  if (system !== "Linux" || (row["Pre Installed S/W"] ?? "NA") !== "NA") {
    return new Rejection("other_terms", `The price of ${type} is for ${system.slice(0, 40)} with other software.`);
  }
  const [, vcpu] = /^(\d{1,6})$/.exec(row.vCPU ?? "") ?? [];
  const [, memory] = /^([\d,.]{1,12}) GiB$/.exec(row.Memory ?? "") ?? [];
  return {
    instanceType: type,
    region: region === "" ? null : region,
    gpu: { name: "" },
    priceHourly: Number(row.price),
    isAvailable: region !== "",
    vcpu: vcpu === undefined ? null : Number(vcpu),
    ramGb: memory === undefined ? null : Number(memory.replaceAll(",", "")),
    // The boot disk is an EBS volume, which is charged separately.
    disk: { kind: "unpriced", sizeGb: localDiskGb(row.Storage ?? ""), volume: disk },
    listing: { instanceType: type, seller: "cloud", spot: spotTerms(spotPrice), spotInterruption: interruption },
  };
}

/** `4 x 1900 GB NVMe SSD`, `8 x 1000 SSD`, `900 GB NVMe SSD`, `EBS only`. */
function localDiskGb(storage: string): number {
  const [, count = "1", size, unit = "GB"] = /^(?:(\d{1,3}) ?x ?)?([\d.]{1,8}) ?([GT]B)?\b/i.exec(storage) ?? [];
  const gb = Number(count) * Number(size) * (unit.toUpperCase() === "TB" ? 1000 : 1);
  return Number.isFinite(gb) ? gb : 0;
}
