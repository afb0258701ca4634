import { Controller, Get } from "@nestjs/common";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fetchFrom, jsonOf, type HttpResponse } from "@gpu-offers/testkit/http";
import { databases } from "@gpu-offers/testkit/databases";
import { open } from "@gpu-offers/store/test/databases";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { KeyCache } from "../keys/key-cache.js";
import { AccountStore } from "@gpu-offers/store/account.store";
import { newApiKey, ApiKeyStore } from "@gpu-offers/store/api-key.store";
import type { Database } from "@gpu-offers/store/database";
import { Access, AccountId } from "./access.guard.js";
import { serveControllers } from "../../test/serve-controllers.ts";

// The guard over a socket, in front of controllers with every kind of mark, and without.

const HELLO = { hello: "world" };

@Access("public")
@Controller("public")
class PublicController {
  @Get()
  get(): unknown {
    return HELLO;
  }

  @Get("account")
  account(@AccountId() accountId: string): unknown {
    return accountId;
  }
}

@Access("catalog")
@Controller("catalog")
class CatalogController {
  @Get()
  get(): unknown {
    return HELLO;
  }

  @Access("account")
  @Get("account")
  account(@AccountId() accountId: string): unknown {
    return { accountId };
  }

  @Access("public")
  @Get("public")
  open(): unknown {
    return HELLO;
  }
}

@Access("account")
@Controller("account")
class AccountController {
  @Get()
  get(@AccountId() accountId: string): unknown {
    return { accountId };
  }
}

@Controller("unmarked")
class UnmarkedController {
  @Get()
  get(): unknown {
    return HELLO;
  }
}

const silent = pino({ level: "silent" });
const services: Awaited<ReturnType<typeof serveControllers>>[] = [];

afterAll(async () => {
  await Promise.all(services.map(({ close }) => close()));
});

/** Serves the controllers behind a guard. */
async function serve(keys: KeyCache, isKeyRequired: boolean): Promise<{ port: number }> {
  const service = await serveControllers(
    [PublicController, CatalogController, AccountController, UnmarkedController],
    { REQUIRE_API_KEY: String(isKeyRequired), DATABASE_URL: `sqlite:${tempDatabase()}` },
    (builder) => builder.overrideProvider(KeyCache).useValue(keys),
  );
  services.push(service);
  return service;
}

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

/** Expects the documented 401. */
function expectRejected(response: HttpResponse): void {
  expect(response.status).toBe(401);
  expect(response.headers["www-authenticate"]).toBe("Bearer");
  expect(jsonOf(response)).toMatchObject({
    code: "unauthorized",
    message: "A valid API key is required: send Authorization: Bearer <key>.",
  });
}

describe.each(databases)("the guard with keys in $kind", ({ create }) => {
  let database: Database;
  let accountId: string;
  let key: string;
  let lenient: { port: number };
  let strict: { port: number };

  const newAccount = async (email: string) =>
    (await new AccountStore(database).create({ email, displayName: "Ada" }))?.id ?? "none";
  const newKey = (owner: string, expiresAt: string | null = null) =>
    new ApiKeyStore(database).create({ account_id: owner, label: "", expires_at: expiresAt });

  beforeAll(async () => {
    database = await open(await create());
    accountId = await newAccount("ada@example.com");
    ({ key } = await newKey(accountId));
    const keys = new KeyCache(new ApiKeyStore(database), silent);
    lenient = await serve(keys, false);
    strict = await serve(keys, true);
  });

  test("responds with 503 whenever it can't check a key, whatever the database says", async () => {
    const broken = await open(await create());
    await sql`drop table api_key`.execute(broken);
    const service = await serve(new KeyCache(new ApiKeyStore(broken), silent), true);
    const response = await fetchFrom(service, "/catalog", bearer(newApiKey()));
    expect([response.status, response.headers["retry-after"]]).toEqual([503, "5"]);
    await broken.destroy();
  });

  test("allows public routes for everyone, and the catalog unless it requires a key", async () => {
    for (const [service, path] of [
      [lenient, "/public"],
      [lenient, "/catalog"],
      [lenient, "/catalog/public"],
      [strict, "/public"],
      [strict, "/catalog/public"],
    ] as const) {
      for (const request of [{}, bearer(key), bearer(newApiKey()), bearer("x")]) {
        const response = await fetchFrom(service, path, request);
        expect([path, response.status, jsonOf(response)]).toEqual([path, 200, HELLO]);
      }
    }
  });

  test("accepts a valid key, and passes on its account", async () => {
    for (const service of [lenient, strict]) {
      for (const path of ["/account", "/catalog/account"]) {
        const response = await fetchFrom(service, path, bearer(key));
        expect([path, response.status, jsonOf(response)]).toEqual([path, 200, { accountId }]);
      }
      expect(jsonOf(await fetchFrom(service, "/unmarked", bearer(key)))).toEqual(HELLO);
    }
    expect(jsonOf(await fetchFrom(strict, "/catalog", bearer(key)))).toEqual(HELLO);
  });

  test("rejects everything else with the same message, including an operation without a mark", async () => {
    const disabledId = await newAccount("bob@example.com");
    const { key: disabled } = await newKey(disabledId);
    await new AccountStore(database).disable(disabledId);
    const { key: expired } = await newKey(accountId, "2020-01-01T00:00:00.000Z");
    const { key: revoked, id } = await newKey(accountId);
    await new ApiKeyStore(database).revoke(id);
    const credentials = [
      undefined,
      "",
      "Bearer",
      "Bearer ",
      key,
      `Basic ${key}`,
      `Bearer ${key} ${key}`,
      `Bearer ${key}0`,
      `Bearer ${key.slice(0, -1)}`,
      `Bearer ${key.toLowerCase()}`,
      ...[newApiKey(), disabled, expired, revoked].map((bad) => `Bearer ${bad}`),
    ];
    for (const authorization of credentials) {
      const request = authorization === undefined ? {} : { headers: { authorization } };
      for (const [service, path] of [
        [lenient, "/account"],
        [lenient, "/catalog/account"],
        [lenient, "/unmarked"],
        [strict, "/catalog"],
        [strict, "/account"],
        [strict, "/unmarked"],
      ] as const) {
        expectRejected(await fetchFrom(service, path, request));
      }
    }
  });

  test("keeps concurrent callers separate", async () => {
    const otherId = await newAccount("eve@example.com");
    const { key: other } = await newKey(otherId);
    const told = await Promise.all(
      Array.from({ length: 20 }, async (_, number) =>
        jsonOf(await fetchFrom(lenient, "/account", bearer(number % 2 === 0 ? key : other))),
      ),
    );
    expect(told).toEqual(told.map((_, number) => ({ accountId: number % 2 === 0 ? accountId : otherId })));
  });

  test("throws an internal error if a route without a key uses the account", async () => {
    const response = await fetchFrom(lenient, "/public/account", bearer(key));
    expect([response.status, jsonOf(response)]).toMatchObject([500, { code: "internal_error" }]);
  });

  test("is 503, not 401, while the database is gone", async () => {
    const gone = await open(await create());
    const service = await serve(new KeyCache(new ApiKeyStore(gone), silent), false);
    await gone.destroy();
    expect((await fetchFrom(service, "/account", bearer(key))).status).toBeGreaterThanOrEqual(500);
    expectRejected(await fetchFrom(service, "/account"));
    expect((await fetchFrom(service, "/public")).status).toBe(200);
  });
});
