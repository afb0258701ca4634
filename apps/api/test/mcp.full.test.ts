import { withKey } from "@gpu-offers/testkit/accounts";
import { startService } from "@gpu-offers/testkit/service";
import { expect, test } from "vitest";
import { makeAccount } from "@gpu-offers/store/test/accounts";
import { find, send } from "./mcp-messages.ts";

// Settings of /mcp.

test("/mcp requires a key if the catalog does", async () => {
  const service = await startService({ settings: { MCP: "on", REQUIRE_API_KEY: "true" } });
  const { key } = await makeAccount(service.databasePath);
  expect((await send(service, "tools/call", find)).response.status).toBe(401);
  expect((await send(service, "tools/call", find, withKey(key).headers)).response.status).toBe(200);
});

test("/mcp does not exist unless it is turned on", async () => {
  const service = await startService();
  expect((await send(service, "tools/list", {})).response.status).toBe(404);
});
