import * as z from "zod";
import { currencyOf } from "../currencies.js";
import { readSkypilot } from "../skypilot/read-skypilot.js";
import type { ProviderType } from "../source-item.js";
import { USUAL } from "./define-source.js";
import { conversionIn, ecbRequest, rateNote } from "./ecb.js";
import { LiveOffers } from "./live-offers.js";
import type { LiveSource } from "./live-source.js";
import { scopeItems } from "./part.js";
import { bodyOf, responsesOf } from "./response.js";
import { liveSourceFacts } from "./live-sources.facts.js";

// The catalog of the SkyPilot project: one CSV per cloud, updated every few hours or only occasionally, cloud by cloud.

const FILES = "https://raw.githubusercontent.com/skypilot-org/skypilot-catalog/master/catalogs/v8";
const COMMITS = "https://api.github.com/repos/skypilot-org/skypilot-catalog/commits";

/** Clouds without a source of their own here, or with one that needs a key. */
const CLOUDS = ["fluidstack", "gcp", "ibm", "nebius", "paperspace", "seeweb"];
/** Clouds whose folder has a different name than the provider. */
const FOLDERS: ReadonlyMap<string, string> = new Map([["digitalocean", "do"]]);
const CONTAINERS = new Set(["runpod", "vast"]);

const commitsSchema = z
  .array(z.object({ commit: z.object({ committer: z.object({ date: z.string().max(40) }) }) }))
  .max(1000);

export const skypilot: LiveSource = {
  ...USUAL,
  ...liveSourceFacts.skypilot,
  scopes: { noun: "cloud", defaults: CLOUDS },

  check(response) {
    if (response.request.part === "commits") {
      bodyOf(response, commitsSchema);
    }
  },

  *requests(context) {
    const clouds = context.settings.scopes ?? CLOUDS;
    if (context.settings.convert === "ecb" && clouds.some((cloud) => currencyOf(cloud, "skypilot") !== "USD")) {
      yield ecbRequest();
    }
    for (const cloud of clouds) {
      const path = `${FOLDERS.get(cloud) ?? cloud}/vms.csv`;
      yield { part: "vms", main: true, scope: cloud, method: "GET", url: `${FILES}/${path}` };
      // The date may fail without failing the prices.
      const url = `${COMMITS}?path=${encodeURIComponent(`catalogs/v8/${path}`)}&per_page=1`;
      yield { part: "commits", main: false, scope: `${cloud} (date)`, method: "GET", url };
    }
  },

  async *read(replies, context) {
    const { rate, money } = conversionIn(replies, context);
    for (const { request, body } of responsesOf(replies, "vms")) {
      const provider = request.scope ?? "";
      const type: ProviderType = CONTAINERS.has(provider) ? "container" : "vm";
      const date = responsesOf(replies, "commits").find(({ request: { scope } }) => scope === `${provider} (date)`);
      const asOf = date && bodyOf(date, commitsSchema)[0]?.commit.committer.date;
      yield* scopeItems(provider, async function* () {
        const offers = new LiveOffers({ name: provider, type }, { settings: {}, aliases: context.aliases });
        yield offers.providerItem(asOf ?? null);
        if (currencyOf(provider, "skypilot") !== "USD" && rate !== undefined) {
          yield rateNote(rate);
        }
        const options = { provider, type, gpuAliases: context.aliases, money };
        for await (const item of readSkypilot(body, options)) {
          yield { ...item, where: `${provider} ${item.where}`, scope: provider };
        }
      });
    }
  },
};
