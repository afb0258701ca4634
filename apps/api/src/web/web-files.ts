import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { EncodedContent } from "../http/content.js";
import { PACKAGE_FOLDER } from "../package-folder.js";
import type { Encoding } from "../wire/accepted.js";
import { contentTag } from "../wire/entity-tag.js";

// The built files of the page, which the build copies from apps/web. Each is listed once, and kept when it is requested.

/** Where the build leaves them. */
const WEB_FOLDER = new URL("dist/web/", PACKAGE_FOLDER);

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
};

const SUFFIXES: Readonly<Record<Encoding, string>> = { br: ".br", gzip: ".gz", identity: "" };

/**
 * A file with a hash of its content in its name, and its compressed forms beside it.
 * @throws RangeError if files of this kind have no known media type.
 */
function webFile(name: string, folder: URL): EncodedContent {
  const type = TYPES[extname(name)];
  if (type === undefined) {
    throw new RangeError(`${name} has no known media type.`);
  }
  const read = (encoding: Encoding): Promise<Buffer> => readFile(new URL(`${name}${SUFFIXES[encoding]}`, folder));
  return new EncodedContent(contentTag(readFileSync(new URL(name, folder))), read, type);
}

/** The HTML of the page without rows; undefined if the page isn't built. */
export function readTemplate(name: string, folder = WEB_FOLDER): string | undefined {
  const file = new URL(name, folder);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** The files that the page loads, by their paths. */
export function listWebFiles(folder = WEB_FOLDER): Map<string, EncodedContent> {
  const assets = new URL("assets/", folder);
  const names = existsSync(assets) ? readdirSync(assets).filter((name) => !/\.(?:br|gz)$/.test(name)) : [];
  return new Map(names.map((name) => [`/assets/${name}`, webFile(name, assets)]));
}
