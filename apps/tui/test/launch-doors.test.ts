import { fileURLToPath } from "node:url";
import { present, type LaunchPlan, type ListingList } from "@gpu-offers/domain";
import { expect, inject, test } from "vitest";
import type { PickResult } from "../src/output/result.ts";
import { runInProcess } from "./in-process.ts";
import { call, converse } from "./program.ts";

// One choice has the same texts wherever it is made: over HTTP, which the page reads, by the commands, in the picker, whose
// result --id prints, and for agents.

const STARTER = fileURLToPath(new URL("../../api/catalog/starter.json", import.meta.url));

test("doors have the same texts for the same offers and choices", async () => {
  const { url } = inject("service");
  const get = async <Body>(path: string): Promise<Body> =>
    (await fetch(`${url}/api/v2/${path}`)).json() as Promise<Body>;
  const { listings } = await get<ListingList>("listings?min_gpu_count=8&size=100");
  const providers = ["aws", "gcp", "verda", "lambda", "runpod", "oci", "hyperstack", "nebius"];
  const chosen = providers.flatMap((name) => listings.find(({ offer }) => offer.provider.name === name) ?? []);
  expect(chosen.length).toBeGreaterThan(5);
  const cases = chosen.flatMap(({ offer: { id } }) => [undefined, 500].map((disk) => ({ id, disk })));
  const { responses } = await converse(
    ["--catalog", STARTER],
    cases.map(({ id, disk }) => call("quote_gpu_deployment", { id, ...(disk !== undefined && { diskGb: disk }) })),
  );
  for (const [index, { id, disk }] of cases.entries()) {
    const plan = await get<LaunchPlan>(`listings/${id}/launch${disk === undefined ? "" : `?disk=${disk}`}`);
    const texts = plan.launch.map(({ text }) => text);
    expect([plan.problems, texts.length > 0]).toEqual([[], true]);
    const flags = ["--sample", "--catalog", STARTER, ...(disk === undefined ? [] : ["--disk", String(disk)])];
    const { stdout } = await runInProcess(["launch", id, ...flags]);
    expect(texts.filter((text) => !stdout.includes(text.trimEnd()))).toEqual([]);
    const picked = JSON.parse((await runInProcess(["--id", id, ...flags])).stdout) as PickResult;
    expect(picked.launch.map(({ text }) => text)).toEqual(texts);
    const { content } = present(responses[index]).result as { content: { text: string }[] };
    const quoted = JSON.parse(content[0]?.text ?? "") as { launch: { text: string }[]; usdPerHourWithDisk: number };
    expect(quoted.launch.map(({ text }) => text)).toEqual(texts);
    expect(quoted.usdPerHourWithDisk).toBeCloseTo(plan.total?.hourly ?? 0, 3);
  }
});

test("a disk for a model is the same by the command as over HTTP, and a plan of the sample isn't sold unasked", async () => {
  const { url } = inject("service");
  const query = "listings?provider=aws&gpu=h100&min_gpu_count=8&size=1";
  const { listings } = (await (await fetch(`${url}/api/v2/${query}`)).json()) as ListingList;
  const id = present(listings[0]).offer.id;
  const plan = (await (await fetch(`${url}/api/v2/listings/${id}/launch?fits=70b&top=3`)).json()) as LaunchPlan;
  expect(plan.notes).toContain("The disk has 168 GB, for 140 GB of weights and a fifth more.");
  const args = ["launch", id, "--catalog", STARTER, "--fits", "70b", "--top", "3"];
  const { stdout } = await runInProcess([...args, "--sample"]);
  expect(plan.launch.filter(({ text }) => !stdout.includes(text.trimEnd()))).toEqual([]);
  const unasked = await runInProcess(args);
  expect([unasked.code, unasked.stdout]).toEqual([7, ""]);
  expect(unasked.stderr).toContain("--sample uses these anyway");
  const wrong = await runInProcess(["launch", id, "--catalog", STARTER, "--sample", "--fits", "llama"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("fits is invalid: a model is written as")]);
});
