import {
  atPrice,
  compareOffers,
  UNKNOWN_LISTING_FACTS,
  type Balance,
  type ComparedFact,
  type Offer,
} from "@gpu-offers/domain";
import { alikeQuery, launchPlan, planOfTop, type LaunchKind } from "@gpu-offers/domain/launching";
import {
  COMPARED_NAMES,
  comparedDistance,
  comparedText,
  gpuText,
  offerFacts,
  placeText,
  printable,
} from "@gpu-offers/list";
import type { OfferSource } from "../catalog/offer-source.js";
import { checkSold } from "../catalog/sample.js";
import { EXIT, Failure } from "../exit-codes.js";
import { formatList, formatOne, type Format, type Grid } from "../output/formats.js";
import { launchTextOf } from "../output/launch-output.js";
import { recordOf } from "../output/offer-record.js";
import { rereadOffer } from "./reread-offer.js";
import { checkDiskSize, getOffer, noteUnknownDisk } from "./first-command.js";

// Subcommands for offers by id. Ids come from --list or the picker's `y`.

/** Context of the output. */
export interface ShowOptions {
  format: Format;
  diskGb?: number | undefined;
  balance?: Balance | undefined;
  /** Date of the prices by provider. */
  pricesAsOf?: ReadonlyMap<string, string> | undefined;
}

/** `show <id>`: all facts about an offer. */
export async function showText(source: OfferSource, id: string, options: ShowOptions): Promise<string> {
  const offer = await getOffer(source, id);
  const record = recordOf(offer, options);
  return formatOne(options.format, record, () => ({
    titles: ["FACT", "VALUE"],
    aligns: ["left", "left"],
    rows: offerFacts(offer, { ...options, stated: offer.listing }),
  }));
}

/**
 * `compare <id> <id> ...`: a column per offer, with differences first.
 * @throws Failure if there are fewer than two offers, or if one doesn't exist.
 */
export async function compareText(
  source: OfferSource,
  ids: readonly string[],
  { format, diskGb, balance, pricesAsOf }: ShowOptions,
): Promise<string> {
  if (new Set(ids).size < 2) {
    throw new Failure(EXIT.usage, "compare requires two or more different ids.");
  }
  const offers = await Promise.all([...new Set(ids)].map((id) => getOffer(source, id)));
  const facts = compareOffers(offers, {
    diskGb,
    balance,
    pricesAsOf: ({ provider }) => pricesAsOf?.get(provider.name),
  });
  if (format === "csv") {
    // A column per offer: a cell holds one value.
    const rows = facts.map(({ key, unit, values }) => ({
      fact: key,
      unit,
      ...Object.fromEntries(offers.map((offer, index) => [offer.id, values[index] ?? null])),
    }));
    return formatList(format, rows, () => comparisonGrid(offers, facts));
  }
  if (format !== "table") {
    return formatList(format, facts, () => comparisonGrid(offers, facts));
  }
  const same = facts
    .filter(({ differs }) => !differs)
    .map((fact) => `${COMPARED_NAMES[fact.key]} ${comparedText(fact, offers, 0)}`);
  return `${formatList("table", facts, () => comparisonGrid(offers, facts))}${same.length === 0 ? "" : `\nsame: ${same.join(", ")}\n`}`;
}

function comparisonGrid(offers: readonly Offer[], facts: readonly ComparedFact[]): Grid {
  return {
    titles: ["", ...offers.map((offer) => gpuText(offer))],
    aligns: ["left", ...offers.map(() => "left" as const)],
    rows: [
      ["", ...offers.map((offer) => `${printable(offer.provider.name)} ${placeText(offer)}`)],
      ...facts
        .filter(({ differs }) => differs)
        .map((fact) =>
          [COMPARED_NAMES[fact.key]].concat(
            fact.values.map((_, index) => comparedText(fact, offers, index) + comparedDistance(fact, index)),
          ),
        ),
    ],
  };
}

/** Options of `launch`. */
interface LaunchOptions {
  diskGb?: number | undefined;
  /** A model for whose weights the default disk has room. */
  fits?: string | undefined;
  isSpot?: boolean | undefined;
  /** Only texts for this tool. */
  kind?: LaunchKind | undefined;
  /** Whether to read its price and stock again first. */
  isChecked?: boolean | undefined;
  /** Whether a sample price will do. */
  isSampleAllowed: boolean;
  /** How far the price may rise, in percent. */
  ceilingPercent?: number | undefined;
  /** Number of machines. */
  nodes?: number | undefined;
  /** Number of offers that SkyPilot and dstack take the first of. */
  top?: number | undefined;
  /** Called with what is taken otherwise than required. */
  notify: (text: string) => void;
}

/**
 * `launch <id>`: files and commands that rent an offer, ready to paste.
 * @throws Failure if the offer doesn't exist or can't be rented so, or if it isn't known what to ask its provider for.
 */
export async function launchText(source: OfferSource, id: string, options: LaunchOptions): Promise<string> {
  const { diskGb, fits, isSpot, kind, ceilingPercent, nodes, top = 1, notify } = options;
  const listed = atPrice(await getOffer(source, id), isSpot === true ? "bid" : undefined);
  await checkSold(source, listed, options.isSampleAllowed);
  const offer = options.isChecked === true ? await rereadOffer(source, listed, options) : listed;
  checkDiskSize(offer, diskGb);
  noteUnknownDisk(offer, diskGb, notify);
  const { listing: facts = UNKNOWN_LISTING_FACTS } = offer;
  const images = (await source.findImages(offer.provider.name, { instanceType: facts.instanceType })) ?? [];
  const { pricesAsOf } = await source.readAge();
  const choice = { diskGb, fits, isSpot, ceilingPercent, nodes, pricesAsOf: pricesAsOf.get(offer.provider.name) };
  const single = launchPlan({ offer, ...facts }, images, choice);
  const alike = top === 1 ? [] : (await source.find(alikeQuery({ offer }, choice))).offers;
  const listings = alike.map((one) => Object.assign({ offer: one }, one.listing ?? UNKNOWN_LISTING_FACTS));
  const plan = top === 1 ? single : planOfTop(single, listings, top, choice);
  const { problems, launch: all, missing, notes } = plan;
  if (problems.length > 0) {
    const [status] = problems.map(({ field }) =>
      field === "offer" ? EXIT.changed : field === "fits" ? EXIT.usage : EXIT.nothing,
    );
    throw new Failure(status ?? EXIT.nothing, problems.map(({ reason }) => reason).join(" "));
  }
  const texts = kind === undefined ? all : all.filter((text) => text.kind === kind);
  const reasons = missing
    .filter(({ tool }) => kind === undefined || tool === kind)
    .map(({ reason }) => printable(reason));
  if (texts.length === 0) {
    throw new Failure(
      EXIT.nothing,
      `there is no launch text for ${gpuText(offer)} of ${offer.provider.name}. ${reasons.join(" ")}`,
    );
  }
  for (const note of [...notes, ...reasons]) {
    notify(note);
  }
  return texts.map(launchTextOf).join("\n");
}
