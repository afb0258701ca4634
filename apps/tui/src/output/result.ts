import { composeDeployment, type Deployment, type DeploymentFault, type Offer, type OsImage } from "@gpu-offers/domain";
import { jsonText } from "../text/json-text.js";

/** What a choice prints: the deployment, the offer that it was made from, and what it will cost. */
export interface PickResult {
  /** Exactly what a deployment takes. */
  deployment: Deployment;
  offer: Offer;
  estimate: {
    /** USD an hour with the disk, 4 places, rounded up. */
    hourly: string;
    currency: "USD";
    /** When the server last told the price: ISO 8601, UTC. */
    asOf: string;
    /** There where a part of the cost is not known: `hourly` is a lower bound. */
    isAtLeast?: true;
  };
}

/** A result, or every fault of the choice. */
export type Composed = { ok: true; result: PickResult } | { ok: false; faults: DeploymentFault[] };

/** Composes what a choice prints, by the domain's rules. */
export function composeResult(choice: {
  offer: Offer;
  images: readonly OsImage[];
  osImageId: string | undefined;
  diskGb: number | undefined;
  asOf: string;
}): Composed {
  const composed = composeDeployment(choice);
  if (!composed.ok) {
    return composed;
  }
  const { deployment, hourly, isAtLeast } = composed;
  const estimate = { hourly, currency: "USD" as const, asOf: choice.asOf, ...(isAtLeast ? { isAtLeast } : {}) };
  return { ok: true, result: { deployment, offer: choice.offer, estimate } };
}

/** The one line that goes to standard output. */
export function resultLine(result: PickResult): string {
  return `${jsonText(result)}\n`;
}
