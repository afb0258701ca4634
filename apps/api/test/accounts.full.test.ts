import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { withKey } from "@gpu-offers/testkit/accounts";
import { createPostgresDatabase } from "@gpu-offers/testkit/postgres-server";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { AccountStore } from "@gpu-offers/store/account.store";
import { addCredit, disable, makeAccount, makeKey, revokeKey } from "@gpu-offers/store/test/accounts";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";
import { withDatabase } from "@gpu-offers/store/test/databases";

const ACCOUNT = "/api/v1/account";
const BALANCE = "/api/v1/account/balance";

describe.concurrent("three instances on one PostgreSQL", () => {
  // expect.poll() looks for the running test, which it cannot tell among concurrent ones.
  const within5Seconds = (check: () => Promise<void>): Promise<void> =>
    vi.waitFor(check, { timeout: 5_000, interval: 50 });
  let database: string;
  let instances: Service[];

  beforeAll(async () => {
    database = await createPostgresDatabase(inject("postgresUrl"));
    instances = await Promise.all([1, 2, 3].map(() => startService({ databasePath: database })));
  });

  const statuses = (path: string, key: string) =>
    Promise.all(instances.map(async (instance) => (await fetchFrom(instance, path, withKey(key))).status));

  test("reject a revoked key within 5 seconds", async () => {
    const { key, keyId } = await makeAccount(database);
    expect(await statuses(ACCOUNT, key)).toEqual([200, 200, 200]);
    await revokeKey(database, keyId);
    await within5Seconds(async () => expect(await statuses(ACCOUNT, key)).toEqual([401, 401, 401]));
    expect(await statuses(BALANCE, key)).toEqual([401, 401, 401]);
  });

  test("reject the keys of a disabled account within 5 seconds", async () => {
    const { key, id } = await makeAccount(database);
    expect(await statuses(BALANCE, key)).toEqual([200, 200, 200]);
    await disable(database, id);
    await within5Seconds(async () => expect(await statuses(BALANCE, key)).toEqual([401, 401, 401]));
  });

  test("accept the keys of a re-enabled account at once, except those revoked meanwhile", async () => {
    const { key, keyId, id } = await makeAccount(database);
    const other = await makeKey(database, id);
    await disable(database, id);
    await revokeKey(database, keyId);
    expect(await statuses(BALANCE, other.key)).toEqual([401, 401, 401]);
    await withDatabase(database, (opened) => new AccountStore(opened).enable(id));
    expect(await statuses(BALANCE, other.key)).toEqual([200, 200, 200]);
    expect(await statuses(BALANCE, key)).toEqual([401, 401, 401]);
  });

  test("accept a new key and show new credit at once", async () => {
    const { key, id } = await makeAccount(database);
    expect(await statuses(ACCOUNT, key)).toEqual([200, 200, 200]);
    await addCredit(database, id, "7", "a");
    const told = await Promise.all(
      instances.map(async (instance) => jsonOf(await fetchFrom(instance, BALANCE, withKey(key)))),
    );
    expect(told).toEqual(instances.map(() => ({ balance: "7.0000", currency: "USD" })));
  });

  test("serve a new catalog within 5 seconds, with equal bytes and entity tags", async () => {
    await storeCatalog(database, nativeRows(3, { provider: "newcomer" }));
    const responses = () => Promise.all(instances.map((instance) => fetchFrom(instance, "/api/v1/providers")));
    const know = async () => (await responses()).map(({ text }) => text.includes("newcomer"));
    await within5Seconds(async () => expect(await know()).toEqual([true, true, true]));
    const pages = await Promise.all(instances.map((instance) => fetchFrom(instance, "/api/v1/offers?size=100")));
    for (const equal of [await responses(), pages]) {
      expect(new Set(equal.map(({ text, headers }) => `${headers.etag} ${text}`)).size).toBe(1);
    }
  });
});
