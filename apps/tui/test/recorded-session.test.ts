import { expect, test } from "vitest";
import { startService } from "@gpu-offers/testkit/service";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { HAS_JQ, recordSession } from "../docs/record-session.ts";
import { PROGRAM } from "./program.ts";
import { HAS_TMUX, IN_TMUX } from "./tmux.ts";

// The session of docs/picker.svg.

interface Picked {
  deployment: unknown;
  estimate: Record<string, unknown>;
}

test.skipIf(!HAS_TMUX || !HAS_JQ)(
  `a whole session ${IN_TMUX} prints what a script prints for the same choice`,
  async () => {
    const { url } = await startService();
    const {
      picked,
      printed,
      scripted: line,
      steps,
    } = await recordSession({ folder: tempFolder(), url, program: PROGRAM });
    const byHand = JSON.parse(picked) as Picked;
    const scripted = JSON.parse(line) as Picked;
    const anyTime = {
      estimate: { ...scripted.estimate, asOf: byHand.estimate["asOf"], checkedAt: byHand.estimate["checkedAt"] },
    };
    expect({ ...scripted, ...anyTime }).toEqual(byHand);
    expect(Object.keys(scripted)).toEqual(Object.keys(byHand));
    expect(JSON.parse(printed.slice(printed.indexOf("{"), printed.lastIndexOf("}") + 1))).toEqual(byHand.deployment);
    expect(steps.map(({ name }) => name)).toEqual([
      "list",
      "facets",
      "sorted",
      "compared",
      "image",
      "disk",
      "confirmation",
    ]);
  },
);
