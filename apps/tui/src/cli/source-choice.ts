import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { ArgumentError } from "@gpu-offers/client";
import { isSample } from "@gpu-offers/domain";
import { fileSource, localSource } from "../catalog/loaded-source.js";
import type { OfferSource } from "../catalog/offer-source.js";
import { onlySample } from "../catalog/source-notes.js";
import type { ServerOptions } from "../catalog/server-source.js";
import { EXIT, Failure } from "../exit-codes.js";
import type { Format } from "../output/formats.js";
import { userFolder } from "../user-folder.js";
import type { Flags } from "./flags.js";
import type { Settings } from "./settings.js";
import { VERSION } from "../output/version.js";

// Chooses where offers come from: a catalog file, a server, or, if nothing is configured and no service is at the default
// address, the prices that were fetched before.

/** How users know the client's options. */
const OPTION_NAMES = new Map([
  ["baseUrl", "service URL"],
  ["apiKey", "API key"],
]);

/** Host functions of the command line. */
export interface Host {
  environment: Readonly<Record<string, string | undefined>>;
  print: (text: string) => void;
  /** Prints a message that isn't part of the result. */
  notify: (text: string) => void;
  /** Opens the picker, and ends the program after it. */
  pick: (flags: Flags, settings: Settings) => Promise<void>;
}

/** Context of a subcommand that prints. */
export interface Printer {
  source: OfferSource;
  flags: Flags;
  format: Format;
  /** Prints a message that isn't part of the result, if there is one. */
  notify: (text: string | undefined) => void;
}

export interface SourceOptions extends Pick<ServerOptions, "retries" | "timeoutMs"> {
  environment: Readonly<Record<string, string | undefined>>;
  /** Told once that a server doesn't respond, because its timeout is longer than users wait without feedback. */
  notify?: ((text: string) => void) | undefined;
}

/** The source selected by flags and settings. */
export async function openSource(
  flags: Pick<Flags, "catalog" | "provider" | "live">,
  settings: Settings,
  { environment, notify, retries, timeoutMs }: SourceOptions,
): Promise<OfferSource> {
  if (flags.catalog !== undefined) {
    return fileSource({ path: flags.catalog, provider: onlyOne(flags.provider) });
  }
  if (flags.live === true || (settings.isDefaultUrl && !(await isListening(settings.url)))) {
    return openLocal(environment);
  }
  const { isServiceAt, serverSource } = await import("../catalog/server-source.js");
  if (settings.isDefaultUrl && !(await isServiceAt(settings.url))) {
    return openLocal(environment);
  }
  try {
    return serverSource({ ...settings, retries, timeoutMs, onSlow: notify && onceSlow(notify, settings.url) });
  } catch (error) {
    if (!(error instanceof ArgumentError)) {
      throw error;
    }
    const problems = error.details.map(({ name, reason }) => `The ${OPTION_NAMES.get(name) ?? name} ${reason}.`);
    throw new Failure(EXIT.usage, `${problems.join(" ")} See GPU_OFFERS_URL and GPU_OFFERS_API_KEY.`);
  }
}

function onceSlow(notify: (text: string) => void, url: string): () => void {
  let hasNotified = false;
  return () => {
    if (!hasNotified) {
      hasNotified = true;
      notify(`still waiting for a response from ${url}. Press Ctrl-C to stop.`);
    }
  };
}

/** SkyPilot files don't name their provider, so --provider names it. */
function onlyOne(providers: readonly string[] | undefined): string | undefined {
  return providers?.length === 1 ? providers[0]?.toLowerCase() : undefined;
}

function openLocal(environment: SourceOptions["environment"]): OfferSource {
  const cache = userFolder(environment, "XDG_CACHE_HOME");
  const folder = cache === undefined ? undefined : join(cache, "live");
  return localSource({ folder, environment, userAgent: `gpu-offers/${VERSION}` });
}

/**
 * Whether anything listens at an address of this machine. Most often nothing does, and the client of a service, which takes
 * long to load, isn't needed.
 */
async function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const isOpen = once(socket, "connect").then(
    () => true,
    () => false,
  );
  return isOpen.finally(() => socket.destroy());
}

/** @throws Failure if the prices can't change: without a service, only --live fetches new ones. */
export async function checkChanging(
  source: OfferSource,
  { live, sample }: Pick<Flags, "live" | "sample">,
  { url }: Pick<Settings, "url">,
): Promise<void> {
  if (source.live === undefined || live === true) {
    return;
  }
  const { offers } = await source.find({}, 1);
  if (sample !== true && offers.every(isSample)) {
    throw await onlySample(source, offers);
  }
  const ways = "Start it, name another with --url or GPU_OFFERS_URL, or use --live or --catalog FILE.";
  throw new Failure(EXIT.server, `--watch needs prices that change, but no service is at ${url}. ${ways}`);
}

/**
 * Fetches current prices before a script runs, with a line for each source that ends; repeated, for those that fail.
 * @throws Failure if none could be fetched; repeated, earlier ones stay.
 */
export async function fetchBefore(
  { live }: OfferSource,
  flags: Pick<Flags, "live">,
  notify: (text: string) => void,
  { isRepeated = false }: { isRepeated?: boolean } = {},
): Promise<void> {
  if (flags.live !== true) {
    return;
  }
  let isAnyCurrent = isRepeated;
  await live?.fetch((progress) => {
    if (progress.kind === "failed") {
      notify(`${progress.source}: failed, ${progress.reason}`);
    } else if (progress.kind !== "fetching") {
      isAnyCurrent = true;
      if (!isRepeated) {
        notify(`${progress.source}: ${progress.offers} offers${progress.kind === "current" ? ", fetched before" : ""}`);
      }
    }
  });
  if (!isAnyCurrent) {
    throw new Failure(EXIT.sample, "no current prices could be fetched. Try again later.");
  }
}
