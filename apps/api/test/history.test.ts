import { priceHistorySchema } from "@gpu-offers/domain";
import { ask, jsonOf } from "@gpu-offers/testkit/http";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { beforeAll, expect, test } from "vitest";
import { exampleOffer } from "../src/openapi/examples.js";

let service: Service;
beforeAll(async () => {
  service = await startService();
});

const TARGET = `/history?offer=${exampleOffer.id}`;

test("GET /history has the price of an offer since it is known, with an entity tag", async () => {
  const response = await ask(service, TARGET);
  const history = priceHistorySchema.parse(jsonOf(response));
  const offer = jsonOf(await ask(service, `/api/v1/offers/${exampleOffer.id}`)) as { priceHourly: number };
  expect(history).toMatchObject({ offer: exampleOffer.id, isComplete: true });
  expect(history.prices).toEqual([{ at: history.trackedSince, priceHourly: offer.priceHourly }]);
  expect(response.headers["cache-control"]).toBe("public, no-cache");
  const again = await ask(service, TARGET, { headers: { "If-None-Match": response.headers.etag ?? "" } });
  expect([again.status, again.body.length]).toEqual([304, 0]);
});

test("GET /history of an offer that was never there is 404", async () => {
  const response = await ask(service, "/history?offer=5b0c1f0e-0000-5c1e-9a53-0d8a3c5b7e11");
  expect(jsonOf(response)).toMatchObject({ code: "not_found", message: "Offer not found." });
});

test.for([
  "/history",
  "/history?offer=",
  "/history?offer=a&offer=b",
  `${TARGET}&since=1`,
  `/history?offer=${"a".repeat(101)}`,
])("GET %s is 400 and names the parameter", async (target) => {
  const response = await ask(service, target);
  expect([response.status, jsonOf(response)]).toMatchObject([
    400,
    { code: "invalid_parameter", details: [{ in: "query", name: target.includes("since") ? "since" : "offer" }] },
  ]);
});

test("GET /history needs a key where the catalog needs one", async () => {
  const closed = await startService({ settings: { REQUIRE_API_KEY: "true" } });
  expect((await ask(closed, TARGET)).status).toBe(401);
});
