import { nearNames } from "@gpu-offers/domain";
import { aws } from "./aws.js";
import { azure } from "./azure.js";
import { cloudrift } from "./cloudrift.js";
import { digitalocean } from "./digitalocean.js";
import { gcp } from "./gcp.js";
import { gpuai } from "./gpuai.js";
import { hotaisle } from "./hotaisle.js";
import { hyperbolic } from "./hyperbolic.js";
import { hyperstack } from "./hyperstack.js";
import { jarvislabs } from "./jarvislabs.js";
import { lambda } from "./lambda.js";
import { latitude } from "./latitude.js";
import { linode } from "./linode.js";
import { lium } from "./lium.js";
import { oci } from "./oci.js";
import { ovhcloud } from "./ovhcloud.js";
import { primeintellect } from "./primeintellect.js";
import { runpod } from "./runpod.js";
import { scaleway } from "./scaleway.js";
import { seeweb } from "./seeweb.js";
import { shadeform } from "./shadeform.js";
import { tensordock } from "./tensordock.js";
import { thunder } from "./thunder.js";
import { vast } from "./vast.js";
import { verda } from "./verda.js";
import { voltagepark } from "./voltagepark.js";
import { vultr } from "./vultr.js";
import { skypilot } from "./skypilot.js";
import { gpuhunt } from "./gpuhunt.js";
import type { LiveSource } from "./live-source.js";

/** In the order of the documentation; collections of others are last. */
const sources: LiveSource[] = [
  [vast, runpod, verda, vultr, linode, ovhcloud, oci, azure, aws],
  [lambda, shadeform, primeintellect, lium, cloudrift, voltagepark, hyperbolic, gpuai, thunder],
  [hyperstack, digitalocean, latitude, gcp, tensordock, hotaisle, jarvislabs, seeweb, scaleway],
  [skypilot, gpuhunt],
].flat();

/** All live sources; the operator's own are last. */
export const liveSources: readonly LiveSource[] = sources;

const byName = new Map(sources.map((source) => [source.name, source]));

/**
 * Adds sources of the operator's own, before the first of them is asked for.
 * @throws RangeError for a name that another source has.
 */
export function registerLiveSources(own: readonly LiveSource[]): void {
  for (const source of own) {
    if (byName.has(source.name)) {
      throw new RangeError(`There is a live source ${source.name} already. Use another name.`);
    }
    sources.push(source);
    byName.set(source.name, source);
  }
}

/** Finds a live source by name. */
export function findLiveSource(name: string): LiveSource | undefined {
  return byName.get(name);
}

/** The closest name to a mistyped one; undefined if none is close. */
export function nearestLiveSource(name: string): string | undefined {
  return nearNames(name, byName.keys())[0];
}
