import type { OfferSource } from "../catalog/offer-source.js";
import { formatRows, type Format } from "../output/formats.js";
import { EXIT, Failure } from "../exit-codes.js";
import { IMAGES_UNKNOWN } from "../output/offer-words.js";
import { providersOf, type NameContext } from "./resolve-query.js";

// Subcommands that print resources other than offers.

/** `providers`: all providers. */
export async function providersText(source: OfferSource, format: Format): Promise<string> {
  const providers = await source.listProviders();
  return formatRows(format, providers, [
    ["NAME", ({ name }) => name],
    ["TYPE", ({ type }) => type],
  ]);
}

/**
 * `images <provider>`: the OS images of a provider, or of all that a name may mean.
 * @throws Failure if there is no such provider.
 */
export async function imagesText(context: NameContext, provider: string, format: Format): Promise<string> {
  const { source, notify } = context;
  const exact = await source.findImages(provider);
  const called = exact === undefined ? await providersOf(provider, context) : [];
  const images = exact ?? (await Promise.all(called.map((name) => source.findImages(name)))).flatMap((all = []) => all);
  if (images.length === 0) {
    notify(`${IMAGES_UNKNOWN}.`);
  }
  return formatRows(format, images, [
    ["ID", ({ id }) => id],
    ["NAME", ({ displayName }) => displayName],
    ["CUDA", ({ cudaVersion, hasCuda }) => cudaVersion ?? (hasCuda ? "yes" : "-")],
    ["DOCKER", ({ hasDocker }) => (hasDocker ? "yes" : "-")],
    ["DEFAULT", ({ isDefault }) => (isDefault ? "yes" : "-")],
  ]);
}

/**
 * `rejected`: rejected rows of a catalog file, with the reasons.
 * @throws Failure if no row was rejected.
 */
export async function rejectedRowsText(source: OfferSource, format: Format): Promise<string> {
  const rows = await source.listRejected();
  if (rows.length === 0) {
    throw new Failure(EXIT.nothing, `no row of ${source.place} was rejected.`);
  }
  return formatRows(format, rows, [
    ["WHERE", ({ where }) => where],
    ["CODE", ({ code }) => code],
    ["REASON", ({ reason }) => reason],
  ]);
}

/** `account`: the account of the API key. */
export async function accountText(source: OfferSource, format: Format): Promise<string> {
  const account = [await source.getAccount()];
  return formatRows(format, account, [
    ["EMAIL", ({ email }) => email],
    ["NAME", ({ display_name }) => display_name],
    ["CREATED", ({ created_at }) => created_at],
    ["ID", ({ id }) => id],
  ]);
}

/** `balance`: the remaining credit. */
export async function balanceText(source: OfferSource, format: Format): Promise<string> {
  const credit = [await source.getBalance()];
  return formatRows(format, credit, [
    ["BALANCE", ({ balance }) => balance],
    ["CURRENCY", ({ currency }) => currency],
  ]);
}
