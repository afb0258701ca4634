import type { Balance } from "@gpu-offers/domain";
import * as z from "zod";
import type { Tool } from "./tool.js";

const input = z.strictObject({});
const output = z.object({ balance: z.string(), currency: z.literal("USD") });

/** `get_credit`: the caller's prepaid credit. */
export function getCredit(getBalance: () => Promise<Balance>): Tool<typeof input, typeof output> {
  return {
    name: "get_credit",
    title: "Get credit",
    description: "Get the prepaid credit balance of the configured account.",
    input,
    output,
    run: () => getBalance(),
  };
}
