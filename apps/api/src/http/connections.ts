import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as TcpServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

// The connections of the server, and how they end: requests in flight are answered, connections without one are
// dropped soon. Node's close() alone waits for connections that never sent anything.

/** Milliseconds, at most, for connections that came before the close and were not accepted yet. */
const LAST_CONNECTIONS_MS = 500;

/** Milliseconds for requests that are on their way when the server closes: they are still answered. */
const LAST_REQUESTS_MS = 250;

/** Milliseconds that clients have to take the last answers. */
const LAST_ANSWERS_MS = 5_000;

/** Connections at once; one more is dropped. It bounds the memory that connections can take. */
const MAX_CONNECTIONS = 10_000;

/**
 * Requests of one connection that may wait for their answers. Node reads on whatever waits, so a client that sends
 * without end would be given memory without end; no client sends as many ahead of their answers.
 */
const MAX_PENDING = 100;

/** What is known of a connection. */
interface Connection {
  /** Requests that are not answered yet. */
  pending: number;
  /** The answer to its newest request, begun or not. */
  newest: ServerResponse | undefined;
}

/** Follows the connections of a server from its start, so that it can be closed without waiting for idle ones. */
export class Connections {
  readonly #connections = new Map<Socket, Connection>();
  #server: Server | undefined;
  #accepted = 0;
  #dropped = 0;
  #overrun = 0;
  #isClosing = false;
  #areIdleDropped = false;

  /** @param limit connections that the server takes at once. */
  constructor(private readonly limit = MAX_CONNECTIONS) {}

  /** Follows the connections of a server, and limits their number; before it listens. */
  watch(server: Server): void {
    this.#server = server;
    server.maxConnections = this.limit;
    server.on("connection", (socket: Socket) => {
      this.#accepted++;
      this.#connections.set(socket, { pending: 0, newest: undefined });
      socket.once("close", () => this.#connections.delete(socket));
    });
    server.on("drop", () => this.#dropped++);
    // Before the handlers of others, which may have answered when they return.
    server.prependListener("request", (request: IncomingMessage, response: ServerResponse) =>
      this.#count(request, response),
    );
  }

  /** Number of connections that are open. */
  get open(): number {
    return this.#connections.size;
  }

  /** Number of requests that are not answered yet. */
  get inFlight(): number {
    let requests = 0;
    for (const { pending } of this.#connections.values()) {
      requests += pending;
    }
    return requests;
  }

  /** Number of connections that were dropped at once, because the server has as many as it takes. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Number of connections that were ended, because too many of their requests waited for answers. */
  get overrun(): number {
    return this.#overrun;
  }

  /** What a connection is busy with; undefined when it is closed. */
  find(socket: Socket): Readonly<Connection> | undefined {
    return this.#connections.get(socket);
  }

  /**
   * Stops listening, answers what is in flight or arrives in the next moment, drops connections without a
   * request, and resolves when the last request is answered. A client that does not read its answer is
   * not waited for without end.
   */
  async close(): Promise<void> {
    // Until the listener is closed nobody is told to connect anew: it would be to a listener about to end.
    await this.#acceptWaiting();
    this.#isClosing = true;
    // On a busy machine the timer may come before requests that have arrived are read.
    const dropIdle = setTimeout(() => setImmediate(() => this.#dropIdle()), LAST_REQUESTS_MS);
    const dropAll = setTimeout(() => this.#connections.forEach((_, socket) => socket.destroy()), LAST_ANSWERS_MS);
    const server = this.#server;
    await new Promise<void>((resolve) => {
      // The close of an HTTP server would drop connections whose next request has been sent, but not read.
      TcpServer.prototype.close.call(server, () => resolve());
    });
    clearTimeout(dropIdle);
    clearTimeout(dropAll);
  }

  /** Takes the connections that wait to be accepted, which is one a turn: the end of the listener would reset them. */
  async #acceptWaiting(): Promise<void> {
    const lastMs = performance.now() + LAST_CONNECTIONS_MS;
    let known = -1;
    while (known !== this.#accepted && performance.now() < lastMs) {
      known = this.#accepted;
      // The first of them ends the turn in which the signal came.
      await nextTurn();
      await nextTurn();
    }
  }

  #dropIdle(): void {
    this.#areIdleDropped = true;
    for (const [socket, { pending }] of this.#connections) {
      if (pending === 0) {
        socket.destroy();
      }
    }
  }

  #count({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) {
      return;
    }
    connection.pending++;
    connection.newest = response;
    if (connection.pending > MAX_PENDING && !socket.destroyed) {
      this.#overrun++;
      socket.destroy();
    }
    if (this.#isClosing) {
      response.setHeader("Connection", "close");
    }
    response.once("close", () => {
      connection.pending--;
      if (this.#areIdleDropped && connection.pending === 0 && !socket.destroyed) {
        socket.end(() => socket.destroy());
      }
    });
  }
}
