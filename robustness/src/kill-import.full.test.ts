import { setTimeout as delay } from "node:timers/promises";
import { startAdmin } from "@gpu-offers/testkit/admin";
import { nativeDocument, nativeImage, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import type { RunningProcess } from "@gpu-offers/testkit/running-process";
import { killTest, type Writers } from "./kill-test.ts";

/** Milliseconds until a started import waits for its file. */
const READY_MS = 600;

/** An import that waits for its file, or is about to. */
interface Waiting extends RunningProcess {
  readyAtMs: number;
}

/** A catalog whose region identifies it. */
function catalogOf(mark: string, count: number, gpuCount: number) {
  const images = [nativeImage(`ubuntu-${mark}`, { isDefault: true })];
  return { mark, count, text: nativeDocument(nativeRows(count, { region: mark, gpuCount }), images) };
}

killTest(
  "kill -9 during imports",
  "wholly old or wholly new",
  async (url): Promise<Writers<ReturnType<typeof catalogOf>, Waiting>> => ({
    catalogs: [catalogOf("even-1", 1_500, 2), catalogOf("odd-1", 1_300, 4)],
    markOf: ({ region }) => region,
    ahead: (): Waiting => {
      const args = ["catalog", "import", "-", "--format", "native", "--accept-changes"];
      return { ...startAdmin(url, args, { stdin: "open" }), readyAtMs: performance.now() + READY_MS };
    },
    feed: async ({ child, readyAtMs }, { text }) => {
      await delay(Math.max(0, readyAtMs - performance.now()));
      child.stdin?.end(text);
    },
  }),
);
