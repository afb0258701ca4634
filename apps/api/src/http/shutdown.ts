import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

// Closing a server: requests in flight are answered, connections without one are dropped at once.
// Node's close() alone waits for connections that never sent anything.

/** Follows the connections of a server from its start, so that it can be closed without waiting for idle ones. */
export class Connections {
  readonly #pending = new Map<Socket, number>();
  readonly #server: Server;
  #isClosing = false;

  constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket: Socket) => {
      this.#pending.set(socket, 0);
      socket.once("close", () => this.#pending.delete(socket));
    });
    server.on("request", (request: IncomingMessage, response: ServerResponse) => this.#count(request, response));
  }

  /** Stops listening, drops connections without a request, and resolves when the last request is answered. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const [socket, requests] of this.#pending) {
      if (requests === 0) {
        socket.destroy();
      }
    }
    await closed;
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
        if (this.#isClosing && left === 0) {
          socket.end();
        }
      }
    });
  }
}
