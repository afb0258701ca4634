import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as TcpServer, type Socket } from "node:net";

// Closing a server: requests in flight are answered, connections without one are dropped soon.
// Node's close() alone waits for connections that never sent anything.

/** Milliseconds for requests that are on their way when the server closes: they are still answered. */
const LAST_REQUESTS_MS = 250;

/** Milliseconds that clients have to take the last answers. */
const LAST_ANSWERS_MS = 5_000;

/** Follows the connections of a server from its start, so that it can be closed without waiting for idle ones. */
export class Connections {
  readonly #pending = new Map<Socket, number>();
  readonly #server: Server;
  #isClosing = false;
  #areIdleDropped = false;

  constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket: Socket) => {
      this.#pending.set(socket, 0);
      socket.once("close", () => this.#pending.delete(socket));
    });
    // Before the handlers of others, which may have answered when they return.
    server.prependListener("request", (request: IncomingMessage, response: ServerResponse) =>
      this.#count(request, response),
    );
  }

  /**
   * Stops listening, answers what is in flight or arrives in the next moment, drops connections without a
   * request, and resolves when the last request is answered. A client that does not read its answer is
   * not waited for without end.
   */
  async close(): Promise<void> {
    this.#isClosing = true;
    const dropIdle = setTimeout(() => this.#dropIdle(), LAST_REQUESTS_MS);
    const dropAll = setTimeout(() => this.#pending.forEach((_, socket) => socket.destroy()), LAST_ANSWERS_MS);
    await new Promise<void>((resolve) => {
      // The close of an HTTP server would drop connections whose next request has been sent, but not read.
      TcpServer.prototype.close.call(this.#server, () => resolve());
    });
    clearTimeout(dropIdle);
    clearTimeout(dropAll);
  }

  #dropIdle(): void {
    this.#areIdleDropped = true;
    for (const [socket, requests] of this.#pending) {
      if (requests === 0) {
        socket.destroy();
      }
    }
  }

  #count({ socket }: IncomingMessage, response: ServerResponse): void {
    this.#pending.set(socket, (this.#pending.get(socket) ?? 0) + 1);
    if (this.#isClosing) {
      response.setHeader("Connection", "close");
    }
    response.once("close", () => {
      const left = (this.#pending.get(socket) ?? 1) - 1;
      if (!socket.destroyed) {
        this.#pending.set(socket, left);
        if (this.#areIdleDropped && left === 0) {
          socket.end(() => socket.destroy());
        }
      }
    });
  }
}
