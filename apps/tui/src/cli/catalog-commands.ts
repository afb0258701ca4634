import type { OsImage } from "@gpu-offers/domain";
import { printable } from "@gpu-offers/list";
import type { OfferSource } from "../catalog/offer-source.js";
import { formatList, type Format, type Grid } from "../output/formats.js";
import { EXIT, Failure } from "../output/exit-codes.js";
import { IMAGES_UNKNOWN } from "../output/offer-words.js";
import { providersOf, type NameContext } from "./resolve-query.js";

// Subcommands that print resources other than offers.

/** `providers`: all providers. */
export async function providersText(source: OfferSource, format: Format): Promise<string> {
  const providers = await source.listProviders();
  return formatList(format, providers, () =>
    grid(
      ["NAME", "TYPE"],
      providers.map(({ name, type }) => [name, type]),
    ),
  );
}

/**
 * `images <provider>`: the OS images of a provider, or of all that a name may mean.
 * @throws Failure if there is no such provider.
 */
export async function imagesText(context: NameContext, provider: string, format: Format): Promise<string> {
  const { source, notify } = context;
  const images = (await source.findImages(provider)) ?? (await imagesOfCalled(provider, context));
  if (images.length === 0) {
    notify(`${IMAGES_UNKNOWN}.`);
  }
  return formatList(format, images, () =>
    grid(
      ["ID", "NAME", "CUDA", "DOCKER", "DEFAULT"],
      images.map((image) => [
        image.id,
        image.displayName,
        image.cudaVersion ?? (image.hasCuda ? "yes" : "-"),
        image.hasDocker ? "yes" : "-",
        image.isDefault ? "yes" : "-",
      ]),
    ),
  );
}

async function imagesOfCalled(name: string, context: NameContext): Promise<readonly OsImage[]> {
  const providers = await providersOf(name, context);
  const lists = await Promise.all(providers.map((provider) => context.source.findImages(provider)));
  return lists.flatMap((images = []) => images);
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
  return formatList(format, rows, () =>
    grid(
      ["WHERE", "CODE", "REASON"],
      rows.map(({ where, code, reason }) => [where, code, reason]),
    ),
  );
}

/** `account`: the account of the API key. */
export async function accountText(source: OfferSource, format: Format): Promise<string> {
  const account = await source.getAccount();
  return formatList(format, [account], () =>
    grid(["EMAIL", "NAME", "CREATED", "ID"], [[account.email, account.display_name, account.created_at, account.id]]),
  );
}

/** `balance`: the remaining credit. */
export async function balanceText(source: OfferSource, format: Format): Promise<string> {
  const balance = await source.getBalance();
  return formatList(format, [balance], () => grid(["BALANCE", "CURRENCY"], [[balance.balance, balance.currency]]));
}

function grid(titles: readonly string[], rows: readonly (readonly string[])[]): Grid {
  return {
    titles,
    aligns: titles.map(() => "left"),
    rows: rows.map((row) => row.map(printable)),
  };
}
