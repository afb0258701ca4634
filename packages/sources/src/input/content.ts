import { SourceError } from "../source-error.js";
import type { Chunks } from "./utf8.js";

// What a whole catalog is read from: its content, a response of `fetch`, or a file that someone chose in a browser.

/** A stream of bytes, as the body of a response. Not every browser can iterate over one. */
export interface ByteStream {
  /** Locks the stream. */
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel(reason?: unknown): Promise<void>;
  };
}

/** A response of `fetch`. */
export interface CatalogResponse {
  /** Whether the status is from 200 to 299. */
  ok: boolean;
  /** HTTP status. */
  status: number;
  /** The address; its end may contain the provider of a SkyPilot catalog: `aws/vms.csv`. */
  url: string;
  /** The content. */
  body: ByteStream | null;
}

/** A file that someone chose in a browser, or any other `Blob`. */
export interface CatalogFile {
  /** Name of the file. */
  name?: string | undefined;
  /** Reads the content. */
  stream(): ByteStream;
}

/** The content of a catalog, or what has it. */
export type CatalogContent = Chunks | ByteStream | CatalogResponse | CatalogFile;

/** The content, and the path that its origin states. @throws SourceError if a response has an error status. */
export function contentOf(content: CatalogContent): { chunks: Chunks; path: string | undefined } {
  if (typeof content === "string" || content instanceof Uint8Array) {
    return { chunks: content, path: undefined };
  }
  if ("getReader" in content) {
    return { chunks: readStream(content), path: undefined };
  }
  if ("ok" in content) {
    const { ok, status, url, body } = content;
    if (!ok) {
      throw new SourceError(`${url === "" ? "The server" : url} responded with status ${status}.`);
    }
    return {
      chunks: body === null ? "" : readStream(body),
      path: URL.canParse(url) ? new URL(url).pathname : undefined,
    };
  }
  if ("stream" in content) {
    return { chunks: readStream(content.stream()), path: content.name };
  }
  return { chunks: content, path: undefined };
}

async function* readStream(stream: ByteStream): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        isDone = true;
        return;
      }
      if (value !== undefined) {
        yield value;
      }
    }
  } finally {
    if (!isDone) {
      await reader.cancel();
    }
  }
}
