import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { present, type LaunchPlan, type ListingList, type Offer, type QueryPlan } from "@gpu-offers/domain";
import { writeNative, type SourceImage, type SourceProvider } from "@gpu-offers/sources";
import { present as hasRecordings, readOffers } from "@gpu-offers/sources/test/read-offers";
import { adminDone } from "@gpu-offers/testkit/admin";
import { tempFile } from "@gpu-offers/testkit/native-catalogs";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { CHROMIUM, usePage } from "@gpu-offers/web/test/chromium";
import { beforeAll, describe, expect, test } from "vitest";
import type { PickResult } from "../src/output/result.ts";
import { runInProcess } from "./in-process.ts";
import { HAS_TMUX, IN_TMUX, openShell } from "./picker-shell.ts";
import { call, converse, run } from "./program.ts";

// The same offers with the same choices on every door: HTTP, the command, the page in Chromium, the picker in a terminal, and
// agents. All have the same texts, in the same order.

const STARTER = fileURLToPath(new URL("../../api/catalog/starter.json", import.meta.url));

const HAS_ALL = HAS_TMUX && existsSync(CHROMIUM);

/** Choices as parameters of HTTP, which are those of the page and the flags of the picker. */
const CHOICES: readonly Readonly<Record<string, string>>[] = [{}, { disk: "500" }, { fits: "70b" }];

/** Machines whose disk must be chosen, may be, and is fixed; each with its query. */
const MACHINES = ["8xh100 verda", "8xa100 aws", "8xh100 lambda", "8xh100 runpod"];

/** Wishes in the words of people, what their best offer is like, and what a text of it says. */
const WISHES = [
  {
    q: "spot A100 in AWS us-east-1, 500 GB disk",
    flags: ["--disk", "500", "--spot", "true"],
    offer: { provider: { name: "aws" }, region: expect.stringMatching(/^us-east-1/) as string },
    text: /infra: aws\/us-east-1[^]*instance_type: p4d.24xlarge[^]*disk_size: 500[^]*use_spot: true/,
  },
  {
    q: "cheapest that runs Llama 3.1 70B for a weekend with its weights on disk",
    flags: ["--fits", "70b"],
    // The cheapest machine, though two H100 cost less per GPU.
    offer: { gpu: { slug: "mi300x" }, gpuCount: 1, specs: { disk: 12_288 } },
    text: /instance_types: \[vm-mi300x-1\][^]*max_price: 2.09/,
    forHours: 95.52,
  },
  {
    q: "8x H100 in Europe, 1 TB, below 25 $ an hour",
    flags: ["--disk", "1TB"],
    offer: { gpuCount: 8, gpu: { slug: "h100-sxm" }, regionInfo: { continent: "Europe" }, priceHourly: 17.6 },
    text: /vastai create instance 36742500[^]*--disk 1000/,
  },
];

/** A catalog of all of them but the starter's, to import: one provider may have been recorded and have files. */
async function recordedCatalog(): Promise<string> {
  const recorded = (await readOffers()).filter(({ from }) => from !== "starter");
  const providers = new Map<string, SourceProvider & { images: SourceImage[] }>();
  for (const { offer, images } of recorded) {
    const { name } = offer.provider;
    if (images.length >= (providers.get(name)?.images.length ?? 0)) {
      providers.set(name, { name, type: "vm", images: [...images] });
    }
  }
  const offers = [...new Map(recorded.map((one) => [one.offer.id, one])).values()];
  let lines = "";
  for await (const line of writeNative({ asOf: "2026-11-20" }, providers.values(), offers)) {
    lines += line;
  }
  return lines;
}

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

  describe.skipIf(!hasRecordings)("on recorded responses and sample files", () => {
    let service: Service;
    beforeAll(async () => {
      const databasePath = tempDatabase();
      await adminDone(databasePath, "catalog", "import", tempFile("recorded.ndjson", await recordedCatalog()));
      service = await startService({ databasePath, settings: { MCP: "on", RATE_LIMIT: "off" } });
    });
    const planOf = async (q: string): Promise<QueryPlan> =>
      (await fetch(`${service.url}/api/v2/plan?${new URLSearchParams({ q }).toString()}`)).json() as Promise<QueryPlan>;
    const ask = async (name: string, args: object): Promise<Record<string, unknown>> => {
      const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const response = await fetch(`${service.url}/mcp`, { method: "POST", headers, body: JSON.stringify(body) });
      const [, data = ""] = /^data: (.*)$/m.exec(await response.text()) ?? [];
      return (JSON.parse(data) as { result: { structuredContent: Record<string, unknown> } }).result.structuredContent;
    };

    test.for(WISHES)(
      "find, price and launch: $q",
      { timeout: 120_000 },
      async ({ q, flags, offer, text, forHours }) => {
        const plan = await planOf(q);
        const texts = textsOf(plan);
        expect(plan).toMatchObject({ listing: { offer }, problems: [], sample: false });
        expect(plan.total?.forHours).toBe(forHours);
        expect(texts.join("\n")).toMatch(text);
        const { id } = present(plan.listing ?? undefined).offer;

        const command = async (...args: string[]) => {
          const { code, stdout, stderr } = await run([...args, "--url", service.url]);
          expect([code, stderr]).toEqual([0, expect.any(String)]);
          return stdout;
        };
        const words = ["--text", q, "--sort", "total"];
        const [listed] = JSON.parse(await command(...words, "--limit", "1", "--list", "--format", "json")) as Offer[];
        expect(listed?.id).toBe(id);
        const picked = JSON.parse(await command(...words, "--first")) as PickResult;
        expect([picked.offer.id, ...textsOf(picked)]).toEqual([id, ...texts]);
        expect(Number(picked.estimate.hourly)).toBeCloseTo(plan.total?.hourly ?? 0, 3);
        expect(picked.estimate.forHours).toBe(forHours?.toFixed(4));
        const pasted = await command("launch", id.slice(0, 8), ...flags);
        expect(texts.filter((one) => !pasted.includes(one))).toEqual([]);

        const { offers } = (await ask("find_gpu_offers", { text: q, limit: 1 })) as {
          offers: { id: string; diskGb: number; spot?: string; usdTotal?: number }[];
        };
        const [row] = offers;
        expect([row?.id, row?.usdTotal]).toEqual([id, forHours]);
        const quote = await ask("quote_gpu_deployment", { id, diskGb: row?.diskGb, spot: row?.spot !== undefined });
        expect(textsOf(quote as unknown as LaunchPlan)).toEqual(texts);

        const page = await web.open(`/?${new URLSearchParams({ q, sort_by: "total" }).toString()}`, {
          url: service.url,
        });
        await page.locator("#rows .row .open").first().click();
        await page.locator("section.pane pre").first().waitFor({ state: "attached" });
        const shown = await page.locator("section.pane pre").allTextContents();
        expect(shown.map((one) => one.trimEnd())).toEqual(texts);
      },
    );

    test("say why none has all that is wished, and what is near", async () => {
      const q = "spot A100 80GB in AWS us-east-1";
      const { listing, understood } = await planOf(q);
      expect(listing).toBeNull();
      const doubt = "no offer here that matches the rest has one";
      expect(understood).toContainEqual(expect.objectContaining({ text: "spot", doubt }));
      const { code, stderr } = await run(["--text", q, "--first", "--url", service.url]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/Nearest text "spot A100 in AWS us-east-1": 3 offers/)]);
      expect(await ask("find_gpu_offers", { text: q })).toMatchObject({ total: 0, excludedBy: { text: 3078 } });
      const page = await web.open(`/?${new URLSearchParams({ q }).toString()}`, { url: service.url });
      await page.locator(".nothing").getByText("spot A100 in AWS us-east-1").waitFor();
    });
  });
});
