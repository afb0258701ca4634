import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  recordedBody,
  recordedResponse,
  recordedResponses,
  SourceError,
  type Recording,
  type LiveRequest,
} from "@gpu-offers/sources";
import { codeOf, reasonOf } from "@gpu-offers/domain";
import type { Secrets } from "./secrets.js";
import type { TransportResponse } from "./transport.js";

// Recorded responses as files: each body has a `.http.json` file beside it with method, URL, status and headers.

const HEAD_SUFFIX = ".http.json";

/**
 * A recording: a file is the body of the source's main request; a folder contains bodies with a `.http.json` each.
 * @throws SourceError if it can't be read as a recording.
 */
export async function readRecording(path: string): Promise<Recording> {
  try {
    return (await stat(path)).isDirectory() ? await readFolder(path) : recordedBody(await readFile(path));
  } catch (error) {
    throw error instanceof SourceError ? error : new SourceError(`${path} cannot be read: ${reasonOf(error)}.`);
  }
}

async function readFolder(folder: string): Promise<Recording> {
  const names = (await readdir(folder)).sort();
  const heads = names.filter((name) => name.endsWith(HEAD_SUFFIX));
  if (heads.length === 0) {
    throw new SourceError(`${folder} has no recorded responses. Each is a body with a ${HEAD_SUFFIX} file beside it.`);
  }
  return recordedResponses(
    await Promise.all(
      heads.map(async (name) => {
        const stem = name.slice(0, -HEAD_SUFFIX.length);
        const body = names.find((other) => other !== name && (other === stem || other.startsWith(`${stem}.`)));
        if (body === undefined) {
          throw new SourceError("Its body is missing.", name);
        }
        const head = parseHead(await readFile(join(folder, name), "utf8"), name);
        return recordedResponse(head, await readFile(join(folder, body)), name);
      }),
    ),
  );
}

function parseHead(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SourceError(`It is not JSON: ${reasonOf(error)}.`, where);
  }
}

/** Like a recursive mkdir, which never ends in file systems that create no folders, such as /proc. */
export async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const code = codeOf(error);
    const parent = dirname(folder);
    if (code === "ENOENT" && !existsSync(parent)) {
      await createFolder(parent);
      await mkdir(folder);
    } else if (code !== "EEXIST") {
      throw error;
    }
  }
}

/** Response headers kept in recordings. Others, such as cookies, are useless and may be secret. */
const KEPT_HEADERS =
  /^(?:content-type|etag|last-modified|link|x-total-count|retry-after|cache-control|date|x-?ratelimit.*|x-pages?)$/;

/** Writes responses as a recording in an existing folder, with secrets redacted. */
export class RecordingWriter {
  /** Number of written responses. */
  count = 0;

  constructor(
    private readonly folder: string,
    private readonly secrets: Secrets,
  ) {}

  /** Writes a response, unless it is confidential. */
  async write(request: LiveRequest, { status, headers, body }: TransportResponse): Promise<void> {
    if (request.confidential === true) {
      return;
    }
    const stem = join(this.folder, `${request.part.replaceAll(/[^\w-]+/g, "-")}-${this.count++}`);
    const kept = Object.entries(headers).filter(([name]) => KEPT_HEADERS.test(name));
    const head = {
      method: request.method,
      url: request.url,
      ...(request.body === undefined ? {} : { requestBody: request.body }),
      status,
      responseHeaders: Object.fromEntries(kept),
    };
    await writeFile(`${stem}${HEAD_SUFFIX}`, this.secrets.redact(`${JSON.stringify(head, null, 2)}\n`));
    await writeFile(`${stem}.${extensionOf(headers["content-type"])}`, this.#redactBody(body));
  }

  /** Binary bodies, such as archives, are left unchanged. */
  #redactBody(body: Uint8Array): Uint8Array {
    const bytes = Buffer.from(body);
    const text = bytes.toString("utf8");
    return Buffer.from(text).equals(bytes) ? Buffer.from(this.secrets.redact(text)) : bytes;
  }
}

function extensionOf(type = ""): string {
  if (/json/.test(type)) {
    return "json";
  }
  return /csv/.test(type) ? "csv" : "body";
}
