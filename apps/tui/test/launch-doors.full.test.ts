import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { present, type LaunchPlan, type ListingList } from "@gpu-offers/domain";
import { CHROMIUM, usePage } from "@gpu-offers/web/test/chromium";
import { describe, expect, test } from "vitest";
import type { PickResult } from "../src/output/result.ts";
import { runInProcess } from "./in-process.ts";
import { HAS_TMUX, IN_TMUX, openShell } from "./picker-shell.ts";
import { call, converse } from "./program.ts";

// The same offers with the same choices on every door: HTTP, the command, the page in Chromium, the picker in a terminal, and
// agents. All have the same texts, in the same order.

const STARTER = fileURLToPath(new URL("../../api/catalog/starter.json", import.meta.url));

const HAS_ALL = HAS_TMUX && existsSync(CHROMIUM);

/** Choices as parameters of HTTP, which are those of the page and the flags of the picker. */
const CHOICES: readonly Readonly<Record<string, string>>[] = [{}, { disk: "500" }, { fits: "70b" }];

/** Machines whose disk must be chosen, may be, and is fixed; each with its query. */
const MACHINES = ["8xh100 verda", "8xa100 aws", "8xh100 lambda", "8xh100 runpod"];

const textsOf = ({ launch }: { launch: readonly { text: string }[] }): string[] =>
  launch.map(({ text }) => text.trimEnd());

describe.skipIf(!HAS_ALL)(`doors ${IN_TMUX}`, () => {
  const web = usePage();
  const get = async <Body>(path: string): Promise<Body> =>
    (await fetch(`${web.service.url}/api/v2/${path}`)).json() as Promise<Body>;

  /** The first listing that several doors find with the same words. */
  const listingOf = async (q: string) => {
    const { listings } = await get<ListingList>(`listings?${new URLSearchParams({ q, size: "1" }).toString()}`);
    return present(listings[0]).offer;
  };

  test.for(MACHINES)("have the same texts for %s", { timeout: 120_000 }, async (q) => {
    const { id, region, gpu } = await listingOf(q);
    for (const choice of CHOICES) {
      const search = new URLSearchParams(choice).toString();
      const plan = await get<LaunchPlan>(`listings/${id}/launch?${search}`);
      const texts = textsOf(plan);
      expect([q, choice, plan.problems, texts.length > 0]).toEqual([q, choice, [], true]);

      const flags = Object.entries(choice).flatMap(([name, value]) => [`--${name}`, value]);
      const { stdout } = await runInProcess(["launch", id, "--sample", "--catalog", STARTER, ...flags]);
      expect(texts.filter((text) => !stdout.includes(text))).toEqual([]);

      const page = await web.open(`/?${new URLSearchParams({ ...choice, offer: id }).toString()}`);
      await page.locator("section.pane pre").first().waitFor({ state: "attached" });
      const shown = await page.locator("section.pane pre").allTextContents();
      expect(shown.map((text) => text.trimEnd())).toEqual(texts);
      await page.close();

      const { shell, enter, read } = openShell({});
      const filters = `--gpu =${gpu.slug} --region ${region} --catalog ${STARTER}`;
      enter(`PICKER '${q}' ${filters} ${flags.join(" ")} -o json >out; echo "ended $?"`);
      await shell.sees(/ 1 of 375 offers/);
      for (let step = 0; !/ended \d/.test(shell.screen()) && step < 5; step++) {
        const before = shell.screen();
        shell.press("Enter");
        await expect.poll(() => shell.screen()).not.toBe(before);
      }
      await shell.sees(/ended 0/);
      shell.close();
      const picked = JSON.parse(read("out")) as PickResult;
      expect([picked.offer.id, ...textsOf(picked)]).toEqual([id, ...texts]);

      const { disk, ...others } = choice;
      const args = { id, ...others, ...(disk !== undefined && { diskGb: Number(disk) }) };
      const { responses } = await converse(["--catalog", STARTER], [call("quote_gpu_deployment", args)]);
      const { content } = present(responses[0]).result as { content: { text: string }[] };
      expect(textsOf(JSON.parse(content[0]?.text ?? "") as PickResult)).toEqual(texts);
    }
  });
});
