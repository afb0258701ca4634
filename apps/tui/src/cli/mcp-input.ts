import { Transform, type Readable, type TransformCallback } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { isJSONRPCNotification, isJSONRPCRequest } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

type Message = Parameters<StdioServerTransport["send"]>[0];

/** The longest wait for open requests after the input has ended, in milliseconds. */
const LAST_RESPONSES_MS = 10_000;

/** Maximum length of a message: 10 MiB, the limit of the library. It stops reading after a longer one. */
const MAX_LINE_LENGTH = 10 * 2 ** 20;

/** The method of requests that get no response. */
const NO_RESPONSE_METHOD = "subscriptions/listen";

/**
 * Standard input for the library, which skips lines that aren't JSON without a response, and drops open requests when its
 * input ends. Here such lines are reported, and the end is held back until all requests have a response, so that a
 * script can pipe its requests in.
 */
export class McpInput extends Transform {
  readonly #decoder = new StringDecoder("utf8");
  readonly #open = new Set<string | number>();
  readonly #onInvalid: () => void;
  #rest = "";
  #isTooLarge = false;
  #finish: (() => void) | undefined;

  /** @param onInvalid called for each line that isn't JSON. */
  constructor(source: Readable, onInvalid: () => void) {
    super();
    this.#onInvalid = onInvalid;
    source.pipe(this);
  }

  /** Notes that a message was sent. */
  sent(message: Message): void {
    if ("id" in message && !("method" in message) && message.id !== undefined) {
      this.#close(message.id);
    }
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#isTooLarge) {
      done(null, chunk);
      return;
    }
    const [first = "", ...others] = this.#decoder.write(chunk).split("\n");
    this.#rest += first;
    for (const next of others) {
      this.#read(this.#rest);
      this.#rest = next;
    }
    if (this.#rest.length > MAX_LINE_LENGTH) {
      // The library reports it.
      this.#isTooLarge = true;
      this.push(this.#rest);
    }
    done();
  }

  override _flush(done: TransformCallback): void {
    if (!this.#isTooLarge) {
      this.#read(this.#rest + this.#decoder.end());
    }
    const timer = setTimeout(done, LAST_RESPONSES_MS);
    this.#finish = () => {
      clearTimeout(timer);
      done();
    };
    this.#finishIfIdle();
  }

  #read(line: string): void {
    if (line.trim() !== "" && !this.#note(line)) {
      this.#onInvalid();
      return;
    }
    this.push(`${line}\n`);
  }

  /** Notes a request. Returns whether the line is JSON. */
  #note(line: string): boolean {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return false;
    }
    // The library drops messages of any other form, so no response to them follows.
    if (isJSONRPCRequest(message)) {
      if (message.method !== NO_RESPONSE_METHOD) {
        this.#open.add(message.id);
      }
    } else if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      const requestId = message.params?.["requestId"];
      if (isId(requestId)) {
        this.#close(requestId);
      }
    }
    return true;
  }

  #close(id: string | number): void {
    this.#open.delete(id);
    this.#finishIfIdle();
  }

  #finishIfIdle(): void {
    if (this.#open.size === 0) {
      this.#finish?.();
      this.#finish = undefined;
    }
  }
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** The library's transport over such an input and standard output. */
export class McpTransport extends StdioServerTransport {
  constructor(private readonly input: McpInput) {
    super(input);
  }

  override async send(message: Message): Promise<void> {
    await super.send(message);
    this.input.sent(message);
  }
}
