import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  parseJSONRPCMessage,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { EXIT, Failure } from "../exit-codes.js";

/** The longest wait for open requests after the input has ended, in milliseconds. */
const LAST_RESPONSES_MS = 10_000;

/** Maximum length of a message: 10 MiB, as in the library. */
const MAX_LENGTH = 10 * 2 ** 20;

const PARSE_ERROR = { code: -32700, message: "Parse error" };
const INVALID_REQUEST = { code: -32600, message: "Invalid Request" };

/** The method of requests that get no response. */
const NO_RESPONSE_METHOD = "subscriptions/listen";

/**
 * Messages over standard input and output. The library's transport doesn't respond to lines that aren't messages, and
 * drops open requests when its input ends. Here all get a response, so that a script can pipe its requests in.
 */
export class McpTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #notify: (text: string) => void;
  readonly #open = new Set<unknown>();
  #onIdle = (): void => {};

  /** @param notify Reports lines that aren't messages. */
  constructor(notify: (text: string) => void) {
    this.#notify = notify;
  }

  /**
   * Reads messages until the input ends and all requests have a response.
   * @throws Failure after a message that is too large.
   */
  async read(input: Readable): Promise<void> {
    let rest = "";
    for await (const chunk of input.setEncoding("utf8") as AsyncIterable<string>) {
      const [first = "", ...others] = chunk.split("\n");
      rest += first;
      for (const next of others) {
        this.#take(rest);
        rest = next;
      }
      if (rest.length > MAX_LENGTH) {
        throw new Failure(EXIT.usage, "stopped reading, because a message is too large.");
      }
    }
    this.#take(rest);
    if (this.#open.size > 0) {
      const idle = new Promise<void>((resolve) => (this.#onIdle = resolve));
      await Promise.race([idle, wait(LAST_RESPONSES_MS, undefined, { ref: false })]);
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(message);
    if ("id" in message && !("method" in message)) {
      this.#close(message.id);
    }
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #take(line: string): void {
    if (line.trim() === "") {
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(JSON.parse(line));
    } catch (error) {
      const isJson = !(error instanceof SyntaxError);
      void this.#write({ jsonrpc: "2.0", id: null, error: isJson ? INVALID_REQUEST : PARSE_ERROR });
      this.#notify(isJson ? "rejected a message that is not JSON-RPC 2.0." : "rejected a line that is not JSON.");
      return;
    }
    if (isJSONRPCRequest(message) && message.method !== NO_RESPONSE_METHOD) {
      this.#open.add(message.id);
    } else if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      this.#close(message.params?.["requestId"]);
    }
    this.onmessage?.(message);
  }

  #write(message: object): Promise<void> {
    return new Promise((resolve) => process.stdout.write(`${JSON.stringify(message)}\n`, () => resolve()));
  }

  #close(id: unknown): void {
    this.#open.delete(id);
    if (this.#open.size === 0) {
      this.#onIdle();
    }
  }
}
