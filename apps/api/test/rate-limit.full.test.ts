import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminDone } from "@gpu-offers/testkit/admin";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { startService, type Service } from "@gpu-offers/testkit/service";

const LIMIT = 5;

describe(`a service with RATE_LIMIT=${LIMIT}`, () => {
  let service: Service;
  const from = (address: string, headers: Record<string, string> = {}) => ({
    headers: { "X-Forwarded-For": address, ...headers },
  });

  beforeAll(async () => {
    service = await startService({ settings: { RATE_LIMIT: String(LIMIT), TRUST_PROXY: "127.0.0.1" } });
  });
  afterAll(() => service.stop());

  test("does not reject a valid key because of other requests from its address, however long ago it was used", async () => {
    await adminDone(service.databasePath, "account", "create", "--email", "eva@example.com", "--name", "Eva");
    const made = await adminDone(service.databasePath, "key", "create", "--account", "eva@example.com", "--json");
    const { key } = JSON.parse(made.stdout) as { key: string };
    const good = from("192.0.2.6", { Authorization: `Bearer ${key}` });
    expect((await fetchFrom(service, "/api/v1/account", good)).status).toBe(200);
    for (let count = 0; count <= LIMIT; count++) {
      await fetchFrom(service, "/api/v1/providers", from("192.0.2.6"));
    }
    expect((await fetchFrom(service, "/api/v1/providers", from("192.0.2.6"))).status).toBe(429);
    // A key is verified again after 3 seconds.
    await delay(3_200);
    expect((await fetchFrom(service, "/api/v1/account", good)).status).toBe(200);
  });
});

test("without TRUST_PROXY a forwarded address is ignored", async () => {
  const service = await startService({ settings: { RATE_LIMIT: "2" } });
  try {
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) {
      const headers = { "X-Forwarded-For": `192.0.2.${count}` };
      statuses.push((await fetchFrom(service, "/api/v1/providers", { headers })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  } finally {
    await service.stop();
  }
});
