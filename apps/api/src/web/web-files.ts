import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { EncodedContent } from "../http/content.js";
import { PACKAGE_FOLDER } from "../package-folder.js";
import type { Encoding } from "../wire/accepted.js";
import { contentTag } from "../wire/entity-tag.js";

// The built files of the page, which the build copies from apps/web. Each is listed once, and read when it is first requested.

/** Where the build leaves them. */
const WEB_FOLDER = new URL("dist/web/", PACKAGE_FOLDER);

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
};

const SUFFIXES: Readonly<Record<Exclude<Encoding, "identity">, string>> = { br: ".br", gzip: ".gz" };

/** A file with a hash of its content in its name, and its compressed forms beside it. */
class WebFile extends EncodedContent {
  readonly #location: URL;
  readonly #bodies = new Map<Encoding, Buffer>();
  override readonly type: string;
  #etag: string | undefined;

  /** @throws RangeError if files of this kind have no known media type. */
  constructor(name: string, folder: URL) {
    super();
    const type = TYPES[extname(name)];
    if (type === undefined) {
      throw new RangeError(`${name} has no known media type.`);
    }
    this.#location = new URL(name, folder);
    this.type = type;
  }

  get etag(): string {
    return (this.#etag ??= contentTag(this.bodyAs("identity")));
  }

  bodyAs(encoding: Encoding): Buffer {
    let body = this.#bodies.get(encoding);
    if (body === undefined) {
      const suffix = encoding === "identity" ? "" : SUFFIXES[encoding];
      body = readFileSync(new URL(`${this.#location.href}${suffix}`));
      this.#bodies.set(encoding, body);
    }
    return body;
  }
}

/** The HTML of the page without rows; undefined if the page isn't built. */
export function readTemplate(name: string, folder = WEB_FOLDER): string | undefined {
  const file = new URL(name, folder);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** The files that the page loads, by their paths. */
export function listWebFiles(folder = WEB_FOLDER): Map<string, WebFile> {
  const assets = new URL("assets/", folder);
  const names = existsSync(assets) ? readdirSync(assets).filter((name) => !/\.(?:br|gz)$/.test(name)) : [];
  return new Map(names.map((name) => [`/assets/${name}`, new WebFile(name, assets)]));
}
