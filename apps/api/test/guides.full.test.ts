import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { startCommand } from "@gpu-offers/testkit/running-process";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
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
