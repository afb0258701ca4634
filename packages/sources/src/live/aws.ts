import * as z from "zod";
import { findInstanceType } from "../instance/instance-type.js";
import { awsRegionNames } from "../price-lists.facts.js";
import type { ReadDisk } from "../machine-disk.js";
import { Rejection } from "../rejection.js";
import { AWS_SPOT_HOST, awsSpotPrices, awsSpotRequest } from "./aws-spot.js";
import { defineSource } from "./define-source.js";
import type { LiveOffers, LiveRow } from "./live-offers.js";
import type { LiveItem, LiveReply, LiveResponse } from "./live-source.js";
import { optionalPart } from "./optional-part.js";
import { bodyOf, decimalSchema, nameSchema, responsesOf, rowsOf } from "./response.js";

// The file behind https://aws.amazon.com/ec2/pricing/on-demand/: one per region, with a name of its own for it.

const FOLDER = "https://b0.p.awsstatic.com/pricing/2.0/meteredUnitMaps/ec2/USD/current/ec2-ondemand-without-sec-sel";

const REGIONS: ReadonlyMap<string, string> = new Map(
  [...awsRegionNames].flatMap(([region, names]) => names.map((name) => [name, region])),
);

const DISKS = "https://b0.p.awsstatic.com/pricing/2.0/meteredUnitMaps/ec2/USD/current/ebs.json";

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

export const aws = defineSource({
  name: "aws",
  title: "Amazon Web Services",
  homepage: "https://aws.amazon.com",
  hosts: ["b0.p.awsstatic.com", AWS_SPOT_HOST],
  intervalSeconds: 12 * 3600,
  maxBytes: 16 * 1024 * 1024,
  spacingMs: 500,
  stock: "listed",
  recordedAt: "2026-10",
  scopes: { noun: "region", defaults: [...awsRegionNames.keys()] },
  terms: "Public files behind the price pages, which are not documented and may change or go.",
  includes: "price and spot price by region, vCPUs, memory, local disk, price of gp3 volumes",
  omits: "stock; GPUs, which come from the documentation of instance types",

  check(response) {
    bodyOf(response, bodySchema);
  },

  *requests({ settings }) {
    for (const region of settings.scopes ?? awsRegionNames.keys()) {
      const url = `${FOLDER}/${encodeURIComponent(awsRegionNames.get(region)?.[0] ?? region)}/Linux/index.json`;
      yield { part: "prices", main: true, scope: region, method: "GET", url };
    }
    yield { part: "ebs", main: false, optional: true, method: "GET", url: DISKS };
    yield awsSpotRequest;
  },

  items,
});

function* items(offers: LiveOffers, replies: readonly LiveReply[]): Generator<LiveItem> {
  const bodies = responsesOf(replies, "prices").map((response) => bodyOf(response, bodySchema));
  const dates = bodies.flatMap(({ manifest }) => manifest?.hawkFilePublicationDate ?? []).sort();
  const spot = awsSpotPrices(replies);
  const disks = optionalPart(replies, "ebs", "Current prices of EBS volumes", disksIn);
  yield offers.providerItem(dates[0]);
  yield* spot.notes;
  yield* disks.notes;
  for (const { manifest, regions } of bodies) {
    for (const [location, rows] of Object.entries(regions)) {
      for (const { where, row } of rowsOf(Object.values(rows), rowSchema, location)) {
        const named = row instanceof Rejection || location !== ANY_LOCATION ? location : (row.Location ?? "");
        const region = REGIONS.get(named) ?? named;
        const currency = manifest?.currencyCode ?? "USD";
        const item =
          row instanceof Rejection
            ? row
            : rowOf(row, { region, currency, spotPrices: spot.value, disk: disks.value?.get(region) });
        yield item === undefined ? { kind: "skipped", where } : offers.item(where, item, region);
      }
    }
  }
}

const GP3 = "Storage General Purpose gp3 GB Mo";
const disksSchema = z.object({
  manifest: z.object({ currencyCode: z.literal("USD"), hawkFilePublicationDate: z.string().max(40).nullish() }),
  regions: z.record(z.string(), z.looseObject({ [GP3]: z.object({ price: decimalSchema }).optional() })),
});

/** The gp3 volumes of each region: the default of new volumes. */
function disksIn(responses: readonly LiveResponse[]): ReadonlyMap<string, ReadDisk> {
  return new Map(
    responses.flatMap((response) => {
      const { manifest, regions } = bodyOf(response, disksSchema);
      const asOf = manifest.hawkFilePublicationDate?.slice(0, 10) ?? null;
      return Object.entries(regions).flatMap(([location, { [GP3]: gp3 }]): [string, ReadDisk][] =>
        gp3 === undefined || gp3.price === 0
          ? []
          : [
              [
                REGIONS.get(location) ?? location,
                { product: "EBS gp3", pricePerGbMonth: gp3.price, asOf, source: DISKS },
              ],
            ],
      );
    }),
  );
}

/** Families with accelerators other than GPUs: Inferentia, Trainium, Gaudi, FPGAs, video transcoders. */
const NO_GPUS = /^(?:inf|trn|dl\d|dl2q|f\d|vt\d)/i;

interface Circumstances {
  region: string;
  currency: string;
  /** By region and type; undefined if unknown. */
  spotPrices: ReadonlyMap<string, number> | undefined;
  /** The disk that machines boot from; undefined if this run doesn't have its price. */
  disk: ReadDisk | undefined;
}

function rowOf(row: Row, { region, currency, spotPrices, disk }: Circumstances): LiveRow | Rejection | undefined {
  const type = row["Instance Type"];
  const documented = findInstanceType("aws", type);
  if (documented === undefined) {
    if (NO_GPUS.test(type)) {
      return new Rejection("not_a_gpu", `${type} has accelerators that are no GPUs.`);
    }
    if (!/^(?:u-)?[pg]\d/i.test(type) && !/^GPU /i.test(row["Instance Family"] ?? "")) {
      return undefined;
    }
    return new Rejection("unknown_gpu", `The tables of AWS have no instance type ${type}.`);
  }
  if (currency !== "USD") {
    return new Rejection("unknown_currency", `The price is in ${currency.slice(0, 8)}.`);
  }
  const system = row["plc:OperatingSystem"] ?? row["Operating System"] ?? "Linux";
  if (system !== "Linux" || (row["Pre Installed S/W"] ?? "NA") !== "NA") {
    return new Rejection("other_terms", `The price of ${type} is for ${system.slice(0, 40)} with other software.`);
  }
  const spotHourly = spotPrices?.get(`${region} ${type}`);
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
    listing: {
      instanceType: type,
      seller: "cloud",
      spot: spotHourly === undefined ? null : { priceHourly: spotHourly, kind: "price" },
    },
  };
}

/** `4 x 1900 GB NVMe SSD`, `8 x 1000 SSD`, `900 GB NVMe SSD`, `EBS only`. */
function localDiskGb(storage: string): number {
  const [, count = "1", size, unit = "GB"] = /^(?:(\d{1,3}) ?x ?)?([\d.]{1,8}) ?([GT]B)?\b/i.exec(storage) ?? [];
  const gb = Number(count) * Number(size) * (unit.toUpperCase() === "TB" ? 1000 : 1);
  return Number.isFinite(gb) ? gb : 0;
}
