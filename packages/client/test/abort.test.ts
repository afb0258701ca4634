import { once } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { createClient } from "../src/index.ts";
import { clientOf, list, rejection } from "./client.ts";
import { sendError, sendJson } from "@gpu-offers/testkit/http-server";

// Calls aborted at any stage.

describe("an abort", () => {
  const reason = { why: "the reader left" };

  test("passes on the caller's reason, and sends nothing if already aborted", async () => {
    const { server, client } = await clientOf((response) => sendJson(response, list));
    expect(await rejection(client.listOffers({}, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(server.requests).toHaveLength(0);
  });

  test("before the call does not even call fetch", async () => {
    const unused = vi.fn<typeof fetch>();
    const client = createClient({ baseUrl: "http://offers.example", fetch: unused });
    const signal = AbortSignal.abort(reason);
    expect(await rejection(client.listOffers({}, { signal }))).toBe(reason);
    expect(await rejection(client.allOffers({}, { signal }).next())).toBe(reason);
    expect(unused).not.toHaveBeenCalled();
  });

  test("passes it on while waiting for headers, and ends the request", async () => {
    const { server, client } = await clientOf(() => {}, { retries: 2 });
    const abort = new AbortController();
    const call = rejection(client.listOffers({}, { signal: abort.signal }));
    await server.arrived(1);
    abort.abort(reason);
    expect(await call).toBe(reason);
    await server.closes[0];
    expect(server.requests).toHaveLength(1);
  });

  test("passes it on while reading the body", async () => {
    const abort = new AbortController();
    const { client } = await clientOf((response) => response.write('{"offers":['), {
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        setImmediate(() => abort.abort(reason));
        return response;
      },
    });
    expect(await rejection(client.listOffers({}, { signal: abort.signal }))).toBe(reason);
  });

  test("passes it on while waiting for a retry", async () => {
    const { server, client } = await clientOf(
      (response) => sendError(response, 503, { "Retry-After": "20", Connection: "close" }),
      { retries: 2 },
    );
    const abort = new AbortController();
    const call = rejection(client.listOffers({}, { signal: abort.signal }));
    await server.arrived(1);
    const socket = server.requests[0]?.socket;
    // The connection ends once the whole response was read: the wait follows.
    if (socket?.destroyed === false) {
      await once(socket, "close");
    }
    abort.abort(reason);
    expect(await call).toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  test("leaves no listener on a signal that lives longer", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    const { client } = await clientOf(
      (response, _, number) => (number === 1 ? sendError(response, 503) : sendJson(response, list)),
      { retries: 1 },
    );
    await client.listOffers({}, { signal });
    expect(added.mock.calls.length).toBeGreaterThan(0);
    for (const [, listener] of added.mock.calls) {
      expect(removed.mock.calls.map(([, gone]) => gone)).toContain(listener);
    }
  });
});
