import type { Interface } from "node:readline";
import { createInterface } from "node:readline";
import { createReadStream, createWriteStream } from "node:fs";
import { checkDisk, isDiskFixed, recheck, type Offer, type OsImage } from "@gpu-offers/domain";
import type { OfferSource } from "../catalog/offer-source.js";
import { EXIT, Failure, noTerminal } from "../output/exit.js";
import { nothingMatches, readMatches } from "../catalog/matches.js";
import { countOf } from "../text/count-text.js";
import { paidDiskGb } from "../output/offer-cost.js";
import { diskSentence, repricedSentence, summaryParts } from "../output/offer-words.js";
import { refusedText } from "../catalog/refused-text.js";
import { composeResult, resultLine } from "../output/result.js";
import { closestOffers, hasImageChoice } from "../picker/choice.js";
import { matching, type Query } from "../query/query.js";
import { printable } from "../text/width.js";
import type { PickOutcome, PickRequest } from "../picker/pick-request.js";

// The picker as numbered prompts: lines that are written once and never repainted, for screen readers, for terminals
// that cannot do more, and for anyone who likes it.

const PAGE = 15;

/** Asks until a deployment is chosen. The end of input cancels. */
export async function pickByPrompts({ source, query, imageId }: PickRequest): Promise<PickOutcome> {
  const dialog = openDialog();
  try {
    const matches = await readMatches(source, query);
    if (matches.offers.length === 0) {
      throw await nothingMatches(source, query);
    }
    const refused = await source.listRefused();
    if (refused.length > 0) {
      dialog.say(refusedText(refused, source.place));
    }
    const offer = await chooseOffer(dialog, matches.offers, query);
    const begun = { matches: matches.offers, query, wantedImageId: imageId };
    const output = offer === undefined ? undefined : await complete(dialog, source, { ...begun, offer });
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
  const lines: Interface = createInterface({ input, terminal: false });
  const iterator = lines[Symbol.asyncIterator]();
  const failed = new Promise<never>((_, reject) => {
    input.once("error", () => reject(noTerminal()));
    output.once("error", () => reject(noTerminal()));
  });
  failed.catch(() => undefined);
  return {
    say: (text) => void output.write(`${printable(text)}\n`),
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
  dialog.say(`${countOf(offers.length, "offer")}${place}.`);
}

interface Begun {
  offer: Offer;
  /** All that matched, to find another offer among when this one is gone. */
  matches: readonly Offer[];
  query: Query;
  wantedImageId: string | undefined;
}

/** Image and disk, then the line that is printed; undefined when it was canceled. */
async function complete(dialog: Dialog, source: OfferSource, begun: Begun): Promise<string | undefined> {
  const images = (await source.findImages(begun.offer.provider.name)) ?? [];
  const image = await chooseImage(dialog, images, begun);
  if (image === "canceled") {
    return undefined;
  }
  const diskGb = isDiskFixed(begun.offer) ? undefined : await chooseDisk(dialog, begun);
  if (diskGb === undefined && !isDiskFixed(begun.offer)) {
    return undefined;
  }
  for (let { offer } = begun; ;) {
    const choice = { images, osImageId: image?.id, diskGb };
    const composed = composeResult({ ...choice, offer, asOf: "" });
    if (!composed.ok) {
      throw new Failure(EXIT.changed, composed.faults.map(({ reason }) => reason).join(" "));
    }
    const { hourly, isAtLeast } = composed.result.estimate;
    dialog.say(`This costs ${isAtLeast === true ? "at least " : ""}$${hourly} an hour.`);
    if ((await dialog.ask("Enter to take it, q to quit:")) === undefined) {
      return undefined;
    }
    const [now, imagesNow = []] = await Promise.all([
      source.findOffer(offer.id),
      source.findImages(offer.provider.name),
    ]);
    const outcome = recheck({ offer, osImageId: image?.id, diskGb }, { offer: now, images: imagesNow });
    switch (outcome.kind) {
      case "gone":
      case "unavailable":
        return insteadOf(dialog, source, begun);
      case "imageGone":
        dialog.say("That image is gone. Choose another one.");
        return complete(dialog, source, { ...begun, offer: outcome.offer });
      case "ok": {
        const asOf = new Date().toISOString();
        return resultLine({
          ...composed.result,
          offer: outcome.offer,
          estimate: { ...composed.result.estimate, asOf },
        });
      }
      case "repriced":
        dialog.say(repricedSentence(offer, outcome.offer, diskGb));
        ({ offer } = outcome);
    }
  }
}

/** Another offer in the place of one that is gone. */
async function insteadOf(dialog: Dialog, source: OfferSource, begun: Begun): Promise<string | undefined> {
  const closest = closestOffers(begun.matches, begun.offer);
  if (closest.length === 0) {
    throw new Failure(EXIT.changed, "the offer is gone, and nothing like it matches; start again.");
  }
  dialog.say("This offer is gone. The closest ones:");
  sayOffers(dialog, { offers: closest, top: 0, query: begun.query });
  for (;;) {
    const answer = await dialog.ask("Number to take, q to quit:");
    if (answer === undefined) {
      return undefined;
    }
    const offer = closest[Number(answer) - 1];
    if (offer !== undefined) {
      return complete(dialog, source, { ...begun, offer });
    }
    dialog.say("There is no such number.");
  }
}

/** The image; undefined where the provider's default one is taken without a question. */
async function chooseImage(
  dialog: Dialog,
  images: readonly OsImage[],
  { wantedImageId, offer }: Begun,
): Promise<OsImage | undefined | "canceled"> {
  const wanted = images.find(({ id }) => id === wantedImageId);
  if (wantedImageId !== undefined && wanted === undefined) {
    dialog.say(`${offer.provider.name} has no image ${JSON.stringify(wantedImageId)} (--image).`);
  }
  if (!hasImageChoice(images)) {
    return undefined;
  }
  if (wanted !== undefined) {
    return wanted;
  }
  images.forEach((image, index) =>
    dialog.say(`${index + 1}. ${image.displayName}${image.isDefault ? ", default" : ""}`),
  );
  for (;;) {
    const answer = await dialog.ask("Number of the image, Enter for the first, q to quit:");
    if (answer === undefined) {
      return "canceled";
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
    if (!/^\d*$/.test(answer)) {
      dialog.say("Enter digits only.");
      continue;
    }
    const check = checkDisk(offer, answer === "" ? proposed : Number(answer));
    if (check.ok) {
      return check.diskGb;
    }
    dialog.say(check.reason);
  }
}
