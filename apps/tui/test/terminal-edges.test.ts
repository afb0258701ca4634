import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { customResponse, errorResponse, startFake } from "./fake-service.ts";
import { HAS_TMUX, IN_TMUX, openPicker, openShell, type PickerShell } from "./picker-shell.ts";
import { PROGRAM } from "./program.ts";

// What users of the picker have stumbled over, in a real terminal.

const STARTER = fileURLToPath(new URL("../../api/catalog/starter.json", import.meta.url));

/** Opens a picker on the starter, with a filter or other options. */
async function openStarter(args: string, settings: Readonly<Record<string, string>> = {}): Promise<PickerShell> {
  const opened = openShell(settings);
  opened.start(`--catalog ${STARTER} ${args}`);
  await opened.shell.sees(/375 offers/);
  return opened;
}

describe.skipIf(!HAS_TMUX)(`the picker ${IN_TMUX}`, { concurrent: true }, () => {
  test("takes letters as text in the facets, also those that are keys elsewhere", async () => {
    const { shell } = await openStarter("");
    shell.type("ffinland");
    expect(await shell.sees(/ find finland/)).toMatch(/\[ \] Finland/);
    shell.press("Enter");
    await shell.sees(/\[x\] Finland/);
    shell.press("Escape", "Escape");
    await shell.sees(/ \d+ of 375 offers[^]*country FI/);
  });

  test.each([
    [500, /OFFLINE retry in \ds[^]*returned an error \(status 500\)\. Try again later/],
    [404, /OFFLINE R retries[^]*no gpu-offers service at \S+ \(set GPU_OFFERS_URL\)/],
  ])("reads HTML with status %i as another program, not as an old service", async (status, wanted) => {
    const fake = await startFake();
    fake.intercept = customResponse((response) => {
      response.writeHead(status, { "content-type": "text/html" }).end("<h1>Sorry</h1>");
    });
    const { shell, start } = openShell({ GPU_OFFERS_URL: fake.url });
    start("h100");
    expect(await shell.sees(wanted)).not.toContain("is unknown");
  });

  test("says how the words are read at every width, and what each piece excludes", async () => {
    const { shell } = await openStarter(`"8xh100 under \\$20/hr"`);
    await shell.sees(/^ 8x · H100 in 4 forms · \?below \$20 per hour for the instance +w why$/m);
    shell.resize(40, 12);
    await shell.sees(/ sample prices[^]*^ 8x · H100 \(4 forms\) · \?<\$20\/h total +w$/m);
    shell.type("w");
    await shell.sees(/ ❯ under \$20\/hr: [^]*\n +excludes \d+ offers\n +\? the machine has several GPUs\n +Enter: /);
    shell.press("Enter");
    await shell.sees(/^ \/ 8xh100 under \$20\/hr per gpu/m);
  });

  test("shows the provider beside the GPU and a price at 40 columns", async () => {
    const { shell } = await openStarter("8xh100");
    shell.resize(40, 12);
    expect(await shell.sees(/GPU +PROVI\S* +\$\/GPU-H↑$/m)).toMatch(/^❯\? 8× H100 \S+ 80G +vast +[\d.]+$/m);
  });

  test("opens the prompts for screen readers", async () => {
    const { shell, start } = openShell({ INK_SCREEN_READER: "true" });
    start(`--catalog ${STARTER} 8xh100`);
    await shell.sees(/Number to choose, Enter for more/);
    expect(shell.flags("alternate_on")).toEqual(["0"]);
  });

  test("reads provider:aws as it reads gpu:h100", async () => {
    const { shell } = await openStarter("gpu:h100 provider:aws");
    await shell.sees(/ gpu:h100 provider:aws[^]*^❯\? \d× H100 SXM 80G +aws /m);
  });

  test("says in the footer what the body says of Enter", async () => {
    const fake = await startFake();
    const { shell } = await openPicker(fake, "--image cuda");
    shell.type("\r\r");
    await shell.sees(/Enter to accept[^]*Enter accept/);
    fake.intercept = errorResponse(503, "unavailable");
    shell.type("\r");
    expect(await shell.sees(/Enter to retry[^]*Enter retry/)).not.toContain("Enter accept");
  });

  test("counts the seconds of a recheck that hangs", async () => {
    const fake = await startFake();
    const { shell } = await openPicker(fake, "--image cuda");
    shell.type("\r\r");
    await shell.sees(/Enter to accept/);
    fake.intercept = () => true;
    shell.type("\r");
    expect(await shell.sees(/rechecking availability and price \.\.\. 4 s/)).not.toContain("Enter accept");
  });

  test("advises words for words", async () => {
    const { shell } = await openStarter("runs 70b llama");
    const screen = await shell.sees(
      / 0 of 375 offers[^]*"llama" is unknown; write a model with its size, such as llama 70b/,
    );
    expect(screen).not.toContain("fits=");
    const { shell: other } = await openStarter("70b");
    expect(await other.sees(/^ fits a model of 70b at 16 bits, 8k of context +w why$/m)).toMatch(/^❯\? /m);
  });

  test("says without which words there are offers in scripts, not without which flag", async () => {
    const { shell, enter } = openShell({});
    enter(`PICKER --catalog ${STARTER} list xyzzy h100`);
    expect(await shell.sees(/Without the words\s+"xyzzy h100": 375 offers/)).not.toContain("--text");
  });

  test.each([
    ["--country Ger", "--country germany"],
    ["--gpu H200", "--gpu h200"],
    ["--provider V", "--provider v"],
  ])("completes %s at Tab", async (typed, wanted) => {
    const { shell, folder, enter } = openShell({ PATH: `.:${process.env["PATH"]}` });
    writeFileSync(join(folder, "gpu-offers"), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`, {
      mode: 0o755,
    });
    symlinkSync(STARTER, join(folder, "c.json"));
    enter(`eval "$(gpu-offers completion bash)"; echo read`);
    await shell.sees(/^read$/m);
    shell.type(`gpu-offers --catalog c.json ${typed}\t`);
    await shell.sees(new RegExp(wanted));
  });
});
