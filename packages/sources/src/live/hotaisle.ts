import * as z from "zod";
import { Rejection } from "../rejection.js";
import { SourceError } from "../source-error.js";
import { builtInSource } from "./built-in-source.js";
import type { LiveRow } from "./live-offers.js";
import { isFailure, type LiveResponse } from "./live-source.js";
import { bodyOf, listOf, listUnder, nameSchema, rowsIn, sizeSchema } from "./response.js";

// https://admin.hotaisle.app/api/docs: what is free now, as virtual and as bare-metal machines, to one team of the key.

const API = "https://admin.hotaisle.app/api";

/** Its only site; responses don't name it. */
const REGION = "us-michigan-1";
const PLACE = { countryCode: "US", city: "Michigan" };

const userSchema = z.object({ teams: z.array(z.object({ handle: z.string().regex(/^[\w.-]{1,100}$/) })) });

const typeSchema = z.object({
  Quantity: z.int().min(0),
  MinimumReservationMinutes: z.int().min(0).nullish(),
  // US cents per hour for the whole machine. A price in dollars would have a fraction and is rejected here.
  OnDemandPrice: z.int().min(0).nullish(),
  Specs: z.object({
    cpu_cores: sizeSchema,
    // Bytes.
    ram_capacity: sizeSchema,
    disk_capacity: sizeSchema,
    gpus: listOf(z.object({ count: z.int().min(0), model: nameSchema })),
  }),
});
type MachineType = z.output<typeof typeSchema>;

const KINDS = [
  { part: "virtual_machines", type: "vm" },
  { part: "bare_metal", type: "bare-metal" },
] as const;
type Kind = (typeof KINDS)[number]["type"];

const MINUTES_ON_DEMAND = 60;

export const hotaisle = builtInSource("hotaisle", {
  auth: (key) => ({ authorization: `Token ${key}` }),
  *requests({ recorded }) {
    const user = yield { part: "user", main: false, url: `${API}/user/` };
    if (isFailure(user) && !recorded) {
      return;
    }
    // A recording without the user may be of any team.
    const team = isFailure(user) ? "team" : teamOf(user);
    for (const { part } of KINDS) {
      yield { part, url: `${API}/teams/${team}/${part}/available/` };
    }
  },

  items: (offers, replies) =>
    KINDS.flatMap(({ part, type }) =>
      offers.items(rowsIn(replies, part, listUnder(""), typeSchema), (row) =>
        row.Specs.gpus.every(({ count }) => count === 0) ? undefined : rowOf(row, type),
      ),
    ),
});

/** The first team of the key: all teams are shown the same machines. */
function teamOf(user: LiveResponse): string {
  const [team] = bodyOf(user, userSchema).teams;
  if (team === undefined) {
    throw new SourceError("The API key belongs to no team.", "user");
  }
  return team.handle;
}

function rowOf(machine: MachineType, type: Kind): LiveRow | Rejection {
  const { Quantity, MinimumReservationMinutes, OnDemandPrice, Specs } = machine;
  const [gpu, ...others] = Specs.gpus.filter(({ count }) => count > 0);
  const name = gpu?.model ?? "";
  if (others.length > 0) {
    return new Rejection("bad_gpu_info", `A machine with ${name.slice(0, 60)} has other GPUs, too.`);
  }
  if ((OnDemandPrice ?? 0) === 0) {
    return new Rejection("no_price", `A machine with ${name.slice(0, 60)} has no price on demand.`);
  }
  const minutes = MinimumReservationMinutes ?? 0;
  if (minutes > MINUTES_ON_DEMAND) {
    return new Rejection("other_terms", `A machine with ${name.slice(0, 60)} must be reserved for ${minutes} minutes.`);
  }
  const count = gpu?.count ?? 0;
  const ramGb = Specs.ram_capacity == null ? null : Specs.ram_capacity / 1024 ** 3;
  return {
    instanceType: `${count}x ${name}, ${Specs.cpu_cores ?? 0} cores, ${Math.floor(ramGb ?? 0)} GB (${type})`,
    region: REGION,
    place: PLACE,
    gpu: { name, count },
    priceHourly: (OnDemandPrice ?? 0) / 100,
    isAvailable: Quantity > 0,
    stockLevel: Quantity,
    vcpu: Specs.cpu_cores,
    ramGb,
    disk: { kind: "included", sizeGb: (Specs.disk_capacity ?? 0) / 1024 ** 3 },
    type,
    // dstack's name (gpuhunt/providers/hotaisle.py).
    listing: {
      toolNames: { dstack: `${type === "vm" ? "vm" : "bm"}-${name.toLowerCase()}-${count}` },
      seller: "cloud",
    },
  };
}
