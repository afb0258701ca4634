import { HOURS_OF_A_MONTH } from "@gpu-offers/domain";
import * as z from "zod";
import { Rejection } from "../rejection.js";
import { builtInSource } from "./built-in-source.js";
import type { LiveRow } from "./live-offers.js";
import type { LiveReply } from "./live-source.js";
import { bodiesOf, entriesOf, matchingRows } from "./response.js";

// https://www.thundercompute.com/docs: prices, machines and stock in three lists with the same keys.

// Version 1 has the same lists; its keys end with a mode (`h100_x1_production`).
const API = "https://api.thundercompute.com:8443/v2";

const pricesSchema = z.union([
  z.object({ pricing: z.record(z.string(), z.unknown()) }).transform(({ pricing }) => pricing),
  z.record(z.string(), z.unknown()),
]);
const specsSchema = z.object({ specs: z.record(z.string(), z.unknown()) }).transform(({ specs }) => specs);

// USD per hour.
const priceSchema = z.number().min(0);
const machineSchema = z.object({
  displayName: z.string().min(1).max(200),
  vramGB: z.number().min(0).nullish(),
  gpuCount: z.number().min(0),
  mode: z.string().max(40).nullish(),
  vcpuOptions: z.array(z.number().min(0)).nullish(),
  ramPerVCPUGiB: z.number().min(0).nullish(),
  // Maximum memory of the machine.
  ramCapGiB: z.number().min(0).nullish(),
  storageGB: z.object({ min: z.number().min(0), max: z.number().min(0) }).nullish(),
});
type Machine = z.output<typeof machineSchema>;

export const thunder = builtInSource("thunder", {
  requests: [
    { part: "pricing", url: `${API}/pricing` },
    { part: "specs", main: false, url: `${API}/specs` },
    { part: "status", main: false, url: `${API}/status` },
  ],

  items(offers, replies) {
    const specs = namedValues(replies, "specs", specsSchema);
    const machines = new Map(matchingRows(entriesOf(specs, machineSchema, "specs")));
    const stock = new Map(namedValues(replies, "status", specsSchema));
    const prices = namedValues(replies, "pricing", pricesSchema);
    const diskPrice = priceSchema.safeParse(prices.find(([key]) => key === "disk_gb")?.[1]).data;
    return offers.items(entriesOf(prices, priceSchema, "pricing"), ([key, price]) => {
      const machine = machines.get(key);
      if (machine !== undefined) {
        return rowOf(key, machine, { price, diskPrice, status: stock.get(key) });
      }
      return MACHINE_KEY.test(key)
        ? new Rejection("missing_value", `The list of machines has no ${key.slice(0, 60)}.`)
        : undefined;
    });
  },
});

function namedValues(replies: readonly LiveReply[], part: string, schema: typeof pricesSchema | typeof specsSchema) {
  return bodiesOf(replies, part, schema).flatMap((body) => Object.entries(body));
}

// Keys of machines; the list also has prices of disks, snapshots and additional vCPUs, and of cards without a machine.
const MACHINE_KEY = /_x\d+(?:_[a-z]+)?$/;

// The provider's name of the 80 GB card, which its command line takes too (`--gpu a100xl`).
const CARDS: ReadonlyMap<string, string> = new Map([["a100xl", "A100 80GB"]]);

function sizesOf({ min, max }: { min: number; max: number }) {
  return { minGb: Math.ceil(min), maxGb: Math.floor(max) };
}

/** A machine with the fewest vCPUs, which the price includes, as the provider's command line calculates it. */
function rowOf(
  key: string,
  machine: Machine,
  { price, diskPrice, status }: { price: number; diskPrice: number | undefined; status: unknown },
): LiveRow {
  const vcpu = Math.min(...(machine.vcpuOptions ?? []));
  const hasVcpu = Number.isFinite(vcpu);
  const { storageGB: storage } = machine;
  return {
    instanceType: key.slice(0, 200),
    region: null,
    gpu: {
      name: CARDS.get(machine.displayName.toLowerCase()) ?? machine.displayName,
      count: machine.gpuCount,
      unclearVramGb: machine.vramGB || undefined,
    },
    priceHourly: price,
    availability: status === undefined ? "unknown" : undefined,
    stockLevel: typeof status === "string" ? status : null,
    isAvailable: /^(?:available|high|medium|low|in.?stock)$/i.test(typeof status === "string" ? status : ""),
    vcpu: hasVcpu ? vcpu : null,
    ramGb:
      hasVcpu && machine.ramPerVCPUGiB != null
        ? Math.min(vcpu * machine.ramPerVCPUGiB, machine.ramCapGiB || Infinity)
        : null,
    // The price includes the first 100 GB; all of the disk is charged, because an estimate must never be too low.
    disk:
      storage == null || diskPrice === undefined
        ? { kind: "unpriced", ...(storage != null && { volume: sizesOf(storage) }) }
        : { kind: "chosen", pricePerGbMonth: diskPrice * HOURS_OF_A_MONTH, ...sizesOf(storage) },
    listing: { instanceType: key, seller: "cloud" },
  };
}
