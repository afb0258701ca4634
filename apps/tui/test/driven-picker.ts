import type { KnownImages, ListingQuery, Offer, OsImage } from "@gpu-offers/domain";
import type { SavedChoices } from "../src/picker/pick-request.ts";
import type { Command, PickerEvent } from "../src/picker/event.ts";
import { reduce, start } from "../src/picker/reduce.ts";
import { initialState, type PickerState } from "../src/picker/state.ts";
import { imageNamed } from "./offers.ts";

/** Time of every driven picker. */
export const NOW_MS = Date.UTC(2026, 10, 20);

/** Two images, so that the step is not skipped. */
export const IMAGES: readonly OsImage[] = [imageNamed("ubuntu", true), imageNamed("cuda")];

/** How a driven picker starts and what its server returns. */
export interface Play {
  columns?: number;
  rows?: number;
  query?: ListingQuery;
  images?: readonly OsImage[];
  knownImages?: KnownImages;
  wantedImageId?: string;
  /** Whether responses about images and checks wait until they are sent. */
  isHeld?: boolean;
  /** The offer as it is when it is requested again. */
  checked?: (offer: Offer) => Offer | undefined;
}

/** A picker whose server responds to every command at once. */
export class DrivenPicker {
  state: PickerState;
  exits: (Command & { kind: "exit" })[] = [];
  /** What was remembered for the next start. */
  readonly saved: Partial<SavedChoices>[] = [];
  /** Commands about images and checks without a response, if these are loaded. */
  readonly waiting: (Command & { kind: "readImages" | "check" })[] = [];
  readonly #offers: readonly Offer[];
  readonly #play: Play;

  constructor(offers: readonly Offer[], play: Play = {}) {
    const { columns = 80, rows = 24, query = {}, knownImages, wantedImageId } = play;
    this.#offers = offers;
    this.#play = play;
    const begun = start(
      initialState({
        columns,
        rows,
        nowMs: NOW_MS,
        source: { place: "test", options: "", hasAccount: true },
        query,
        images: knownImages,
        imageId: wantedImageId,
      }),
    );
    this.state = begun;
    this.#run(begun.commands);
  }

  press(...keys: string[]): this {
    for (const key of keys) {
      this.send({ kind: "key", key });
    }
    return this;
  }

  send(event: PickerEvent): this {
    this.state = reduce(this.state, event);
    this.#run(this.state.commands);
    return this;
  }

  #run(commands: readonly Command[]): void {
    for (const command of commands) {
      if (this.#play.isHeld === true && (command.kind === "readImages" || command.kind === "check")) {
        this.waiting.push(command);
        continue;
      }
      for (const event of this.#response(command)) {
        this.send(event);
      }
    }
  }

  #response(command: Command): PickerEvent[] {
    const { images = IMAGES, checked = (offer) => offer } = this.#play;
    switch (command.kind) {
      case "load":
        return [
          { kind: "restart" },
          { kind: "pages", offers: this.#offers, total: this.#offers.length },
          { kind: "loaded", nowMs: NOW_MS },
        ];
      case "readImages":
        return [{ kind: "images", provider: command.provider, images, nowMs: NOW_MS }];
      case "readHistory":
        return [{ kind: "history", offerId: command.offerId, history: undefined }];
      case "readCredit":
        return [{ kind: "credit", balance: { balance: "212.4000", currency: "USD" } }];
      case "check": {
        const asOf = "2026-11-20T00:00:00.000Z";
        return [{ kind: "checked", number: command.number, offer: checked(command.offer), images, asOf }];
      }
      case "exit":
        this.exits.push(command);
        return [];
      case "save":
        this.saved.push(command.choices);
        return [];
      case "copy":
      case "open":
      case "redraw":
      case "fetchLive":
      case "suspend":
        return [];
    }
  }
}
