import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TmuxShell } from "../test/tmux.ts";

// Records a session with the real picker in a real terminal, for the screens of docs/picker.md, for docs/picker.svg, and for
// the test that compares its result with the output of a script.

/** The screen after some keys. */
export interface RecordedStep {
  name: "list" | "facets" | "sorted" | "compared" | "image" | "disk" | "confirmation";
  screen: string;
  /** The screen with attribute codes. */
  styled: string;
}

/** A whole session. */
export interface RecordedSession {
  steps: RecordedStep[];
  /** Output of the pipe after the picker. */
  printed: string;
  /** The picker's line of JSON. */
  picked: string;
  /** The line of JSON of a command that makes the same choice without a terminal. */
  scripted: string;
}

/** Environment of a recording: a temporary folder, the service, and the command of the picker. */
export interface Stage {
  folder: string;
  url: string;
  /** Path of the built program. */
  program: string;
  apiKey?: string | undefined;
}

/** Whether jq, which the session is piped into, is installed here. */
export const HAS_JQ = spawnSync("jq", ["--version"]).status === 0;

/** Words that are typed as a filter. */
const WORDS = "8xh100 eu";

const COMMAND = "gpu-offers | tee picked.json | jq .deployment";

/** Records the session: the cheapest H100 in Europe with a disk of 500 GB. */
export async function recordSession({ folder, url, program, apiKey }: Stage): Promise<RecordedSession> {
  const settings = {
    GPU_OFFERS_URL: url,
    HOME: folder,
    ...(apiKey === undefined ? {} : { GPU_OFFERS_API_KEY: apiKey }),
  };
  writeFileSync(join(folder, "setup.sh"), `gpu-offers() { "${process.execPath}" "${program}" "$@"; }\nclear\n`);
  const shell = new TmuxShell(folder, settings);
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
