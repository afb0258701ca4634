import type { Balance } from "@gpu-offers/domain";
import { AgentCatalogError, type AgentCatalog } from "./agent-catalog.js";

/** The caller's balance; undefined without a key, or why it can't be read, which must not hide prices. */
export async function readCredit({
  getBalance,
}: AgentCatalog): Promise<{ balance?: Balance; balanceProblem?: string }> {
  if (getBalance === undefined) {
    return {};
  }
  try {
    return { balance: await getBalance() };
  } catch (error) {
    if (error instanceof AgentCatalogError) {
      return { balanceProblem: error.message };
    }
    throw error;
  }
}
