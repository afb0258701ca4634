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
  type Balance,
  type LaunchPlan,
  type ListedOffer,
  type OsImage,
} from "@gpu-offers/domain";
import { launchPlan, rentUrl as rentUrlOf, type LaunchKind } from "@gpu-offers/domain/launching";
import { printable, type FactOptions } from "@gpu-offers/list";
import { jsonText } from "../text/json-text.js";

/** A result, or every problem of the choice. */
export type Composed = ReturnType<typeof composeResult>;

/** The printed result of a choice. */
export type PickResult = Extract<Composed, { ok: true }>["result"];

/** The cost of an offer with a disk. */
export type Estimate = ReturnType<typeof estimateOf>;

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
  /** The kind of launch text that was chosen in the picker. */
  launchKind?: LaunchKind | undefined;
}

/** How to rent a choice. */
export function planOf({ offer, images, ...choice }: Omit<Choosing, "asOf" | "balance" | "launchKind">): LaunchPlan {
  const { listing: facts = UNKNOWN_LISTING_FACTS, spotTerms: spot } = offer;
  return launchPlan({ offer, ...facts, spot: spot ?? null }, images, { ...choice, isSpot: spot !== undefined });
}

/**
 * Composes the result of a choice, by the domain's rules: the deployment, its offer, an estimate of its cost, what to ask the
 * provider for, and files and commands that rent it, unless it isn't known what to ask for.
 */
export function composeResult({ launchKind, ...choice }: Choosing) {
  const { offer, asOf, pricesAsOf } = choice;
  const { listing: facts = UNKNOWN_LISTING_FACTS } = offer;
  const plan = planOf(choice);
  const { deployment, problems, launch, rentUrl } = plan;
  if (deployment === null) {
    return { ok: false as const, problems };
  }
  const { hourly, currency, ...estimate } = estimateOf(offer, { ...choice, diskGb: plan.diskGb ?? paidDisk(offer) });
  return {
    ok: true as const,
    result: {
      deployment,
      offer: plainOffer(offer),
      // The sample is not for sale, so it isn't checked.
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
      ...(launch.some(({ kind }) => kind === launchKind) && { launchKind }),
    },
  };
}

/** The cost of an offer with a disk of this size, GB. Amounts are in USD with 4 decimals, rounded up. */
export function estimateOf(
  offer: ListedOffer,
  { diskGb, pricesAsOf, balance, hours }: Pick<Choosing, "pricesAsOf" | "balance" | "hours"> & { diskGb: number },
) {
  const micros = hourlyCostMicros(offer, diskGb);
  const seconds = balance === undefined ? Number.POSITIVE_INFINITY : runwaySeconds(balance, micros);
  return {
    hourly: formatMicrosUp(micros),
    currency: "USD" as const,
    ...(pricesAsOf !== undefined && { pricesAsOf }),
    per30Days: formatMicrosUp(micros * HOURS_OF_30_DAYS),
    ...(hours !== undefined && { forHours: formatMicrosUp(micros * hours) }),
    // A free offer has no runway.
    ...(Number.isFinite(seconds) && { runwaySeconds: seconds }),
    ...(isAtLeast(offer, diskGb) && { isAtLeast: true as const }),
    ...(offer.spotTerms !== undefined && { spot: offer.spotTerms.kind }),
  };
}

// An offer as scripts get it, in rows of lists and from `show`: its fields, then what its source states beyond it, and an
// estimate of its cost.

/** Context of an estimate. */
export type RecordOptions = Pick<FactOptions, "diskGb" | "balance" | "hours" | "pricesAsOf">;

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
