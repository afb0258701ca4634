import { offerListSchema, type Offer } from "@gpu-offers/domain";
import { priceHistorySchema } from "@gpu-offers/domain/history";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { nativeRow } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";
import { beforeAll, expect, inject, test } from "vitest";

let service: Service;
let offer: Offer;
let target: string;
beforeAll(async () => {
  const databasePath = tempDatabase();
  await storeCatalog(databasePath, [nativeRow()]);
  service = await startService({ databasePath });
  const [first] = offerListSchema.parse(jsonOf(await fetchFrom(service, "/api/v1/offers?size=1"))).offers;
  offer = first ?? expect.fail("The catalog has no offer.");
  target = `/api/v2/history?offer=${offer.id}`;
});

test("GET /api/v2/history has an offer's price since its first import, with an entity tag", async () => {
  const response = await fetchFrom(service, target);
  const history = priceHistorySchema.parse(jsonOf(response));
  expect(history).toMatchObject({ offer: offer.id, isComplete: true });
  expect(history.prices).toEqual([{ at: history.trackedSince, priceHourly: offer.priceHourly }]);
  expect(response.headers["cache-control"]).toBe("public, no-cache");
  const again = await fetchFrom(service, target, { headers: { "If-None-Match": response.headers.etag ?? "" } });
  expect([again.status, again.body.length]).toEqual([304, 0]);
});

test("GET /api/v2/history of an offer that never existed is 404", async () => {
  const response = await fetchFrom(service, "/api/v2/history?offer=5b0c1f0e-0000-5c1e-9a53-0d8a3c5b7e11");
  expect(jsonOf(response)).toMatchObject({ code: "not_found", message: "Offer not found." });
});

test("GET /api/v2/history of a sample offer is 404 and says that it is one", async () => {
  const sampled = inject("service");
  const { offers } = offerListSchema.parse(jsonOf(await fetchFrom(sampled, "/api/v1/offers?size=1")));
  const response = await fetchFrom(sampled, `/api/v2/history?offer=${offers[0]?.id}`);
  const message = "The price is one of the sample that ships, which enters no history.";
  expect(jsonOf(response)).toMatchObject({ code: "not_found", message });
});

test.for([
  ["", "offer"],
  ["?offer=", "offer"],
  ["?offer=a&offer=b", "offer"],
  [`?offer=${"a".repeat(101)}`, "offer"],
  ["?offer=a&since=1", "since"],
])("GET /history%s is 400 and names %s", async ([query, name]) => {
  const response = await fetchFrom(service, `/api/v2/history${query}`);
  expect([response.status, jsonOf(response)]).toMatchObject([
    400,
    { code: "invalid_parameter", details: [{ in: "query", name }] },
  ]);
});
