import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { startServer, sendError } from "@gpu-offers/testkit/http-server";
import { serverSource } from "../src/catalog/server-source.ts";
import { Session } from "../src/picker/session.ts";
import { initialState } from "../src/picker/state.ts";
import { NOW_MS } from "./driven-picker.ts";

test("a picker waits as long as the server asks for, however long", async () => {
  const server = await startServer((response) => sendError(response, 503, { "retry-after": "9999999" }));
  const source = serverSource({ url: server.url, retries: 0 });
  const state = initialState({ columns: 80, rows: 24, nowMs: NOW_MS, source, query: {} });
  const session = new Session(state, source, { copy: () => {}, redraw: () => {}, suspend: () => {} });
  void session.run();
  await server.arrived(1);
  await wait(300);
  expect(session.getState().loaded.load).toMatchObject({ kind: "failed" });
  session.close();
  expect(server.requests).toHaveLength(1);
});
