import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { agentOf } from "./agent.ts";
import { evaluationCatalog, readEvaluation } from "./evaluation-catalog.ts";
import { TASKS, type Call, type Returned } from "./evaluation-tasks.ts";

// Replays the recorded calls of every task, which an agent chose before it saw a result, and couldn't correct.

const MIN_RIGHT = 38;

const { listings, images } = await readEvaluation();
const agent = agentOf(evaluationCatalog(listings, images));

/** The last result of some calls; an error is its text. */
async function replay(calls: readonly Call[]): Promise<Returned> {
  let result: Returned = {};
  for (const [tool, args] of calls) {
    const ids = ((result["offers"] ?? []) as { id: string }[]).map(({ id }) => id);
    const text = JSON.stringify(args).replaceAll(/\$([12])/g, (_, place: string) => ids[Number(place) - 1] ?? "none");
    const { structuredContent, content } = await agent.call(tool, JSON.parse(text) as Record<string, unknown>);
    if (structuredContent === undefined) {
      return { error: content[0]?.text };
    }
    result = structuredContent;
  }
  return result;
}

const results = await Promise.all(
  TASKS.map(async ({ task, calls, result, truth }) => {
    const last = await replay(calls);
    const returned = "error" in last ? last["error"] : result(last);
    const right = truth(listings);
    return { task, calls, returned, right, isRight: JSON.stringify(returned) === JSON.stringify(right) };
  }),
);

test("there are 40 tasks of at most two calls, and most have a solution", () => {
  expect(TASKS).toHaveLength(40);
  expect(Math.max(...TASKS.map(({ calls }) => calls.length))).toBeLessThanOrEqual(2);
  expect(results.filter(({ right }) => right === null || right === undefined)).toHaveLength(0);
});

test(`at least ${MIN_RIGHT} tasks are solved correctly`, () => {
  const wrong = results
    .filter(({ isRight }) => !isRight)
    .map(({ task, returned, right }) => ({ task, returned, right }));
  expect(wrong.slice(TASKS.length - MIN_RIGHT)).toEqual([]);
});

test("docs/agents.md says how many were right", () => {
  const page = readFileSync(new URL("../../../docs/agents.md", import.meta.url), "utf8");
  expect(page).toContain(`${results.filter(({ isRight }) => isRight).length} of ${TASKS.length} were right`);
});
