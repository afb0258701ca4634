import {
  availabilityOfOffer,
  formatMicrosUp,
  HOURS_OF_30_DAYS,
  hourlyCostMicros,
  isAtLeast,
  paidDisk,
  runwaySeconds,
  plainOffer,
  storageOf,
  UNKNOWN_LISTING_FACTS,
  type Availability,
  type Balance,
  type Deployment,
  type LaunchPlan,
  type ListedOffer,
  type Offer,
  type OsImage,
} from "@gpu-offers/domain";
import { launchPlan, rentUrl as rentUrlOf, type LaunchKind } from "@gpu-offers/domain/launching";
import { printable } from "@gpu-offers/list";
import { jsonText } from "../text/json-text.js";

/** The printed result of a choice: the deployment, its offer, and an estimate of its cost. */
export interface PickResult {
  /** The deployment's parameters. */
  deployment: Deployment;
  offer: Offer;
  estimate: Estimate & {
    /** When the offer was last checked with the server: ISO 8601, UTC; omitted for the sample, which is not for sale. */
    checkedAt?: string;
  };
  /** What to ask the provider for. */
  listing: {
    id: string;
    region: string;
    instanceType: string | null;
    availability: Availability;
    stockLevel: string | null;
    pricesAsOf: string | null;
    /** Page on which one rents it in a browser; null if unknown. */
    rentUrl: string | null;
    sample: boolean;
  };
  /** Files and commands that rent it; empty if it isn't known what to ask for. */
  launch: LaunchPlan["launch"];
  /** The kind of the text that was chosen in the picker, if one was. */
  launchKind?: LaunchKind | undefined;
}

/** The cost of an offer with a disk. */
export interface Estimate {
  /** USD per hour including the disk, 4 decimals, rounded up. */
  hourly: string;
  currency: "USD";
  /** Date or time of the provider's prices: ISO 8601, UTC; omitted if unknown. */
  pricesAsOf?: string;
  /** USD for 30 days, 4 decimals, rounded up. */
  per30Days: string;
  /** USD for the asked hours, 4 decimals, rounded up; omitted without hours. */
  forHours?: string;
  /** Whole seconds that the credit or budget lasts; omitted if neither is known, or if the offer is free. */
  runwaySeconds?: number;
  /** Set if cost data is incomplete: `hourly` is a lower bound. */
  isAtLeast?: true;
  /** Set if `hourly` is at the spot price: `price`, or `bid` for the minimum bid. */
  spot?: string;
}

/** A result, or every problem of the choice. */
export type Composed = { ok: true; result: PickResult } | { ok: false; problems: LaunchPlan["problems"] };

/** A choice, and what is known about it. */
export interface Choosing {
  offer: ListedOffer;
  images: readonly OsImage[];
  osImageId: string | undefined;
  diskGb: number | undefined;
  /** A model whose weights the default disk has room for. */
  fits?: string | undefined;
  asOf: string;
  /** Date of the provider's prices, if known. */
  pricesAsOf?: string | undefined;
  /** Credit or budget, for the runway. */
  balance?: Balance | undefined;
  /** Hours to add the cost of. */
  hours?: number | undefined;
}

/** How to rent a choice. */
export function planOf({ offer, images, ...choice }: Omit<Choosing, "asOf" | "balance">): LaunchPlan {
  const { listing: facts = UNKNOWN_LISTING_FACTS, spotTerms: spot } = offer;
  return launchPlan({ offer, ...facts, spot: spot ?? null }, images, { ...choice, isSpot: spot !== undefined });
}

/** Composes the result of a choice, by the domain's rules. */
export function composeResult(choice: Choosing): Composed {
  const { offer, asOf, pricesAsOf } = choice;
  const { listing: facts = UNKNOWN_LISTING_FACTS } = offer;
  const plan = planOf(choice);
  const { deployment, problems, launch, rentUrl } = plan;
  if (deployment === null) {
    return { ok: false, problems };
  }
  const { hourly, currency, ...estimate } = estimateOf(offer, { ...choice, diskGb: plan.diskGb ?? paidDisk(offer) });
  return {
    ok: true,
    result: {
      deployment,
      offer: plainOffer(offer),
      estimate: { hourly, currency, ...(!facts.sample && { checkedAt: asOf }), ...estimate },
      listing: {
        id: offer.id,
        region: offer.region,
        instanceType: facts.instanceType,
        availability: availabilityOfOffer(offer),
        stockLevel: facts.stockLevel,
        pricesAsOf: pricesAsOf ?? null,
        rentUrl,
        sample: facts.sample,
      },
      launch,
    },
  };
}

/** The cost of an offer with a disk of this size, GB. */
export function estimateOf(
  offer: ListedOffer,
  { diskGb, pricesAsOf, balance, hours }: Pick<Choosing, "pricesAsOf" | "balance" | "hours"> & { diskGb: number },
): Estimate {
  const micros = hourlyCostMicros(offer, diskGb);
  const seconds = balance === undefined ? Number.POSITIVE_INFINITY : runwaySeconds(balance, micros);
  return {
    hourly: formatMicrosUp(micros),
    currency: "USD",
    ...(pricesAsOf === undefined ? {} : { pricesAsOf }),
    per30Days: formatMicrosUp(micros * HOURS_OF_30_DAYS),
    ...(hours === undefined ? {} : { forHours: formatMicrosUp(micros * hours) }),
    ...(Number.isFinite(seconds) ? { runwaySeconds: seconds } : {}),
    ...(isAtLeast(offer, diskGb) ? { isAtLeast: true as const } : {}),
    ...(offer.spotTerms === undefined ? {} : { spot: offer.spotTerms.kind }),
  };
}

// An offer as scripts get it, in rows of lists and from `show`: its fields, then what its source states beyond it, and an
// estimate of its cost.

/** Context of an estimate. */
export interface RecordOptions extends Pick<Choosing, "balance" | "hours"> {
  diskGb?: number | undefined;
  /** Date of the prices by provider. */
  pricesAsOf?: ReadonlyMap<string, string> | undefined;
}

/** The record of an offer, priced with the required disk. */
export function recordOf(offer: ListedOffer, { diskGb, balance, hours, pricesAsOf }: RecordOptions) {
  const date = pricesAsOf?.get(offer.provider.name);
  const estimate = estimateOf(offer, { diskGb: paidDisk(offer, diskGb), pricesAsOf: date, balance, hours });
  const { listing = UNKNOWN_LISTING_FACTS } = offer;
  return {
    ...plainOffer(offer),
    listing: {
      ...listing,
      storage: storageOf(offer),
      availability: availabilityOfOffer(offer),
      stock14d: offer.listing?.stock14d ?? null,
    },
    estimate,
    /** Page on which one rents it in a browser; null if unknown. */
    rentUrl: rentUrlOf(offer, () => listing),
  };
}

/** Only these fields of a value, named by path such as `gpu.slug`; members that it lacks are null. */
export function fieldsOf(value: object, paths: readonly string[]): object {
  return Object.fromEntries(paths.map((path) => [path, memberOf(value, path.split("."))]));
}

function memberOf(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) {
    return value;
  }
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? memberOf((value as Readonly<Record<string, unknown>>)[name], rest)
    : null;
}

/** The line printed on standard output. */
export function resultLine(result: PickResult): string {
  return `${jsonText(result)}\n`;
}

// Launch texts as they are printed, shown and copied.

type Launch = LaunchPlan["launch"][number];

/** A text that can be pasted as a whole: what it is and what to replace are comments. */
export function launchTextOf({ title, text, placeholders, source: { url } }: Launch): string {
  const replace = placeholders.length === 0 ? "" : `# Replace ${placeholders.map((name) => `<${name}>`).join(", ")}.\n`;
  return `# ${title} (${url})\n${replace}${text.trimEnd()}\n`;
}

/** The text of the chosen tool, or else the first one; undefined if there is none. */
export function chosenLaunch(launch: readonly Launch[], kind: string | undefined): Launch | undefined {
  return launch.find((text) => text.kind === kind) ?? launch[0];
}

/** What a picker prints in a terminal: the text that rents the choice, or where one rents it. */
export function pickedText(result: PickResult): string {
  const { launch, launchKind, listing } = result;
  const text = chosenLaunch(launch, launchKind);
  if (text !== undefined) {
    return launchTextOf(text);
  }
  return listing.rentUrl === null
    ? resultLine(result)
    : `# No tool is known for ${printable(result.offer.provider.name)}. Rent it at:\n${listing.rentUrl}\n`;
}
