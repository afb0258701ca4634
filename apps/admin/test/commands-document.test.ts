import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { distribution } from "./distribution.ts";
import { createProgram } from "../src/program.ts";
import { describeCommands } from "./commands-document.ts";

// `vitest run --project admin commands-document -u` regenerates the page.
test("docs/commands.md matches the commands", async () => {
  const page = fileURLToPath(new URL("../../../docs/commands.md", import.meta.url));
  await expect(describeCommands(await createProgram(distribution))).toMatchFileSnapshot(page);
});
