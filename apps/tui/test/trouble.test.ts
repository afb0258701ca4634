import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { calm, fog, startFake, storm, type FakeService } from "./fake-service.ts";
import { hostile } from "./odd-server.ts";
import { offerAt } from "./offers.ts";
import { openShell, type PickerShell } from "./picker-shell.ts";
import { HAS_TMUX, IN_TMUX } from "./tmux.ts";

// What a person sees when the service is slow, broken, gone or of another mind, in a real terminal.

/** A picker that shows the offers of a service. */
async function opened(fake: FakeService, args = ""): Promise<PickerShell> {
  const opened_ = openShell({ GPU_OFFERS_URL: fake.url, GPU_OFFERS_API_KEY: "key" });
  opened_.start(args);
  await opened_.shell.sees(/30 offers.*updated/);
  return opened_;
}

const ROWS = /H100 PCIe +\d/;

describe.skipIf(!HAS_TMUX)(`trouble ${IN_TMUX}`, () => {
  it("429: waits as long as Retry-After says, counts down, and keeps its rows", async () => {
    const fake = await startFake();
    const { shell } = await opened(fake);
    fake.weather = storm(429, "rate_limited", { headers: { "retry-after": "3" }, times: 1 });
    const before = fake.listedMs.length;
    shell.type("R");
    expect(await shell.sees(/STALE retry in [23]s/)).toMatch(ROWS);
    await shell.sees(/STALE retry in 1s/);
    await shell.sees(/updated [01]s ago/);
    const [refused = 0, again = 0] = fake.listedMs.slice(before);
    expect(again - refused).toBeGreaterThanOrEqual(2_990);
  });

  it("5xx: waits longer after each failure, never twice the same", async () => {
    const fake = await startFake();
    const { shell } = await opened(fake);
    fake.weather = storm(503, "unavailable", { times: 3 });
    const before = fake.listedMs.length;
    shell.type("R");
    expect(await shell.sees(/STALE retry in \ds/)).toMatch(/ fails: /);
    await shell.sees(/updated [01]s ago/);
    const [first = 0, second = 0, third = 0, fourth = 0] = fake.listedMs.slice(before);
    for (const [gapMs, backoffMs] of [
      [second - first, 1_000],
      [third - second, 2_000],
      [fourth - third, 4_000],
    ] as const) {
      expect(gapMs).toBeGreaterThanOrEqual(backoffMs * 0.75 - 10);
      expect(gapMs).toBeLessThan(backoffMs * 1.25 + 500);
    }
  });

  it("401 half-way: keeps the rows and names the variable, in the list and when it accepts", async () => {
    const fake = await startFake();
    const { shell } = await opened(fake);
    fake.weather = storm(401, "unauthorized");
    shell.type("R");
    const screen = await shell.sees(/STALE R retries/);
    expect(screen).toMatch(/the API key is refused; set GPU_OFFERS_API_KEY/);
    expect(screen).toMatch(ROWS);
    fake.weather = undefined;
    shell.type("R");
    await shell.sees(/updated 0s ago/);
    shell.press("Enter");
    await shell.sees(/Image ubuntu/);
    shell.type("\r\r");
    await shell.sees(/Enter takes it/);
    fake.weather = storm(401, "unauthorized");
    shell.type("\r");
    await shell.sees(/the API key is refused; set GPU_OFFERS_API_KEY[^]*Enter asks again/);
    fake.weather = undefined;
    shell.type("\r");
    await shell.sees(/ended 0/);
  });

  it("HTML: says that it is no such service, and what to set", async () => {
    const fake = await startFake();
    fake.weather = fog((response) => response.end("<!doctype html><h1>Welcome</h1>"));
    const { shell, start } = openShell({ GPU_OFFERS_URL: fake.url });
    start();
    await shell.sees(
      /OFFLINE R retries[^]*no gpu-offers service at \S+ \(set GPU_OFFERS_URL\): the\s+answer is not JSON[^]*R asks again now/,
    );
    fake.weather = undefined;
    shell.type("R");
    await shell.sees(/30 offers/);
  });

  it("a huge answer: is given up, with its limit", async () => {
    const fake = await startFake();
    const { shell } = await opened(fake);
    const chunk = Buffer.alloc(1024 * 1024, " ");
    fake.weather = fog((response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) {
          // As long as it is taken
        }
        response.once("drain", more);
      };
      more();
    });
    shell.type("R");
    expect(await shell.sees(/STALE[^]*no gpu-offers service at \S+ \(set GPU_OFFERS_URL\)/)).toMatch(ROWS);
    shell.resize(200, 24);
    await shell.sees(/the answer is larger than 8388608 bytes/);
  });

  it("a slow answer: a spinner after a while, keys all the time", async () => {
    const fake = await startFake();
    fake.weather = calm(fake, 2_500);
    const { shell, start } = openShell({ GPU_OFFERS_URL: fake.url });
    start();
    expect(await shell.sees(/q quit/)).not.toMatch(/loading|reading/);
    await shell.sees(/. loading 0[^]*reading offers from http/);
    shell.type("/h100\rs");
    await shell.sees(/ \/ h100/);
    await shell.sees(/30 offers/);
    expect(shell.screen()).toMatch(/\$\/H↑/);
  });

  it("a slow confirmation: a word after a while", async () => {
    const fake = await startFake();
    const { shell } = await opened(fake, "--image cuda");
    shell.type("\r\r");
    await shell.sees(/Enter takes it/);
    fake.weather = calm(fake, 2_000);
    shell.type("\r");
    await shell.sees(/asking the server again \.\.\./);
    await shell.sees(/ended 0/);
  });

  it("no answer at all: gives up after ten seconds and tries again", async () => {
    const fake = await startFake();
    const { shell } = await opened(fake);
    fake.weather = () => true;
    shell.type("R");
    await shell.sees(/. loading 0/);
    await wait(3_000);
    expect(await shell.sees(/STALE retry in[^]*cannot reach http\S+: no answer in time/)).toMatch(ROWS);
  });

  it("a server that goes and comes back: rows are kept, and it goes on by itself", async () => {
    const fake = await startFake();
    const { shell } = await opened(fake);
    shell.type("jj");
    await fake.stop();
    shell.type("R");
    expect(await shell.sees(/STALE retry in \ds/)).toMatch(/ cannot reach http:\/\/127\.0\.0\.1:\d+/);
    const pointed = /^❯.*$/m.exec(shell.screen())?.[0];
    await fake.start();
    await shell.sees(/updated \ds ago/);
    expect(shell.screen()).toContain(pointed);
  });

  it("an offer that is gone: the three closest, of which a key takes one", async () => {
    const fake = await startFake();
    const { shell, read } = await opened(fake);
    shell.press("Enter");
    await shell.sees(/Image ubuntu|❯ Image/);
    shell.type("\r\r");
    await shell.sees(/Enter takes it/);
    fake.offers = fake.offers.filter((offer) => offer.priceHourly !== 1.5 || offer.gpuCount !== 8);
    shell.type("\r");
    const screen = await shell.sees(/This offer is gone\. The closest ones/);
    expect(screen.match(/^ {3}[123] \d×H100/gm)).toHaveLength(3);
    shell.type("2");
    await shell.sees(/Offer ✓ › Image/);
    shell.type("\r\r\r");
    await shell.sees(/ended 0/);
    expect(fake.offers.map(({ id }) => id)).toContain((JSON.parse(read("out")) as { offer: { id: string } }).offer.id);
  });

  it("an offer whose disk is repriced: the old and the new price with it, and a question", async () => {
    const fake = await startFake();
    const { shell, read } = await opened(fake, "--image cuda");
    shell.press("Enter");
    await shell.sees(/Image cuda ✓ › Disk/);
    shell.type("\r");
    await shell.sees(/Enter takes it/);
    fake.offers = fake.offers.map((_, index) => offerAt(index, { storageCostPerGB: 0.0002 }));
    shell.type("\r");
    await shell.sees(
      /The price has changed: \$1\.507\/h with 50 GB is now \$1\.51\/h with 50 GB\.[^]*Enter accepts the new price/,
    );
    shell.type("\r");
    await shell.sees(/ended 0/);
    expect(JSON.parse(read("out"))).toMatchObject({
      deployment: { os_image_id: "cuda" },
      offer: { storageCostPerGB: 0.0002 },
      estimate: { hourly: "1.5100" },
    });
  });

  it("an image that the provider does not have: says so and asks", async () => {
    const fake = await startFake();
    const { shell } = await opened(fake, "--image windows");
    shell.press("Enter");
    await shell.sees(/has no image "windows" \(--image\); choose one that it has\.[^]*❯ Image ubuntu/);
  });

  it("images that cannot be read: the provider's default, or another try", async () => {
    const fake = await startFake();
    fake.weather = (request, response) =>
      request.url?.includes("/images") === true && storm(500, "internal_error")(request, response);
    const { shell } = await opened(fake);
    shell.press("Enter");
    await shell.sees(/fails: No[^]*R asks again, Enter goes on with the provider's default image/);
    shell.press("Enter");
    await shell.sees(/Image default ✓ › Disk/);
    fake.weather = undefined;
    shell.press("Escape");
    shell.type("R");
    await shell.sees(/❯ Image ubuntu/);
  });

  it("images that are slow: a word after a while, and no key is lost", async () => {
    const fake = await startFake();
    fake.weather = (request, response) => {
      if (request.url?.includes("/images") !== true) {
        return false;
      }
      setTimeout(() => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ data: fake.images }));
      }, 2_000);
      return true;
    };
    const { shell } = await opened(fake);
    shell.press("Enter");
    expect(await shell.sees(/Offer ✓ › Image/)).not.toContain("reading the images");
    shell.type("j\r");
    await shell.sees(/reading the images of \w+ \.\.\./);
    await shell.sees(/Image cuda ✓ › Disk/);
  });

  it("texts that would act on the terminal: are shown and do nothing", async () => {
    const { shell, start, read } = openShell({ GPU_OFFERS_URL: await hostile(), GPU_OFFERS_API_KEY: "key" });
    shell.record("raw");
    start();
    await shell.sees(/2 offers.*updated/);
    for (const key of ["d", "Escape", "a", "Escape", "f", "Escape", "y", "Enter", "Escape"]) {
      shell.press(key);
      await wait(150);
    }
    shell.type("q");
    await shell.sees(/ended 130[^]*done/);
    const raw = read("raw");
    expect(raw).toContain("]0;owned");
    const [before = "", ...copies] = raw.split("\u001b]52;c;");
    // The copy of `y` is the one code of this kind that is meant.
    const written = [before, ...copies.map((copy) => copy.slice(copy.indexOf("\u0007") + 1))].join("");
    for (const acting of ["\u001b]", "\u0007", "\u001b[31m"]) {
      expect(written).not.toContain(acting);
    }
    expect(raw).not.toMatch(/[\u0080-\u009f\u202e\u2066\u2028]/);
  });

  it("rows of a file that are refused: their number, and why", async () => {
    const { shell, start, folder } = openShell({});
    const header = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,Region,SpotPrice";
    const rows = ["n3-A100x1,A100-80G-PCIe,1,28,120.0,,1.35,CANADA-1,", "n3-Foox1,Foo9000,1,28,120.0,,1.35,CANADA-1,"];
    writeFileSync(join(folder, "mine.csv"), [header, ...rows, ""].join("\n"));
    start("--catalog mine.csv --provider hyperstack");
    await shell.sees(/1 offer .*1 row refused \(a\)/);
    shell.type("a");
    await shell.sees(/1 row refused; gpu-offers refused --catalog mine\.csv says why\.[^]*line 3: unknown_gpu/);
  });

  it("a filter that nothing passes: what each keeps out, also of what the service was not asked for", async () => {
    const fake = await startFake();
    fake.offers.push(offerAt(40, { gpu: { name: "L4", slug: "l4", vramGB: 24, architecture: "Ada" } }));
    const { shell, start } = openShell({ GPU_OFFERS_URL: fake.url });
    start("--gpu l4 --continent Asia --max-price 100");
    await shell.sees(/0 offers\. A key drops one filter:\s+1 without where AS: 1/);
    shell.type("1");
    await shell.sees(/ 1 of 31 offers/);
    expect(await shell.sees(/^❯ L4/m)).not.toContain("where AS");
  });
});

describe.skipIf(!HAS_TMUX)(`trouble in prompts ${IN_TMUX}`, () => {
  it("asks again for an offer that is repriced, and offers others for one that is gone", async () => {
    const fake = await startFake();
    const { shell, start, read } = openShell({ GPU_OFFERS_URL: fake.url });
    start("--accessible --image cuda --disk 60");
    await shell.sees(/Number to pick/);
    shell.type("1\r");
    await shell.sees(/Disk in GB/);
    shell.type("\r");
    await shell.sees(/costs \$1\.5084 an hour[^]*Enter to take it/);
    const first = fake.offers.find(({ priceHourly, gpuCount }) => priceHourly === 1.5 && gpuCount === 8);
    fake.offers = fake.offers.map((offer, index) => (offer === first ? offerAt(index, { priceHourly: 1.75 }) : offer));
    shell.type("\r");
    await shell.sees(
      /The price has changed: \$1\.5084\/h with 60 GB is now \$1\.7584\/h with 60 GB\.\nThis costs \$1\.7584 an hour/,
    );
    fake.offers = fake.offers.filter(({ id }) => id !== first?.id);
    shell.type("\r");
    await shell.sees(/This offer is gone\. The closest ones:\n1\. 8×H100[^]*Number to take/);
    shell.type("1\r");
    await shell.sees(/Number to take, q to quit: 1\nDisk in GB/);
    shell.type("\r\r");
    await shell.sees(/ended 0/);
    expect(JSON.parse(read("out"))).toMatchObject({ deployment: { os_image_id: "cuda", disk_gb: 60 } });
  });
});
