import { describe, expect, test } from "vitest";
import { startFake } from "./fake-service.ts";
import { imageNamed, offerAt } from "./offers.ts";
import { HAS_TMUX, IN_TMUX, openShell } from "./picker-shell.ts";

// Offers and images that disappear, change or fail to load during a choice, in a real terminal.

describe.skipIf(!HAS_TMUX)(`a choice by prompts ${IN_TMUX}`, () => {
  /** Chooses the first offer with an image and a disk of 60 GB, up to the confirmation. */
  const untilConfirmation = async (confirmation: RegExp) => {
    const fake = await startFake();
    const { shell, start, read } = openShell({ GPU_OFFERS_URL: fake.url });
    start("--accessible --image cuda --disk 60");
    await shell.sees(/Number to choose/);
    shell.type("1\r");
    await shell.sees(/Disk in GB/);
    shell.type("\r");
    await shell.sees(confirmation);
    return { fake, shell, read };
  };

  test("asks for another image if the chosen one is gone", async () => {
    const fake = await startFake();
    const { shell, start, read } = openShell({ GPU_OFFERS_URL: fake.url });
    start("--accessible --disk 60");
    await shell.sees(/Number to choose/);
    shell.type("1\r");
    await shell.sees(/Number of the image/);
    shell.type("2\r");
    await shell.sees(/Disk in GB/);
    shell.type("\r");
    await shell.sees(/Accept\?/);
    fake.images = [imageNamed("ubuntu", true), imageNamed("debian")];
    shell.type("\r");
    await shell.sees(/That image is gone\. Choose another one\.\n1\. Image ubuntu, default\n2\. Image debian/);
    shell.type("2\r\r\r");
    await shell.sees(/ended 0/);
    expect(JSON.parse(read("out"))).toMatchObject({ deployment: { os_image_id: "debian", disk_gb: 60 } });
  });

  test.each([
    ["yes", /ended 0/, true],
    ["no", /ended 130/, false],
  ])("repeats the confirmation after an invalid reply, and understands %s", async (reply, end, isTaken) => {
    const { shell, read } = await untilConfirmation(/Accept\?/);
    shell.type("yess\r");
    await shell.sees(/"yess" is not an option[^]*Accept\?/);
    shell.type(`${reply}\r`);
    await shell.sees(end);
    expect(read("out") !== "").toBe(isTaken);
  });

  test("asks again if an offer is repriced, and lists others if it is gone", async () => {
    const { fake, shell, read } = await untilConfirmation(/Total: \$1\.5084\/h\.[^]*Accept\?/);
    const first = fake.offers.find(({ priceHourly, gpuCount }) => priceHourly === 1.5 && gpuCount === 8);
    fake.offers = fake.offers.map((offer, index) => (offer === first ? offerAt(index, { priceHourly: 1.75 }) : offer));
    shell.type("\r");
    await shell.sees(
      /The price has changed: \$1\.5084\/h with 60 GB is now \$1\.7584\/h with 60 GB\.\nTotal: \$1\.7584\/h\./,
    );
    fake.offers = fake.offers.filter(({ id }) => id !== first?.id);
    shell.type("\r");
    await shell.sees(/This offer is no longer available\. Alternatives:\n1\. 8× H100[^]*Number to choose/);
    shell.type("1\r");
    await shell.sees(/Number to choose, b for back, q to quit: 1\nDisk in GB/);
    shell.type("60 GB\r");
    await shell.sees(/Enter digits only\.\nDisk in GB/);
    shell.type("\r\r");
    await shell.sees(/gpu-offers: chosen: \d×\s+H100[^]*ended 0/);
    expect(JSON.parse(read("out"))).toMatchObject({ deployment: { os_image_id: "cuda", disk_gb: 60 } });
  });
});
