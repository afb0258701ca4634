import { describe, expect, test } from "vitest";
import { errorResponse, startFake } from "./fake-service.ts";
import { offerAt } from "./offers.ts";
import { HAS_TMUX, IN_TMUX, openPicker } from "./picker-shell.ts";

// Offers and images that disappear, change or fail to load during a choice, in a real terminal.

describe.skipIf(!HAS_TMUX)(`a choice ${IN_TMUX}`, () => {
  test("replaces an offer that is gone by one of the three closest", async () => {
    const fake = await startFake();
    const { shell, read } = await openPicker(fake);
    shell.press("Enter");
    await shell.sees(/Image ubuntu|❯ Image/);
    shell.type("\r\r");
    await shell.sees(/Enter to accept/);
    fake.offers = fake.offers.filter((offer) => offer.priceHourly !== 1.5 || offer.gpuCount !== 8);
    shell.type("\r");
    const screen = await shell.sees(/This offer is no longer available\. Press a number/);
    expect(screen.match(/^ {3}[123] \d× H100/gm)).toHaveLength(3);
    shell.type("2");
    await shell.sees(/Offer ✓ › Image/);
    shell.type("\r\r");
    await shell.sees(/Enter to accept/);
    shell.type("\r");
    await shell.sees(/ended 0/);
    expect(fake.offers.map(({ id }) => id)).toContain((JSON.parse(read("out")) as { offer: { id: string } }).offer.id);
  });

  test("shows the old and the new price if the disk is repriced, and requires confirmation", async () => {
    const fake = await startFake();
    const { shell, read } = await openPicker(fake, "--image cuda");
    shell.press("Enter");
    await shell.sees(/Image cuda ✓ › Disk/);
    shell.type("\r");
    await shell.sees(/Enter to accept/);
    fake.offers = fake.offers.map((_, index) => offerAt(index, { storageCostPerGB: 0.0002 }));
    shell.type("\r");
    await shell.sees(
      /The price has changed: \$1\.514\/h with 100 GB is now \$1\.52\/h with 100 GB\.[^]*Enter to accept the new price/,
    );
    shell.type("\r");
    await shell.sees(/ended 0/);
    expect(JSON.parse(read("out"))).toMatchObject({
      deployment: { os_image_id: "cuda" },
      offer: { storageCostPerGB: 0.0002 },
      estimate: { hourly: "1.5200" },
    });
  });

  test("asks for an image if the provider doesn't have the requested one", async () => {
    const fake = await startFake();
    const { shell } = await openPicker(fake, "--image windows");
    shell.press("Enter");
    await shell.sees(/has no image "windows" \(--image\)\. Choose another one\.[^]*❯ Image ubuntu/);
  });

  test("offers the default image or a retry if images can't be loaded", async () => {
    const fake = await startFake();
    fake.intercept = (request, response) =>
      request.url?.includes("/images") === true && errorResponse(500, "internal_error")(request, response);
    const { shell } = await openPicker(fake);
    shell.press("Enter");
    await shell.sees(/returned an error: No[^]*Press R to retry, or Enter to use the provider's default image\./);
    shell.press("Enter");
    await shell.sees(/Image default ✓ › Disk/);
    fake.intercept = undefined;
    shell.press("Escape");
    shell.type("R");
    await shell.sees(/❯ Image ubuntu/);
  });

  test("reports slow images after a while, and loses no key", async () => {
    const fake = await startFake();
    fake.intercept = (request, response) => {
      if (request.url?.includes("/images") !== true) {
        return false;
      }
      setTimeout(() => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ data: fake.images }));
      }, 1_200);
      return true;
    };
    const { shell } = await openPicker(fake);
    shell.press("Enter");
    expect(await shell.sees(/Offer ✓ › Image/)).not.toContain("reading the images");
    shell.type("j\r");
    await shell.sees(/loading images for \w+ \.\.\./);
    await shell.sees(/Image cuda ✓ › Disk/);
  });
});
