import { startAdmin } from "@gpu-offers/testkit/admin";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { expect, test } from "vitest";
import { leafCommands } from "./leaf-commands.ts";

// Tests the rule on one command; admin-json.full.test.ts runs every command.

const commands = await leafCommands();

test("--json is offered by every command except those that print a catalog or a script", () => {
  const without = commands.filter(({ command }) => command.output === undefined);
  expect(without.map(({ name }) => name)).toEqual(["catalog export", "catalog history", "completion"]);
});

test("--json prints what the command's schema describes", async () => {
  const found = commands.find(({ name }) => name === "source list");
  const ended = await startAdmin(tempDatabase(), ["source", "list", "--json"]).ended;
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  const printed: unknown = JSON.parse(ended.stdout);
  expect(found?.command.output?.parse(printed)).toEqual(printed);
});
