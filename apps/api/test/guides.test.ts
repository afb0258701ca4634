import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ERROR_CODES, ERRORS } from "@gpu-offers/domain";
import { describe, expect, inject, test } from "vitest";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { startService } from "@gpu-offers/testkit/service";
import { apiErrorSchema } from "../src/openapi/decorators.ts";

const DOCS = fileURLToPath(new URL("../../../docs", import.meta.url));

const service = inject("service");
describe("the page of an error", () => {
  const pages = globSync("*.md", { cwd: join(DOCS, "errors") });

  test("exists for exactly the error codes", () => {
    expect(pages.map((page) => basename(page, ".md")).sort()).toEqual([...ERROR_CODES].sort());
  });

  test.each(ERROR_CODES)("%s shows its status, a valid body, what happened and how to fix it", (code) => {
    const text = readFileSync(join(DOCS, "errors", `${code}.md`), "utf8");
    expect(text).toContain(`HTTP status ${ERRORS[code].status}.`);
    const [, body = ""] = /^```json\n([^]*?)^```$/m.exec(text) ?? [];
    expect(apiErrorSchema.parse(JSON.parse(body))).toMatchObject({ code, docUrl: `/docs/errors/${code}` });
    expect(text).toMatch(/## What happened\n\n\S[^]*## How to fix it\n\n\S/);
  });

  test("is the target of an error's docUrl", async () => {
    const error = apiErrorSchema.parse(jsonOf(await fetchFrom(service, "/api/v1/offers?size=101")));
    const page = await fetchFrom(service, error.docUrl);
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.text).toContain("How to fix it");
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'; style-src 'self'");
  });
});

describe("the root", () => {
  test("shows browsers the page, and returns an index to programs", async () => {
    const browser = await fetchFrom(service, "/", { headers: { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" } });
    expect([browser.status, browser.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    const index = jsonOf(await fetchFrom(service, "/")) as { links: Record<string, string> };
    for (const path of Object.values(index.links)) {
      expect([path, (await fetchFrom(service, path)).status]).toEqual([path, path.includes("/account") ? 401 : 200]);
    }
  });

  test("show the address at which they are read, as a trusted proxy states it, and no invalid one", async () => {
    const proxied = await startService({ settings: { TRUST_PROXY: "127.0.0.1", LOG_LEVEL: "silent" } });
    const exampleAt = async (headers: Readonly<Record<string, string>>) => {
      const { text } = await fetchFrom(proxied, "/docs/guides/paging", { headers });
      return /https?:[^?]*?(?=\/api\/v1\/offers)/.exec(text)?.[0];
    };
    expect(await exampleAt({ host: "gpus.example.com" })).toBe("http://gpus.example.com");
    expect(await exampleAt({ host: "gpus.example.com", "x-forwarded-proto": "https" })).toBe(
      "https://gpus.example.com",
    );
    expect(await exampleAt({ host: "[::1]:8080" })).toBe("http://[::1]:8080");
    expect(await exampleAt({ host: "a&b'c" })).toBe("http://127.0.0.1:3000");
  });

  test.for(["/docs/", "/docs/guides", "/docs/guides/", "/docs/errors", "/docs/errors/"])(
    "has a documentation to which %s redirects",
    async (path) => {
      const { status, headers } = await fetchFrom(service, path);
      expect([status, new URL(headers.location ?? "", `http://x${path}`).pathname]).toEqual([302, "/docs"]);
    },
  );
});
