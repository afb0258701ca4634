import { UNKNOWN_AGE } from "@gpu-offers/list";
import type { ListOrder, ListPart, OfferSource, SourceProgress } from "../catalog/offer-source.js";
import { findAgain } from "../catalog/read-source.js";
import { OfferSourceError, isTransient, type Problem } from "../catalog/offer-source-error.js";
import { pause } from "../catalog/pause.js";
import type { PickResult } from "../output/result.js";
import type { SavedChoices } from "./pick-request.js";
import type { Command, PickerEvent } from "./event.js";
import { imageListOf, type ImageList } from "./image-list.js";
import { reduce, start } from "./reduce.js";
import type { PickerState } from "./state.js";

interface SessionHost {
  copy?: (text: string) => void;
  /** Opens a page. Resolves with whether there is a browser. */
  open?: (url: string) => Promise<boolean>;
  redraw?: () => void;
  /** Suspends the process, like Ctrl-Z in a shell. */
  suspend?: () => void;
  save?: ((choices: Partial<SavedChoices>) => void) | undefined;
}

/** Milliseconds within which arriving pages are shown together. */
const PAGE_INTERVAL_MS = 100;

/** Maximum share of the loading time spent on showing rows. */
const SHOWING_SHARE = 0.1;

/** Milliseconds without a key after which prefetching begins. */
const IDLE_MS = 250;

/** Events that may bring providers to the screen whose images aren't loaded. */
const BEFORE_IDLE: ReadonlySet<PickerEvent["kind"]> = new Set(["key", "paste", "click", "resize", "loaded"]);

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

/** Runs a picker: feeds events to the reducer, executes its commands, and notifies listeners of state changes. */
export class Session {
  #state: PickerState;
  readonly #listeners = new Set<() => void>();
  readonly #end = new AbortController();
  #load = new AbortController();
  #idle: NodeJS.Timeout | undefined;
  readonly #outcome = Promise.withResolvers<PickResult | undefined>();

  constructor(
    state: PickerState,
    private readonly source: OfferSource,
    private readonly host: SessionHost,
  ) {
    this.#state = state;
  }

  /** Starts the session, with live prices if requested. Resolves with the result, or undefined if it was canceled. */
  run(isLive = false): Promise<PickResult | undefined> {
    this.#become(start(this.#state, isLive));
    return this.#outcome.promise;
  }

  readonly getState = (): PickerState => this.#state;

  /** Adds a listener for state changes. Returns a function that removes it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Waits until the state is as wanted; forever if the session ends before. */
  until(isWanted: (state: PickerState) => boolean): Promise<PickerState> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (isWanted(this.#state)) {
          stop();
          resolve(this.#state);
        }
      };
      const stop = this.subscribe(look);
      look();
    });
  }

  /** Handles events that arrived together, as one state change. */
  send(...events: readonly PickerEvent[]): void {
    for (const event of events) {
      if (this.#end.signal.aborted) {
        return;
      }
      this.#become(reduce(this.#state, event));
    }
    if (this.#end.signal.aborted) {
      return;
    }
    for (const listener of this.#listeners) {
      listener();
    }
    if (events.some(({ kind }) => BEFORE_IDLE.has(kind))) {
      clearTimeout(this.#idle);
      this.#idleAfter(IDLE_MS);
    } else if (this.#idle === undefined && events.some(({ kind }) => kind === "images")) {
      // Nothing was pressed since the images were requested: the next ones follow.
      this.#idleAfter(0);
    }
  }

  #idleAfter(delayMs: number): void {
    this.#idle = setTimeout(() => {
      this.#idle = undefined;
      this.send({ kind: "idle", nowMs: Date.now() });
    }, delayMs);
  }

  /** Ends the session: all requests, timers and updates stop. */
  close(result?: PickResult): void {
    this.#end.abort();
    this.#load.abort();
    clearTimeout(this.#idle);
    this.#outcome.resolve(result);
  }

  /** Ends the session because of an error, which {@link run} rejects with. */
  fail(error: unknown): void {
    this.#outcome.reject(error);
  }

  /** Changes the state, and performs its commands. */
  #become(state: PickerState): void {
    this.#state = state;
    for (const command of state.commands) {
      this.#do(command).catch((error: unknown) => {
        if (!this.#end.signal.aborted) {
          this.fail(error);
        }
      });
    }
  }

  async #do(command: Command): Promise<void> {
    const { source, host } = this;
    switch (command.kind) {
      case "load":
        return this.#loadOffers(command.order);
      case "readImages":
        return this.#readImages(command);
      case "readHistory": {
        const { offerId } = command;
        // Without a history, nothing is said: it is optional.
        return this.#respond(async (signal) => {
          return { kind: "history", offerId, history: await source.findHistory(offerId, signal) };
        });
      }
      case "readCredit":
        return this.#respond(
          async (signal) => {
            const [account, balance] = await Promise.all([source.getAccount(signal), source.getBalance(signal)]);
            return { kind: "credit", account, balance };
          },
          (problem) => ({ kind: "credit", problem }),
        );
      case "check":
        return this.#check(command);
      case "copy":
        return host.copy?.(command.text);
      case "open": {
        const isOpen = (await host.open?.(command.url)) === true;
        return this.send({ kind: "opened", url: command.url, isOpen });
      }
      case "suspend":
      case "redraw":
        return host[command.kind]?.();
      case "fetchLive":
        return this.#fetchLive();
      case "save":
        return host.save?.(command.choices);
      case "exit":
        return this.close(command.result);
    }
  }

  /** Loads all pages, with retries of transient problems. A newer load ends it. */
  async #loadOffers(order: ListOrder): Promise<void> {
    this.#load.abort();
    this.#load = new AbortController();
    const { signal } = this.#load;
    for (let failures = 0; !signal.aborted; failures++) {
      const problem = await this.#attempt(() => this.#readPages(order, signal), signal);
      if (problem === undefined || signal.aborted) {
        return;
      }
      const nowMs = Date.now();
      const retryAtMs = isTransient(problem) ? nowMs + retryDelayMs(problem, failures) : undefined;
      this.send({ kind: "loadFailed", problem, nowMs, retryAtMs });
      if (retryAtMs === undefined) {
        return;
      }
      await pause(retryAtMs - nowMs, signal).catch(() => undefined);
    }
  }

  async #readPages(order: ListOrder, signal: AbortSignal): Promise<void> {
    this.send({ kind: "restart" });
    let reading: Promise<void> | undefined;
    let waiting: (ListPart & { kind: "page" })[] = [];
    let nextShowMs = 0;
    const show = (): void => {
      const offers = waiting.flatMap((part) => part.offers);
      const { total } = waiting.at(-1) ?? {};
      waiting = [];
      const beganMs = performance.now();
      if (total !== undefined) {
        this.send({ kind: "pages", offers, total });
      }
      // Reads ages after the first rows, so as not to delay them.
      reading ??= this.#readAge(signal);
      const nowMs = performance.now();
      nextShowMs = nowMs + Math.max(PAGE_INTERVAL_MS, (nowMs - beganMs) / SHOWING_SHARE);
    };
    for await (const part of this.source.list(order, signal)) {
      signal.throwIfAborted();
      if (part.kind === "restart") {
        waiting = [];
        this.send({ kind: "restart" });
        continue;
      }
      waiting.push(part);
      if (performance.now() >= nextShowMs) {
        show();
      }
    }
    show();
    this.send({ kind: "loaded", nowMs: Date.now(), rejected: await this.source.listRejected() });
    await reading;
  }

  async #fetchLive(): Promise<void> {
    const { signal } = this.#end;
    const { live } = this.source;
    const report = (progress: SourceProgress | undefined): void =>
      this.send({ kind: "live", progress, nowMs: Date.now() });
    await this.#attempt(async () => live?.fetch(report, signal), signal);
    report(undefined);
  }

  /** Reads the age of prices: at once if it can, otherwise with more time. */
  async #readAge(signal: AbortSignal): Promise<void> {
    await this.#attempt(async () => {
      for (let failures = 0, timeoutMs: number | undefined; ; failures++, timeoutMs = LONGEST_RETRY_MS) {
        const age = await this.source.readAge({ signal, timeoutMs });
        this.send({ kind: "age", age });
        if (age !== UNKNOWN_AGE) {
          return;
        }
        await pause(Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures), signal);
      }
    }, signal);
  }

  async #readImages({ provider, instanceType }: ImageList): Promise<void> {
    const list = { kind: "images", provider, instanceType } as const;
    return this.#respond(
      async (signal) => {
        const images = await this.source.findImages(provider, { instanceType, signal });
        return { ...list, images: images ?? [], nowMs: Date.now() };
      },
      (problem) => ({ ...list, images: [], problem, nowMs: Date.now() }),
    );
  }

  async #check({ number, offer: chosen }: Command & { kind: "check" }): Promise<void> {
    return this.#respond(
      async (signal) => {
        const { provider, instanceType } = imageListOf(chosen);
        const [offer, images = []] = await Promise.all([
          findAgain(this.source, chosen, signal),
          this.source.findImages(provider, { instanceType, signal }),
        ]);
        return { kind: "checked", number, offer, images, asOf: new Date().toISOString() };
      },
      (problem) => ({ kind: "checked", number, problem }),
    );
  }

  /** Sends what the source responds, or its problem. */
  async #respond(
    ask: (signal: AbortSignal) => Promise<PickerEvent>,
    failed?: (problem: Problem) => PickerEvent,
  ): Promise<void> {
    const { signal } = this.#end;
    const problem = await this.#attempt(async () => this.send(await ask(signal)), signal);
    if (problem !== undefined && failed !== undefined) {
      this.send(failed(problem));
    }
  }

  /** Does the work. Returns the source's problem, if any; an abort isn't one. */
  async #attempt(work: () => Promise<void>, signal: AbortSignal): Promise<Problem | undefined> {
    try {
      await work();
      return undefined;
    } catch (error) {
      if (signal.aborted) {
        return undefined;
      }
      if (error instanceof OfferSourceError) {
        return error.problem;
      }
      throw error;
    }
  }
}

/** Exponential backoff with jitter, no shorter than the server's Retry-After. */
function retryDelayMs({ retryAfterMs = 0 }: Problem, failures: number): number {
  const backoffMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
  return Math.max(retryAfterMs, backoffMs * (0.75 + Math.random() / 2));
}
