import type { Server, ServerResponse } from "node:http";
import { Server as TcpServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

// The connections of the server, and how they end: requests in flight get their responses, connections without one
// are dropped soon. Node's close() alone waits for connections that never sent anything.

/** Maximum milliseconds for connections that came before the close and were not accepted yet. */
const LAST_CONNECTIONS_MS = 500;

/** Milliseconds for requests that are on their way when the server closes: they still get their responses. */
const LAST_REQUESTS_MS = 250;

/** Milliseconds that clients have to read the last responses. */
const LAST_RESPONSES_MS = 5_000;

/** Maximum number of open connections; one more is dropped. It bounds the memory that connections can take. */
export const MAX_CONNECTIONS = 10_000;

/**
 * Maximum number of requests of one connection that wait for their responses. Node reads on, however many wait, so a
 * client that keeps sending would take memory without bound; no honest client sends as many ahead.
 */
const MAX_PENDING = 100;

/** What is known of a connection. */
interface Connection {
  /** Requests without a complete response. */
  pending: number;
  /** The response to its newest request, begun or not. */
  newest: ServerResponse | undefined;
}

/** Tracks the connections of servers from their start, so that they can be closed without waiting for idle ones. */
export class Connections {
  readonly #connections = new Map<Socket, Connection>();
  readonly #servers: Server[] = [];
  #accepted = 0;
  #dropped = 0;
  #overrun = 0;
  #isClosing = false;
  #areIdleDropped = false;

  /** @param limit maximum number of connections of a server. */
  constructor(private readonly limit = MAX_CONNECTIONS) {}

  /** Tracks the connections of a server, and limits their number; before it listens. */
  watch(server: Server): void {
    this.#servers.push(server);
    server.maxConnections = this.limit;
    server.on("connection", (socket: Socket) => {
      this.#accepted++;
      this.#connections.set(socket, { pending: 0, newest: undefined });
      socket.once("close", () => this.#connections.delete(socket));
    });
    server.on("drop", () => this.#dropped++);
  }

  /** Number of connections that are open. */
  get open(): number {
    return this.#connections.size;
  }

  /** Number of requests without a complete response. */
  get inFlight(): number {
    let requests = 0;
    for (const { pending } of this.#connections.values()) {
      requests += pending;
    }
    return requests;
  }

  /** Number of connections that were dropped at once, because too many were open. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Number of connections that were ended, because too many of their requests waited for responses. */
  get overrun(): number {
    return this.#overrun;
  }

  /** What a connection is busy with; undefined when it is closed. */
  find(socket: Socket): Readonly<Connection> | undefined {
    return this.#connections.get(socket);
  }

  /**
   * Stops listening, lets requests finish that are in flight or arrive in the next moment, drops connections without
   * a request, and resolves when the last response is complete. A client that doesn't read its response is not waited
   * for forever.
   */
  async close(): Promise<void> {
    // Until the listener is closed nobody is told to connect anew: it would be to a listener about to end.
    await this.#acceptWaiting();
    this.#isClosing = true;
    // On a busy machine the timer may come before requests that have arrived are read.
    const dropIdle = setTimeout(() => setImmediate(() => this.#dropIdle()), LAST_REQUESTS_MS);
    const dropAll = setTimeout(() => this.#connections.forEach((_, socket) => socket.destroy()), LAST_RESPONSES_MS);
    // The close of an HTTP server would drop connections whose next request has been sent, but not read.
    const closed = this.#servers.map(
      (server) => new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve())),
    );
    await Promise.all(closed);
    clearTimeout(dropIdle);
    clearTimeout(dropAll);
  }

  /** Accepts the connections that wait for it, one a turn: the end of the listener would reset them. */
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

  /** Takes note of a request; undefined if its connection is closed already. */
  begin(socket: Socket, response: ServerResponse): Connection | undefined {
    const connection = this.#connections.get(socket);
    if (connection === undefined) {
      return undefined;
    }
    connection.pending++;
    connection.newest = response;
    if (connection.pending > MAX_PENDING && !socket.destroyed) {
      this.#overrun++;
      socket.destroy();
    }
    if (this.#isClosing) {
      response.shouldKeepAlive = false;
    }
    return connection;
  }

  /** Takes note of the end of a response. */
  end(connection: Connection | undefined, socket: Socket): void {
    if (connection === undefined) {
      return;
    }
    connection.pending--;
    if (this.#areIdleDropped && connection.pending === 0 && !socket.destroyed) {
      socket.end(() => socket.destroy());
    }
  }
}
