import { describe, expect, test } from "vitest";
import { clientOf, list, failure } from "./client.ts";
import { offersOf, pageOf } from "@gpu-offers/testkit/offers";
import { sendError, sendJson, type Handler } from "@gpu-offers/testkit/http-server";

// Responses that are revalidated instead of fetched again.

describe("a kept response", () => {
  const etag = '"7-0a0b0c0d-0.1.0"';

  /** Responds with 304 to a matching tag, otherwise with the list and the tag. */
  const tagged: Handler = (response, { headers }) =>
    headers["if-none-match"] === etag
      ? response.writeHead(304, { ETag: etag }).end()
      : sendJson(response, list, { headers: { ETag: etag } });

  test("is returned again if the service confirms it with 304", async () => {
    const { server, client } = await clientOf(tagged);
    const first = await client.listOffers();
    // Changes that a caller makes to its response don't affect the next one.
    first.offers.length = 0;
    expect(await client.listOffers()).toEqual(list);
    expect(server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, etag]);
  });

  test("belongs only to its URL", async () => {
    const { server, client } = await clientOf(tagged);
    await client.listOffers();
    await client.listOffers({ page: 0 });
    await client.listOffers({ gpu: "h100-sxm" });
    expect(server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, undefined, undefined]);
  });

  test("is shared by equivalent requests", async () => {
    const { server, client } = await clientOf(tagged);
    await client.listOffers({ continent: "Europe", gpu: ["H100-SXM", "h200-sxm", "h100-sxm"] });
    await client.listOffers({ gpu: "h100-sxm, h200-sxm", continent: ["europe"], size: undefined });
    const url = "/api/v1/offers?gpu=h100-sxm%2Ch200-sxm&continent=Europe";
    expect(server.requests.map((request) => request.url)).toEqual([url, url]);
    expect(server.requests[1]?.headers["if-none-match"]).toBe(etag);
  });

  test("is replaced by a new one", async () => {
    const { server, client } = await clientOf((response, _, number) =>
      sendJson(response, pageOf(offersOf(number)), { headers: { ETag: `"${number}"` } }),
    );
    expect((await client.listOffers()).totalElements).toBe(1);
    expect((await client.listOffers()).totalElements).toBe(2);
    await client.listOffers();
    expect(server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"1"', '"2"']);
  });

  test.for([
    ["without a tag", {}],
    ["that must not be stored", { ETag: etag, "Cache-Control": "private, No-Store" }],
  ] as const)("is not created for a response %s", async ([, headers]) => {
    const { server, client } = await clientOf((response) => sendJson(response, list, { headers }));
    await client.listOffers();
    await client.listOffers();
    expect(server.requests[1]?.headers).not.toHaveProperty("if-none-match");
  });

  test("is removed if a newer response cannot be kept", async () => {
    const { server, client } = await clientOf((response, request, number) =>
      number === 2 ? sendJson(response, list) : tagged(response, request, number),
    );
    for (let call = 0; call < 3; call++) {
      expect(await client.listOffers()).toEqual(list);
    }
    expect(server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, etag, undefined]);
  });

  test("survives an error in between", async () => {
    const { server, client } = await clientOf((response, request, number) =>
      number === 2 ? sendError(response, 500) : tagged(response, request, number),
    );
    await client.listOffers();
    await failure("service", client.listOffers());
    expect(await client.listOffers()).toEqual(list);
    expect(server.requests[2]?.headers["if-none-match"]).toBe(etag);
  });
});
