import { expect, inject, test } from "vitest";
import { ArgumentError, createClient } from "../src/index.ts";

const client = createClient({ baseUrl: inject("service").url });

test("a listing is found, read and launched", async () => {
  const { listings } = await client.listListings({ q: "8xh100", provider: ["aws"], disk: "1TB", max_total: "$200" });
  const [found] = listings;
  expect(found?.offer).toMatchObject({ gpuCount: 8, provider: { name: "aws" } });
  const id = found?.offer.id ?? "";
  expect(await client.getListing(id)).toMatchObject({ offer: found?.offer, instanceType: found?.instanceType });
  const { deployment, launch } = await client.getLaunchPlan(id, { diskGb: 1000, hours: 24 });
  expect(deployment).toEqual({ provider: "aws", disk_gb: 1000 });
  expect(launch[0]?.text).toContain(found?.instanceType);
  const best = await client.getPlan({ q: "8xh100", provider: ["aws"], disk: "1TB", hours: 24, top: 3 });
  expect(best).toMatchObject({ deployment, listing: { offer: { provider: { name: "aws" }, gpuCount: 8 } } });
  await expect(client.getPlan({ q: "h100", size: 3 } as object)).rejects.toThrow("size");
});

test("an invalid quantity or name of a parameter isn't sent", async () => {
  const query: object = { disk: "lots", min_vrm: 80 };
  await expect(client.listListings(query)).rejects.toThrow(ArgumentError);
  // The name of the agents' argument
  await expect(client.listListings({ maxUsdPerHour: 20 } as object)).rejects.toThrow("did you mean max_total?");
});

test("all listings are read from one catalog, in order and once each", async () => {
  const ids: string[] = [];
  for await (const event of client.allListings({ sort_by: "priceHourly" })) {
    ids.push(...(event.kind === "page" ? event.listings.map(({ offer }) => offer.id) : []));
  }
  const { totalElements, listings } = await client.listListings({ sort_by: "priceHourly", size: 100 });
  expect([new Set(ids).size, ids.length]).toEqual([totalElements, totalElements]);
  expect(ids.slice(0, 100)).toEqual(listings.map(({ offer }) => offer.id));
  expect(() => client.allListings({ size: 5 } as object)).toThrow("size must be omitted");
});
