import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ERROR_CODES, ERRORS } from "@gpu-offers/domain";
import { beforeAll, describe, expect, test } from "vitest";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { startCommand } from "@gpu-offers/testkit/running-process";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { apiErrorSchema } from "../src/openapi/api-error-schema.ts";
import { makeAccount, makeKey } from "@gpu-offers/store/test/accounts";

const DOCS = fileURLToPath(new URL("../../../docs", import.meta.url));
const ADDRESS = "http://127.0.0.1:3000";

let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService();
  const account = await makeAccount(service.databasePath);
  ({ key } = await makeKey(service.databasePath, account.id));
});

interface Sample {
  guide: string;
  language: string;
  code: string;
}

function samplesOf(guide: string): Sample[] {
  const text = readFileSync(join(DOCS, "guides", guide), "utf8");
  return [...text.matchAll(/^```(sh|ts|python)\n([^]*?)^```$/gm)].map(([, language = "", code = ""]) => ({
    guide,
    language,
    code,
  }));
}

const guides = globSync("*.md", { cwd: join(DOCS, "guides") }).sort();
const samples = guides.flatMap(samplesOf);
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

describe("the code samples of the guides", () => {
  test("are in curl, TypeScript and Python in every guide", () => {
    for (const guide of guides) {
      const languages = new Set(samplesOf(guide).map(({ language }) => language));
      expect([guide, [...languages].sort()]).toEqual([guide, ["python", "sh", "ts"]]);
    }
  });

  const run = async ({ language, code }: Sample) => {
    const own = code.replaceAll(ADDRESS, service.url);
    const settings = { GPU_OFFERS_API_KEY: key };
    const file = join(tempFolder(), language === "ts" ? "sample.mts" : "sample");
    writeFileSync(file, own);
    const program = language === "ts" ? process.execPath : language === "sh" ? "bash" : "python3";
    return startCommand(program, [file], settings).ended;
  };
  const isMissing = ({ language }: Sample) => (language === "python" && !hasPython) || (language === "sh" && !hasCurl);

  for (const sample of samples) {
    const skipped = isMissing(sample);
    test.skipIf(skipped)(
      `run: ${sample.language} of ${sample.guide}, "${sample.code.split("\n")[0]}"${skipped ? " (SKIPPED: its program is missing)" : ""}`,
      async () => {
        const { code, stdout, stderr } = await run(sample);
        expect([code, /error/i.test(sample.guide) ? "" : stderr]).toEqual([0, ""]);
        expect(stdout + stderr).not.toBe("");
      },
    );
  }
});

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
