import {
  composeDeployment,
  formatMicrosUp,
  hourlyCostMicros,
  runwaySeconds,
  type Balance,
  type Deployment,
  type DeploymentProblem,
  type Offer,
  type OsImage,
} from "@gpu-offers/domain";
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
    /** When the offer was last checked with the server: ISO 8601, UTC. `asOf` is its older name. */
    checkedAt: string;
    asOf: string;
    /** Date or time of the provider's prices: ISO 8601, UTC; left out where it is unknown. */
    pricesAsOf?: string;
    /** USD in 30 days without a pause, 4 places, rounded up. */
    per30Days: string;
    /** Whole seconds that the credit or the budget pays for; left out where neither is known, or nothing is paid. */
    runwaySeconds?: number;
    /** There where a part of the cost is not known: `hourly` is a lower bound. */
    isAtLeast?: true;
  };
}

/** A result, or every problem of the choice. */
export type Composed = { ok: true; result: PickResult } | { ok: false; problems: DeploymentProblem[] };

/** Composes what a choice prints, by the domain's rules. */
export function composeResult(choice: {
  offer: Offer;
  images: readonly OsImage[];
  osImageId: string | undefined;
  diskGb: number | undefined;
  asOf: string;
  /** Date of the provider's prices, where it is known. */
  pricesAsOf?: string | undefined;
  /** Credit or a budget, for the runway. */
  balance?: Balance | undefined;
}): Composed {
  const composed = composeDeployment(choice);
  if (!composed.ok) {
    return composed;
  }
  const { offer, balance, asOf, pricesAsOf, diskGb = offer.storageMinGB } = choice;
  const { deployment, hourly, isAtLeast } = composed;
  const micros = hourlyCostMicros(offer, diskGb);
  const seconds = balance === undefined ? Number.POSITIVE_INFINITY : runwaySeconds(balance, micros);
  const estimate = {
    hourly,
    currency: "USD" as const,
    checkedAt: asOf,
    asOf,
    ...(pricesAsOf === undefined ? {} : { pricesAsOf }),
    per30Days: formatMicrosUp(micros * HOURS_OF_30_DAYS),
    ...(Number.isFinite(seconds) ? { runwaySeconds: seconds } : {}),
    ...(isAtLeast ? { isAtLeast } : {}),
  };
  return { ok: true, result: { deployment, offer, estimate } };
}

const HOURS_OF_30_DAYS = 720;

/** The one line that goes to standard output. */
export function resultLine(result: PickResult): string {
  return `${jsonText(result)}\n`;
}
