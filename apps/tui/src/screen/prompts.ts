import type { Interface } from "node:readline";
import { createInterface } from "node:readline";
import { createReadStream, createWriteStream } from "node:fs";
import { checkDisk, isDiskFixed, type Offer, type OsImage } from "@gpu-offers/domain";
import type { OfferSource } from "../catalog/offer-source.js";
import { EXIT, Failure } from "../cli/exit.js";
import { queryOf, type Flags } from "../cli/flags.js";
import { nothingMatches, readMatches } from "../cli/matches.js";
import type { Settings } from "../cli/settings.js";
import { countText } from "../output/count-text.js";
import { costsTheSame, paidDiskGb } from "../output/offer-cost.js";
import { composeResult, resultLine } from "../output/result.js";
import { matching, type Query } from "../picker/query.js";
import { printable } from "../text/width.js";
import { diskSentence, summaryParts } from "../output/offer-words.js";
import type { Ending } from "./pick.js";

// The picker as numbered prompts: lines that are written once and never repainted, for screen readers, for terminals
// that cannot do more, and for anyone who likes it.

const PAGE = 15;

/** Asks until a deployment is chosen. The end of input cancels. */
export async function pickByPrompts(source: OfferSource, flags: Flags, settings: Settings): Promise<Ending> {
  const dialog = openDialog();
  try {
    const query = queryOf(flags, settings);
    const matches = await readMatches(source, query);
    if (matches.offers.length === 0) {
      throw nothingMatches(matches, query);
    }
    const offer = await chooseOffer(dialog, matches.offers, query);
    const images = offer === undefined ? [] : ((await source.findImages(offer.provider.name)) ?? []);
    const output = offer === undefined ? undefined : await complete(dialog, source, { offer, images, query });
    return output === undefined ? { exitCode: EXIT.canceled, output: "" } : { exitCode: EXIT.ok, output };
  } finally {
    dialog.close();
  }
}

interface Dialog {
  say: (text: string) => void;
  /** The next line; undefined at the end of input, and for a q. */
  ask: (question: string) => Promise<string | undefined>;
  close: () => void;
}

function openDialog(): Dialog {
  const input = process.stdin.isTTY ? process.stdin : createReadStream("/dev/tty");
  const output = process.stderr.isTTY ? process.stderr : createWriteStream("/dev/tty");
  const noTerminal = new Failure(
    EXIT.usage,
    "there is no terminal to pick in; use --first for the best match, or --list.",
  );
  const lines: Interface = createInterface({ input, terminal: false });
  const iterator = lines[Symbol.asyncIterator]();
  const failed = new Promise<never>((_, reject) => {
    input.once("error", () => reject(noTerminal));
    output.once("error", () => reject(noTerminal));
  });
  failed.catch(() => undefined);
  return {
    say: (text) => void output.write(`${text}\n`),
    ask: async (question) => {
      output.write(`${question} `);
      const { done, value } = await Promise.race([iterator.next(), failed]);
      return done === true || value.trim() === "q" ? undefined : value.trim();
    },
    close: () => lines.close(),
  };
}

async function chooseOffer(dialog: Dialog, all: readonly Offer[], query: Query): Promise<Offer | undefined> {
  let offers = all;
  let top = 0;
  sayOffers(dialog, { offers, top, query });
  for (;;) {
    const answer = await dialog.ask("Number to pick, Enter for more, /words to filter, q to quit:");
    if (answer === undefined) {
      return undefined;
    }
    const picked = /^\d+$/.test(answer) ? offers[Number(answer) - 1] : undefined;
    if (picked?.isAvailable === true) {
      return picked;
    }
    if (answer !== "" && !answer.startsWith("/")) {
      dialog.say(picked === undefined ? "There is no such number." : "That offer is not available now.");
      continue;
    }
    if (answer === "") {
      top = top + PAGE < offers.length ? top + PAGE : 0;
    } else {
      offers = matching(all, { text: answer.slice(1) });
      top = 0;
    }
    sayOffers(dialog, { offers, top, query });
  }
}

function sayOffers(
  dialog: Dialog,
  { offers, top, query }: { offers: readonly Offer[]; top: number; query: Query },
): void {
  const page = offers.slice(top, top + PAGE);
  for (const [index, offer] of page.entries()) {
    dialog.say(
      `${top + index + 1}. ${summaryParts(offer, query.filter.diskGb, undefined)
        .map(({ text }) => text)
        .join(", ")}`,
    );
  }
  const place = page.length === 0 ? "" : `, ${top + 1} to ${top + page.length} shown`;
  dialog.say(`${countText(offers.length)} offers${place}.`);
}

interface Begun {
  offer: Offer;
  images: readonly OsImage[];
  query: Query;
}

/** Image and disk, then the line that is printed; undefined when it was canceled. */
async function complete(dialog: Dialog, source: OfferSource, begun: Begun): Promise<string | undefined> {
  const { offer, images } = begun;
  const image = images.length > 1 ? await chooseImage(dialog, images) : undefined;
  if (images.length > 1 && image === undefined) {
    return undefined;
  }
  const diskGb = isDiskFixed(offer) ? undefined : await chooseDisk(dialog, begun);
  if (diskGb === undefined && !isDiskFixed(offer)) {
    return undefined;
  }
  const now = await source.findOffer(offer.id);
  if (now === undefined || !costsTheSame(offer, now, diskGb ?? offer.storageMinGB)) {
    throw new Failure(EXIT.changed, "the offer is gone or has another price since it was listed; start again.");
  }
  const composed = composeResult({ offer: now, images, osImageId: image?.id, diskGb, asOf: new Date().toISOString() });
  if (!composed.ok) {
    throw new Failure(EXIT.changed, composed.faults.map(({ reason }) => reason).join(" "));
  }
  dialog.say(`This costs $${composed.result.estimate.hourly} an hour.`);
  const answer = await dialog.ask("Enter to take it, q to quit:");
  return answer === undefined ? undefined : resultLine(composed.result);
}

async function chooseImage(dialog: Dialog, images: readonly OsImage[]): Promise<OsImage | undefined> {
  images.forEach((image, index) =>
    dialog.say(`${index + 1}. ${printable(image.displayName)}${image.isDefault ? ", default" : ""}`),
  );
  for (;;) {
    const answer = await dialog.ask("Number of the image, Enter for the first, q to quit:");
    if (answer === undefined) {
      return undefined;
    }
    const image = images[Number(answer === "" ? 1 : answer) - 1];
    if (image !== undefined) {
      return image;
    }
    dialog.say("There is no such number.");
  }
}

async function chooseDisk(dialog: Dialog, { offer, query }: Begun): Promise<number | undefined> {
  const proposed = paidDiskGb(offer, query.filter.diskGb);
  for (;;) {
    const answer = await dialog.ask(`Disk in GB, ${diskSentence(offer)}, Enter for ${proposed}, q to quit:`);
    if (answer === undefined) {
      return undefined;
    }
    const check = checkDisk(offer, answer === "" ? proposed : Number(answer));
    if (check.ok) {
      return check.diskGb;
    }
    dialog.say(check.reason);
  }
}
