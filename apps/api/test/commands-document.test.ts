import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createProgram } from "../src/admin/program.js";
import { describeCommands } from "./commands-document.ts";

// `vitest run --project api commands-document -u` writes the page anew.
test("docs/commands.md is what the commands say of themselves", async () => {
  const page = fileURLToPath(new URL("../../../docs/commands.md", import.meta.url));
  await expect(describeCommands(await createProgram("0.0.0"))).toMatchFileSnapshot(page);
});
