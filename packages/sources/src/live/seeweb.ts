import * as z from "zod";
import { Rejection } from "../rejection.js";
import { builtInSource } from "./built-in-source.js";
import { inRegions, type LiveMachine } from "./live-offers.js";
import { decimalSchema, listOf, listUnder, nameSchema, rowsIn } from "./response.js";

// https://docs.seeweb.it/en/api: plans with the locations that sell them, in euros, which responses don't state.

const planSchema = z.object({
  name: nameSchema,
  cpu: decimalSchema.nullish(),
  // MB.
  ram: decimalSchema.nullish(),
  // GB.
  disk: decimalSchema.nullish(),
  gpu: decimalSchema.nullish(),
  gpu_label: z.string().nullish(),
  // EUR per hour for the whole server.
  hourly_price: decimalSchema.nullable(),
  // Whether the plan is sold at all; free servers are another request.
  available: z.boolean().nullish(),
  available_regions: listOf(z.object({ location: nameSchema })),
});
type Plan = z.output<typeof planSchema>;

export const seeweb = builtInSource("seeweb", {
  auth: (key) => ({ "x-apitoken": key }),
  requests: [{ part: "plans", url: "https://api.seeweb.it/ecs/v2/plans" }],

  items: (offers, replies) =>
    offers.items(rowsIn(replies, "plans", listUnder("plans"), planSchema), (row) => {
      const regions = row.available_regions.map(({ location }) => location);
      return (row.gpu ?? 0) === 0 ? undefined : inRegions(rowOf(row), regions);
    }),
});

function rowOf(plan: Plan): LiveMachine | Rejection {
  if (plan.available === false) {
    return new Rejection("not_rentable", `${plan.name} is no longer sold.`);
  }
  if (plan.hourly_price === null) {
    return new Rejection("no_price", `${plan.name} has no price.`);
  }
  return {
    instanceType: plan.name,
    gpu: { name: plan.gpu_label ?? "", count: plan.gpu ?? undefined },
    priceHourly: plan.hourly_price,
    vcpu: plan.cpu,
    ramGb: plan.ram == null ? null : plan.ram / 1024,
    disk: { kind: "included", sizeGb: plan.disk ?? 0 },
    listing: { instanceType: plan.name, seller: "cloud" },
  };
}
