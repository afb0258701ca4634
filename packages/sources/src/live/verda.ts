import * as z from "zod";
import type { ReadDisk } from "../machine-disk.js";
import { builtInSource } from "./built-in-source.js";
import { bearer, type StatedRequests } from "./define-source.js";
import { imagesOfTypes } from "./live-images.js";
import { inPlaces, type LiveMachine } from "./live-offers.js";
import { isFailure, type LiveContext, type LiveReply } from "./live-source.js";
import { optionalPart } from "./part.js";
import { bodyOf, decimalSchema, listUnder, matchingRows, nameSchema, rowsIn } from "./response.js";
import { currencyRejection, spotTerms } from "./terms.js";

// https://api.verda.com/v1/docs (formerly DataCrunch): the price list needs no key; locations and stock need a client.

const API = "https://api.datacrunch.io/v1";

const listSchema = listUnder("", "data");
const sizeSchema = z.object({ size_in_gigabytes: z.number().min(0).nullish() }).nullish();

const typeSchema = z.object({
  instance_type: nameSchema,
  name: z.string().nullish(),
  model: z.string().nullish(),
  gpu: z.object({ number_of_gpus: z.number().min(0), description: z.string().nullish() }),
  cpu: z.object({ number_of_cores: z.number().min(0).nullish() }).nullish(),
  // Memory of all GPUs together.
  gpu_memory: sizeSchema,
  memory: sizeSchema,
  storage: sizeSchema,
  // USD per hour for the whole instance, in the requested currency.
  price_per_hour: decimalSchema,
  spot_price: decimalSchema.nullish(),
  spot_price_per_hour: decimalSchema.nullish(),
  currency: z.string().nullish(),
  supported_os: z.array(z.string()).nullish(),
  best_for: z.array(z.string()).nullish(),
});
type InstanceType = z.output<typeof typeSchema>;

const stockSchema = z.object({ location_code: nameSchema, availabilities: z.array(z.string()) });
const locationSchema = z.object({ code: nameSchema, name: z.string().nullish(), country_code: z.string() });
const volumeSchema = z.object({
  type: nameSchema,
  price: z.object({ currency: z.string(), price_per_month_per_gb: z.number().min(0) }),
});
const tokenSchema = z.object({ access_token: z.string().min(1) });

export const verda = builtInSource("verda", {
  *requests(context) {
    yield { part: "instance-types", url: `${API}/instance-types?currency=usd` };
    yield { part: "volume-types", optional: true, url: `${API}/volume-types` };
    yield* joins(context);
  },

  *items(offers, replies) {
    const locations = matchingRows(rowsIn(replies, "locations", listSchema, locationSchema));
    const countries = new Map(locations.map((row) => [row.code, row.country_code]));
    const stock = matchingRows(rowsIn(replies, "instance-availability", listSchema, stockSchema));
    const types = rowsIn(replies, "instance-types", listSchema, typeSchema);
    const disk = optionalPart(replies, "volume-types", "Current prices of volumes", () => diskIn(replies));
    const withGpus = matchingRows(types).filter(({ gpu }) => gpu.number_of_gpus > 0);
    const images = withGpus.map((type) => [type.instance_type, type.supported_os ?? []] as const);
    yield offers.providerItem(undefined, imagesOfTypes(images));
    yield* disk.notes;
    const nowhere = stock.length === 0 ? [{ region: null, isAvailable: false, availability: "unknown" as const }] : [];
    yield* offers.items(types, (row) => {
      // A type without an image cannot be ordered yet.
      const isAvailable = row.supported_os?.length !== 0;
      const places = stock
        .filter(({ availabilities }) => availabilities.includes(row.instance_type))
        .map(({ location_code: region }) => ({ region, place: { countryCode: countries.get(region) }, isAvailable }));
      const machine = currencyRejection(row.currency?.toUpperCase()) ?? rowOf(row, disk.value);
      return row.gpu.number_of_gpus === 0 ? undefined : inPlaces(machine, places.length === 0 ? nowhere : places);
    });
  },
});

function* joins({ secrets, recorded }: LiveContext): StatedRequests {
  const { VERDA_CLIENT_ID: id = "", VERDA_CLIENT_SECRET: secret = "" } = secrets;
  let headers = {};
  if (!recorded) {
    if (id === "" || secret === "") {
      return;
    }
    const reply: LiveReply = yield {
      part: "token",
      main: false,
      method: "POST",
      url: `${API}/oauth2/token`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ grant_type: "client_credentials", client_id: id, client_secret: secret }),
      confidential: true,
    };
    if (isFailure(reply)) {
      return;
    }
    headers = bearer(bodyOf(reply, tokenSchema).access_token);
  }
  yield { part: "locations", main: false, url: `${API}/locations`, headers };
  yield { part: "instance-availability", main: false, url: `${API}/instance-availability`, headers };
}

/** The NVMe volume that machines boot from. */
function diskIn(replies: readonly LiveReply[]): ReadDisk | undefined {
  const nvme = matchingRows(rowsIn(replies, "volume-types", listSchema, volumeSchema)).find(
    ({ type }) => type === "NVMe",
  );
  const price = nvme?.price.currency.toLowerCase() === "usd" ? nvme.price.price_per_month_per_gb : 0;
  return price > 0 ? { pricePerGbMonth: price } : undefined;
}

function rowOf(type: InstanceType, disk: ReadDisk | undefined): LiveMachine {
  const spotPrice = type.spot_price ?? type.spot_price_per_hour;
  const diskGb = type.storage?.size_in_gigabytes ?? 0;
  return {
    instanceType: type.instance_type,
    gpu: {
      name: type.model ?? "",
      // The size in the name is the usable one: B300 SXM6 268GB.
      otherNames: [(type.name ?? "").replace(/ \d+ ?GB$/i, "")],
      count: type.gpu.number_of_gpus,
      totalVramGb: type.gpu_memory?.size_in_gigabytes || undefined,
    },
    priceHourly: type.price_per_hour,
    vcpu: type.cpu?.number_of_cores,
    ramGb: type.memory?.size_in_gigabytes,
    disk: diskGb > 0 ? { kind: "included", sizeGb: diskGb } : { kind: "unpriced", volume: disk },
    nvlink: (type.best_for ?? []).some((use) => /nvlink/i.test(use)),
    listing: { instanceType: type.instance_type, seller: "cloud", spot: spotTerms(spotPrice) },
  };
}
