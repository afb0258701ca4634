import {
  composeDeployment,
  formatMicrosUp,
  HOURS_OF_30_DAYS,
  hourlyCostMicros,
  runwaySeconds,
  type Balance,
  type Deployment,
  type DeploymentProblem,
  type Offer,
  type OsImage,
} from "@gpu-offers/domain";
import { jsonText } from "../text/json-text.js";

/** The printed result of a choice: the deployment, its offer, and an estimate of its cost. */
export interface PickResult {
  /** The deployment's parameters. */
  deployment: Deployment;
  offer: Offer;
  estimate: {
    /** USD per hour including the disk, 4 decimals, rounded up. */
    hourly: string;
    currency: "USD";
    /** When the offer was last checked with the server: ISO 8601, UTC. `asOf` is its older name. */
    checkedAt: string;
    asOf: string;
    /** Date or time of the provider's prices: ISO 8601, UTC; omitted if unknown. */
    pricesAsOf?: string;
    /** USD for 30 days, 4 decimals, rounded up. */
    per30Days: string;
    /** Whole seconds that the credit or budget lasts; omitted if neither is known, or if the offer is free. */
    runwaySeconds?: number;
    /** Set if cost data is incomplete: `hourly` is a lower bound. */
    isAtLeast?: true;
  };
}

/** A result, or every problem of the choice. */
export type Composed = { ok: true; result: PickResult } | { ok: false; problems: DeploymentProblem[] };

/** Composes the result of a choice, by the domain's rules. */
export function composeResult(choice: {
  offer: Offer;
  images: readonly OsImage[];
  osImageId: string | undefined;
  diskGb: number | undefined;
  asOf: string;
  /** Date of the provider's prices, if known. */
  pricesAsOf?: string | undefined;
  /** Credit or budget, for the runway. */
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

/** The line printed on standard output. */
export function resultLine(result: PickResult): string {
  return `${jsonText(result)}\n`;
}
