import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

const argsSchema = z.object({
  model: z.string().describe("Model to run, with its size and precision: a 70B model in fp16"),
  budget: z.string().optional().describe("Maximum to spend: $20 an hour, $500 a month"),
  needs: z.string().optional().describe("Anything else: Europe, 500 GB of disk, NVLink"),
});

/** Adds the prompt `choose_gpu`: from a model and a budget to a quote. */
export function addChooseGpuPrompt(server: McpServer): void {
  server.registerPrompt(
    "choose_gpu",
    {
      title: "Choose a GPU",
      description: "Choose a GPU for a model and a budget, and quote the deployment.",
      argsSchema,
    },
    ({ model, budget, needs }) => ({
      messages: [{ role: "user" as const, content: { type: "text" as const, text: promptText(model, budget, needs) } }],
    }),
  );
}

function promptText(model: string, budget = "none given", needs = "none given"): string {
  return [
    `I want to rent GPUs for: ${model}. Budget: ${budget}. Other needs: ${needs}.`,
    "",
    "1. To serve a model, write it as fits: parameters@bits,context, such as 70b@8,16k; the service calculates weights and",
    "   cache. Training needs several times more: estimate minTotalVramGb for it. State your assumptions.",
    "2. Call find_gpu_offers with that, my disk, places and maxUsdPerHour. If there are no matches, look at excludedBy and",
    "   ask me which condition to relax; if it is empty, drop several.",
    "3. Call compare_gpu_offers with the two or three best, and tell me what differs, the age of the prices, and which",
    "   prices are only a minimum (atLeast).",
    "4. Once I have chosen an offer, call quote_gpu_deployment with expectUsdPerHour set to the price that I agreed to.",
  ].join("\n");
}
