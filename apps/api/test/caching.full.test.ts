import { beforeAll, describe, expect, test } from "vitest";
import { fetchFrom, type HttpResponse } from "@gpu-offers/testkit/http";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";

let service: Service;

beforeAll(async () => {
  service = await startService();
});

const etagOf = ({ headers }: HttpResponse): string => headers.etag ?? "";

describe("the entity tag", () => {
  test("is the same for another service on the same database, and differs for another database", async () => {
    const tag = etagOf(await fetchFrom(service, "/api/v1/providers"));
    const twin = await startService({ databasePath: service.databasePath });
    expect(etagOf(await fetchFrom(twin, "/api/v1/providers"))).toBe(tag);
    const stranger = await startService({ databasePath: tempDatabase() });
    expect(etagOf(await fetchFrom(stranger, "/api/v1/providers"))).not.toBe(tag);
  });
});
