import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startService } from "@gpu-offers/testkit/service";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { withPart } from "./page-part.ts";
import { PROGRAM } from "./program.ts";
import { svgOf } from "./svg.ts";
import { HAS_TMUX, IN_TMUX, TmuxShell } from "./tmux.ts";

// A session with the real picker in a real terminal. With RECORD set, it also writes the screens of docs/picker.md, and
// docs/picker.svg.

/** Whether jq, which the session is piped into, is installed here. */
const HAS_JQ = spawnSync("jq", ["--version"]).status === 0;

interface Picked {
  deployment: unknown;
  estimate: Record<string, unknown>;
}

test.skipIf(!HAS_TMUX || !HAS_JQ)(
  `a whole session ${IN_TMUX} prints what a script prints for the same choice`,
  async () => {
    const { url } = await startService();
    const { picked, printed, scripted: line, steps } = await recordSession(url);
    const byHand = JSON.parse(picked) as Picked;
    const scripted = JSON.parse(line) as Picked;
    const anyTime = {
      estimate: { ...scripted.estimate, checkedAt: byHand.estimate["checkedAt"] },
    };
    expect({ ...scripted, ...anyTime }).toEqual(byHand);
    expect(Object.keys(scripted)).toEqual(Object.keys(byHand));
    expect(JSON.parse(printed.slice(printed.indexOf("{"), printed.lastIndexOf("}") + 1))).toEqual(byHand.deployment);
    expect(steps).toHaveLength(7);
    if (process.env["RECORD"] !== undefined) {
      writeDocs(steps);
    }
  },
);

/** The screen after some keys. */
interface RecordedStep {
  name: "list" | "facets" | "sorted" | "compared" | "image" | "disk" | "confirmation";
  screen: string;
  /** The screen with attribute codes. */
  styled: string;
}

/** A whole session. */
interface RecordedSession {
  steps: RecordedStep[];
  /** Output of the pipe after the picker. */
  printed: string;
  /** The picker's line of JSON. */
  picked: string;
  /** The line of JSON of a command that makes the same choice without a terminal. */
  scripted: string;
}

/** Words that are typed as a filter. */
const WORDS = "8xh100 eu";

const COMMAND = "gpu-offers | tee picked.json | jq .deployment";

/** Records the session: the cheapest H100 in Europe with a disk of 500 GB. */
async function recordSession(url: string): Promise<RecordedSession> {
  const folder = tempFolder();
  writeFileSync(join(folder, "setup.sh"), `gpu-offers() { "${process.execPath}" "${PROGRAM}" "$@"; }\nclear\n`);
  const shell = new TmuxShell(folder, { GPU_OFFERS_URL: url, HOME: folder });
  try {
    shell.enter(". ./setup.sh");
    await shell.sees(/^\$\s*$/);
    shell.enter(COMMAND);
    await shell.sees(/ 375 offers/);
    const steps = await playSteps(shell);
    const printed = await shell.sees(/\}\n\$\s*$/);
    const picked = readFileSync(join(folder, "picked.json"), "utf8");
    return {
      steps,
      printed: printed.trimEnd(),
      picked,
      scripted: await sameAsScript(shell, folder, picked),
    };
  } finally {
    await shell.close();
  }
}

async function playSteps(shell: TmuxShell): Promise<RecordedStep[]> {
  const steps: RecordedStep[] = [];
  const after = async (name: RecordedStep["name"], press: () => void, wanted: RegExp): Promise<void> => {
    press();
    steps.push({ name, screen: (await shell.sees(wanted)).trimEnd(), styled: await shell.styledScreen() });
  };
  await after("list", () => shell.type(`/${WORDS}\r`), / \d+ of \d+ offers/);
  await after(
    "facets",
    () => (shell.type("f500"), shell.press(...Array.from({ length: 9 }, () => "Down"), "Space")),
    / offers(?! loaded)[^]*❯ \[x\] Available/,
  );
  await after("sorted", () => (shell.press("Escape"), shell.type("ss")), /H\+500GB↑/);
  await after("compared", () => shell.type("  ="), /\$\/h with disk[^]*Enter choose/);
  await after("image", () => shell.press("Enter"), /Offer ✓ › Image[^]*❯/);
  await after("disk", () => shell.type("j\r"), /Disk GB \[ 500/);
  await after("confirmation", () => shell.press("Enter"), /Enter to accept/);
  shell.press("Enter");
  return steps;
}

/** The same choice in a script. */
async function sameAsScript(shell: TmuxShell, folder: string, picked: string): Promise<string> {
  const { deployment } = JSON.parse(picked) as { deployment: { os_image_id: string } };
  const command = `gpu-offers --text "${WORDS}" --disk 500 --sort total --image ${deployment.os_image_id} --first`;
  shell.enter(`clear; ${command} >script.json && echo done`);
  await shell.sees(/^done$/m);
  return readFileSync(join(folder, "script.json"), "utf8");
}

function writeDocs(steps: readonly RecordedStep[]): void {
  const docs = new URL("../../../docs/", import.meta.url);
  let page = readFileSync(new URL("picker.md", docs), "utf8");
  for (const { name, screen } of steps) {
    if (page.includes(`<!-- ${name} screen -->`)) {
      page = withPart(page, `${name} screen`, `\`\`\`text\n${screen.trimEnd()}\n\`\`\``);
    }
  }
  writeFileSync(new URL("picker.md", docs), page);
  const frames = steps.map(({ styled }) => ({ screen: styled, seconds: 2.5 }));
  writeFileSync(new URL("picker.svg", docs), svgOf(frames, 80, 24));
}
