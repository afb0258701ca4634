import { accountSchema, errorBodySchema } from "@gpu-offers/domain";
import { beforeAll, describe, expect, test } from "vitest";
import { withKey, type TestAccount } from "@gpu-offers/testkit/accounts";
import { databasesOfSuite } from "@gpu-offers/testkit/databases";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { exchange } from "@gpu-offers/testkit/raw-socket";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { ApiKeyStore } from "@gpu-offers/store/api-key.store";
import { addCredit, disable, makeAccount, makeKey, revokeKey } from "@gpu-offers/store/test/accounts";
import { withDatabase } from "@gpu-offers/store/test/databases";

const ACCOUNT = "/api/v1/account";
const BALANCE = "/api/v1/account/balance";
const CATALOG = ["/api/v1/offers", "/api/v1/offers/x", "/api/v1/providers", "/api/v1/providers/aws/images"];

type Key = Pick<TestAccount, "keyId" | "key">;

/** Keys that must be rejected. */
interface InvalidKeys {
  revoked: Key;
  expired: Key;
  /** Valid in another database. */
  unknown: Key;
  /** Of a disabled account. */
  disabled: Key;
}

/** Named headers that must be rejected. */
function badCredentials(
  { id, key, email }: TestAccount,
  { revoked, expired, unknown, disabled }: InvalidKeys,
): [name: string, headers: Record<string, string>][] {
  const authorizations: [string, string][] = [
    ["empty", ""],
    ["the scheme alone", "Bearer"],
    ["no space", `Bearer${key}`],
    ["no scheme", key],
    ["another scheme", `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`],
    ["a token", `Token ${key}`],
    ["two schemes", `Bearer Bearer ${key}`],
    ["two keys", `Bearer ${key} ${key}`],
    ["two keys with a comma", `Bearer ${key},${key}`],
    ["quoted", `Bearer "${key}"`],
    ["a tab", `Bearer\t${key}`],
    ["unknown", `Bearer ${unknown.key}`],
    ["with an invalid checksum", `Bearer ${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`],
    ["too short", `Bearer ${key.slice(0, -1)}`],
    ["too long", `Bearer ${key}0`],
    ["in lower case", `Bearer ${key.toLowerCase()}`],
    ["without its prefix", `Bearer ${key.slice(4)}`],
    ["with another prefix", `Bearer gpx_${key.slice(4)}`],
    ["revoked", `Bearer ${revoked.key}`],
    ["expired", `Bearer ${expired.key}`],
    ["of a disabled account", `Bearer ${disabled.key}`],
    ["the id of a key", `Bearer ${revoked.keyId}`],
    ["the id of an account", `Bearer ${id}`],
    ["a star", "Bearer *"],
    ["SQL", "Bearer '/**/or/**/1=1--"],
    ["a property of objects", "Bearer __proto__"],
    ["very long", `Bearer gpo_${"A".repeat(7_000)}`],
    ["not ASCII", `Bearer ${key.slice(0, -1)}\u00e9`],
  ];
  return [
    ["none", {}],
    ...authorizations.map(([name, authorization]): [string, Record<string, string>] => [name, { authorization }]),
    ["in another header", { "x-api-key": key }],
    ["in a cookie", { cookie: `authorization=Bearer ${key}` }],
    ["for a proxy", { "proxy-authorization": `Bearer ${key}` }],
  ];
}

/** Creates keys that must be rejected. */
async function makeInvalidKeys(database: string, { id }: TestAccount): Promise<InvalidKeys> {
  const revoked = await makeKey(database, id);
  await revokeKey(database, revoked.keyId);
  const leaver = await makeAccount(database);
  await disable(database, leaver.id);
  return {
    revoked,
    expired: await makeKey(database, id, { expiresAt: new Date(Date.now() - 1).toISOString() }),
    unknown: await makeAccount(tempDatabase()),
    disabled: leaver,
  };
}

describe.each(databasesOfSuite)("accounts on $kind", ({ create }) => {
  let database: string;
  let service: Service;
  /** Requires a key for the catalog as well. */
  let closed: Service;
  let ada: TestAccount;

  beforeAll(async () => {
    database = await create();
    service = await startService({ databasePath: database });
    closed = await startService({ databasePath: database, settings: { REQUIRE_API_KEY: "true" } });
    ada = await makeAccount(database);
  });

  test("are returned as the API specifies", async () => {
    const response = await fetchFrom(service, ACCOUNT, withKey(ada.key));
    expect(response.status).toBe(200);
    expect(jsonOf(response)).toEqual({
      id: ada.id,
      email: ada.email,
      display_name: "Ada Lovelace",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    });
    expect(accountSchema.parse(jsonOf(response))).toEqual(jsonOf(response));
    expect(response.headers).toMatchObject({
      "cache-control": "no-store",
      "content-type": "application/json; charset=utf-8",
    });
    expect(response.headers).not.toHaveProperty("etag");
  });

  test("have their exact credit immediately", async () => {
    const balance = async () => {
      const response = await fetchFrom(service, BALANCE, withKey(ada.key));
      expect([response.status, response.headers["cache-control"]]).toEqual([200, "no-store"]);
      return jsonOf(response);
    };
    expect(await balance()).toEqual({ balance: "0.0000", currency: "USD" });
    await addCredit(database, ada.id, "25.00", "invoice-1");
    expect(await balance()).toEqual({ balance: "25.0000", currency: "USD" });
    await addCredit(database, ada.id, "0.1", "invoice-2");
    await addCredit(database, ada.id, "0.2", "invoice-3");
    await addCredit(database, ada.id, "-0.0001", "job-1");
    expect(await balance()).toEqual({ balance: "25.2999", currency: "USD" });
    await addCredit(database, ada.id, "922337203685451.0000", "invoice-4");
    expect(await balance()).toEqual({ balance: "922337203685476.2999", currency: "USD" });
  });

  test("are visible only to their own keys", async () => {
    const bob = await makeAccount(database, "Bob");
    const second = await makeKey(database, bob.id, { label: "second" });
    await addCredit(database, bob.id, "1", "invoice-1");
    for (const key of [bob.key, second.key]) {
      expect(jsonOf(await fetchFrom(service, ACCOUNT, withKey(key)))).toMatchObject({
        id: bob.id,
        display_name: "Bob",
      });
      expect(jsonOf(await fetchFrom(service, BALANCE, withKey(key)))).toEqual({ balance: "1.0000", currency: "USD" });
    }
    // No parameter, header or path selects another account.
    for (const path of [`${ACCOUNT}?id=${ada.id}`, `${ACCOUNT}?account=${ada.email}`, `${BALANCE}?id=${ada.id}`]) {
      expect((await fetchFrom(service, path, withKey(bob.key))).status).toBe(400);
    }
    for (const path of [`${ACCOUNT}/${ada.id}`, `${BALANCE}/${ada.id}`, `${ACCOUNT}/balance/`, `${ACCOUNT}s`]) {
      expect((await fetchFrom(service, path, withKey(bob.key))).status).toBe(404);
    }
    const spoofed = { authorization: `Bearer ${bob.key}`, "x-account-id": ada.id, "x-forwarded-user": ada.email };
    expect(jsonOf(await fetchFrom(service, ACCOUNT, { headers: spoofed }))).toMatchObject({ id: bob.id });
    const responses = await Promise.all(
      Array.from({ length: 40 }, async (_, number) => {
        const caller = number % 2 === 0 ? ada : bob;
        const told = jsonOf(await fetchFrom(service, ACCOUNT, withKey(caller.key)));
        return (told as { id: string }).id === caller.id;
      }),
    );
    expect(responses).not.toContain(false);
  });

  test("accept the scheme in any case, and treat HEAD like GET", async () => {
    for (const authorization of [`bearer ${ada.key}`, `BEARER  ${ada.key}`]) {
      expect((await fetchFrom(service, ACCOUNT, { headers: { authorization } })).status).toBe(200);
    }
    for (const path of [ACCOUNT, BALANCE]) {
      const get = await fetchFrom(service, path, withKey(ada.key));
      const head = await fetchFrom(service, path, { method: "HEAD", ...withKey(ada.key) });
      expect([head.status, head.text, head.headers["content-length"]]).toEqual([
        200,
        "",
        get.headers["content-length"],
      ]);
    }
  });

  test("require a valid key: every problem gives the same 401", { timeout: 60_000 }, async () => {
    const credentials = badCredentials(ada, await makeInvalidKeys(database, ada));
    expect(credentials.length).toBeGreaterThanOrEqual(20);
    const bodies = new Set<string>();
    for (const [name, headers] of credentials) {
      for (const [at, paths] of [
        [service, [ACCOUNT, BALANCE, `${ACCOUNT}?api_key=${ada.key}`, `${BALANCE}?access_token=${ada.key}&x`]],
        [closed, [ACCOUNT, BALANCE, ...CATALOG, `/api/v1/offers?size=0&key=${ada.key}`]],
      ] as const) {
        for (const path of paths) {
          const response = await fetchFrom(at, path, { headers });
          const { requestId, ...body } = errorBodySchema.parse(jsonOf(response));
          expect([name, path, response.status, response.headers["www-authenticate"]]).toEqual([
            name,
            path,
            401,
            "Bearer",
          ]);
          expect(response.headers["cache-control"]).toBe("no-store");
          expect(response.headers["x-request-id"]).toBe(requestId);
          bodies.add(JSON.stringify(body));
        }
      }
    }
    expect([...bodies].map((body) => JSON.parse(body) as unknown)).toEqual([
      {
        code: "unauthorized",
        message: "A valid API key is required: send Authorization: Bearer <key>.",
        docUrl: "/docs/errors/unauthorized",
      },
    ]);
    const head = await fetchFrom(service, ACCOUNT, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([401, ""]);
  });

  test("reject two Authorization headers, even valid ones", async () => {
    const good = `Authorization: Bearer ${ada.key}`;
    for (const second of [good, "Authorization: Bearer x", "authorization: Basic eA=="]) {
      for (const headers of [
        [good, second],
        [second, good],
      ]) {
        const text = await exchange(
          service,
          [`GET ${ACCOUNT} HTTP/1.1`, "Host: x", ...headers, "Connection: close", "", ""].join("\r\n"),
        );
        expect(text).toMatch(/^HTTP\/1\.1 401 /);
      }
    }
  });

  test("open a catalog that requires a key, for private caches only", async () => {
    const offers = await fetchFrom(closed, "/api/v1/offers", withKey(ada.key));
    expect([offers.status, offers.headers["cache-control"]]).toEqual([200, "private, no-cache"]);
    const images = await fetchFrom(closed, "/api/v1/providers/aws/images", withKey(ada.key));
    expect([images.status, images.headers["cache-control"]]).toEqual([200, "private, max-age=3600"]);
    const known = { headers: { ...withKey(ada.key).headers, "if-none-match": offers.headers.etag ?? "" } };
    const again = await fetchFrom(closed, "/api/v1/offers", known);
    expect([again.status, again.headers["cache-control"]]).toEqual([304, "private, no-cache"]);
    expect(
      (await fetchFrom(closed, "/api/v1/offers", { headers: { "if-none-match": offers.headers.etag ?? "" } })).status,
    ).toBe(401);
    for (const path of ["/health/live", "/health/ready", "/openapi.json"]) {
      expect((await fetchFrom(closed, path)).status).toBe(200);
    }
    expect((await fetchFrom(service, "/api/v1/offers")).headers["cache-control"]).toBe("public, no-cache");
  });

  test("leave no key and no email address in the log, and the time of a key's last use in the database", async () => {
    const logging = await startService({ databasePath: database, settings: { LOG_LEVEL: "trace" } });
    const { key, keyId, email } = await makeAccount(database);
    const before = new Date().toISOString();
    const secret = key.slice(4);
    const encoded = key.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    for (const path of [ACCOUNT, BALANCE, "/api/v1/offers", "/none"]) {
      for (const suffix of ["", `?key=${key}`, `?${key}`, `?key=${encoded}`, `/${key}`, `/${encoded}?a=${key}`]) {
        await fetchFrom(logging, `${path}${suffix}`, withKey(key));
      }
    }
    await fetchFrom(logging, ACCOUNT, {
      headers: { authorization: key, cookie: `key=${key}`, "user-agent": key, referer: key },
    });
    // The last use is written when the service stops.
    const { code, stdout, stderr } = await logging.stop();
    expect(code).toBe(0);
    expect(stdout.split("\n").length).toBeGreaterThan(20);
    for (const text of [stdout, stderr]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(encoded.slice(12));
      expect(text).not.toContain(email);
    }
    const used = (await withDatabase(database, (opened) => new ApiKeyStore(opened).list())).find(
      ({ id }) => id === keyId,
    );
    expect((used?.last_used_at ?? "") >= before).toBe(true);
  });
});
