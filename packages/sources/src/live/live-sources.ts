import { closest, distance } from "fastest-levenshtein";
import { digitalocean } from "./digitalocean.js";
import { lambda } from "./lambda.js";
import { latitude } from "./latitude.js";
import { linode } from "./linode.js";
import { runpod } from "./runpod.js";
import { vast } from "./vast.js";
import { verda } from "./verda.js";
import { vultr } from "./vultr.js";
import type { LiveSource } from "./live-source.js";

/** Every live source: those that need no key first, then those with one, then collections of other people. */
export const liveSources: readonly LiveSource[] = [vast, runpod, verda, vultr, linode, lambda, digitalocean, latitude];

const byName: ReadonlyMap<string, LiveSource> = new Map(liveSources.map((source) => [source.name, source]));

/** The live source of that name. */
export function findLiveSource(name: string): LiveSource | undefined {
  return byName.get(name);
}

/** The name that a mistyped one may have meant; undefined when none is near. */
export function nearestLiveSource(name: string): string | undefined {
  const typed = name.toLowerCase();
  const near = [...byName.keys()].filter((known) => distance(typed, known) <= known.length / 2);
  return near.length === 0 ? undefined : closest(typed, near);
}
