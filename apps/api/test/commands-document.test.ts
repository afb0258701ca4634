import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createProgram } from "../src/admin/program.js";
import { describeCommands } from "./commands-document.ts";

// `vitest run --project api commands-document -u` regenerates the page.
test("docs/commands.md matches the commands", async () => {
  const page = fileURLToPath(new URL("../../../docs/commands.md", import.meta.url));
  await expect(describeCommands(await createProgram("0.0.0"))).toMatchFileSnapshot(page);
});
