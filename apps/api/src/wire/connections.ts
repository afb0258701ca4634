import type { BeforeApplicationShutdown } from "@nestjs/common";
import type { Server, ServerResponse } from "node:http";
import { Server as TcpServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { RecentKey } from "../keys/bearer-key.js";

// Tracks the server's connections for graceful shutdown: requests in flight get their responses, idle connections are
// dropped soon. Node's close() alone waits for connections that never sent anything.

/** Maximum milliseconds to accept connections that were pending when the close began. */
const LAST_CONNECTIONS_MS = 500;

/** Milliseconds in which requests that are underway when the server closes may still arrive. */
const LAST_REQUESTS_MS = 250;

/** Milliseconds for clients to read the last responses. */
const LAST_RESPONSES_MS = 5_000;

/**
 * Maximum number of open connections. This bounds the memory of connections. For each one more, the one that has been
 * idle for the longest time is dropped: otherwise idle connections of one client would lock out all others.
 */
export const MAX_CONNECTIONS = 10_000;

/** Maximum number of pipelined requests of a connection. Node has no limit; legitimate clients never send this many. */
const MAX_PENDING = 100;

/** Maximum number of pipelined requests that wait for the ones before them, of all connections: each takes 1.5 kB. */
const MAX_WAITING = 10_000;

/** Maximum bytes of responses that clients haven't read, of all connections. Each has one response at a time. */
const MAX_UNSENT_BYTES = 64 * 2 ** 20;

/** Milliseconds in which a client must read something while there are more. */
const STALL_MS = 250;

export interface Connection {
  /** Bytes that were sent at the last look, if any were unsent. */
  sent: number | undefined;
  /** Requests without a complete response. */
  pending: number;
  /** The response to its newest request, whether begun or not. */
  newest: ServerResponse | undefined;
  /** Its framing was rejected: it is unclear where further requests begin. */
  isRejected: boolean;
  key: RecentKey;
}

/** Tracks connections from the server's start, so that it can close without waiting for idle ones. */
export class Connections implements BeforeApplicationShutdown {
  readonly #connections = new Map<Socket, Connection>();
  /** Those without a request in progress, the longest idle first. */
  readonly #idle = new Set<Socket>();
  readonly #servers: Server[] = [];
  /** Number of connections that were dropped, by reason. */
  readonly dropped = { too_many_connections: 0, too_many_requests: 0, too_many_unread_bytes: 0 };
  /** Whether too many bytes are unsent for another large response. */
  isFull = false;
  #accepted = 0;
  #waiting = 0;
  #watch: NodeJS.Timeout | undefined;
  #isClosing = false;
  #areIdleDropped = false;

  /** @param limit maximum number of open connections. @param maxWaiting maximum number of requests that wait in pipelines. */
  constructor(
    private readonly limit = MAX_CONNECTIONS,
    private readonly maxWaiting = MAX_WAITING,
  ) {}

  /** Tracks and limits the connections of a server. Call it before the server listens. */
  watch(server: Server): void {
    this.#servers.push(server);
    this.#watch ??= setInterval(() => this.#dropStalled(), STALL_MS).unref();
    server.on("connection", (socket: Socket) => {
      this.#accepted++;
      this.#connections.set(socket, {
        sent: undefined,
        pending: 0,
        newest: undefined,
        isRejected: false,
        key: new RecentKey(),
      });
      this.#idle.add(socket);
      socket.once("close", () => {
        this.#waiting -= Math.max(0, (this.#connections.get(socket)?.pending ?? 0) - 1);
        this.#connections.delete(socket);
        this.#idle.delete(socket);
      });
      if (this.#connections.size > this.limit) {
        this.dropped.too_many_connections++;
        // The new one itself, if all others have requests in progress.
        const [longestIdle = socket] = this.#idle;
        longestIdle.destroy();
        this.#connections.delete(longestIdle);
        this.#idle.delete(longestIdle);
      }
    });
  }

  get open(): number {
    return this.#connections.size;
  }

  /** Number of requests without a complete response. */
  get inFlight(): number {
    return [...this.#connections.values()].reduce((sum, { pending }) => sum + pending, 0);
  }

  /** State of a connection; undefined if it is closed. */
  find(socket: Socket): Connection | undefined {
    return this.#connections.get(socket);
  }

  /**
   * Stops listening, finishes requests that are in flight or arrive shortly, drops idle connections, and resolves when
   * the last response is complete. The wait for clients that don't read their responses is bounded.
   */
  async beforeApplicationShutdown(): Promise<void> {
    // Responses don't say "Connection: close" until the listener is closed: clients would reconnect to it.
    await this.#acceptWaiting();
    this.#isClosing = true;
    clearInterval(this.#watch);
    // On a busy machine the timer may fire before requests that have arrived are read.
    const dropIdle = setTimeout(() => setImmediate(() => this.#dropIdle()), LAST_REQUESTS_MS);
    const dropAll = setTimeout(() => this.#connections.forEach((_, socket) => socket.destroy()), LAST_RESPONSES_MS);
    // http.Server.close would drop connections whose next request was sent but not read yet.
    const closed = this.#servers.map(
      (server) => new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve())),
    );
    await Promise.all(closed);
    clearTimeout(dropIdle);
    clearTimeout(dropAll);
  }

  /** Accepts pending connections, one per turn of the event loop. Closing the listener would reset them. */
  async #acceptWaiting(): Promise<void> {
    const lastMs = performance.now() + LAST_CONNECTIONS_MS;
    let known = -1;
    while (known !== this.#accepted && performance.now() < lastMs) {
      known = this.#accepted;
      // The first one ends the turn in which the signal arrived.
      await nextTurn();
      await nextTurn();
    }
  }

  /** Drops those that read nothing since the last look, the ones with the most bytes first, while too many are unsent. */
  #dropStalled(): void {
    let unsent = 0;
    const stalled: Socket[] = [];
    for (const [socket, connection] of this.#connections) {
      const bytes = socket.writableLength;
      const sent = bytes === 0 ? undefined : socket.bytesWritten - bytes;
      if (sent !== undefined && sent === connection.sent) {
        stalled.push(socket);
      }
      connection.sent = sent;
      unsent += bytes;
    }
    this.isFull = unsent > MAX_UNSENT_BYTES;
    stalled.sort((a, b) => b.writableLength - a.writableLength);
    for (const socket of this.isFull ? stalled : []) {
      unsent -= socket.writableLength;
      this.dropped.too_many_unread_bytes++;
      socket.destroy();
      if (unsent <= MAX_UNSENT_BYTES) {
        break;
      }
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

  /** Counts a request; undefined if its connection is already closed. */
  begin(socket: Socket, response: ServerResponse): Connection | undefined {
    const connection = this.#connections.get(socket);
    if (connection === undefined) {
      return undefined;
    }
    this.#waiting += connection.pending === 0 ? 0 : 1;
    connection.pending++;
    this.#idle.delete(socket);
    connection.newest = response;
    const isTooMuch = connection.pending > MAX_PENDING || (connection.pending > 1 && this.#waiting > this.maxWaiting);
    if (isTooMuch && !socket.destroyed) {
      this.dropped.too_many_requests++;
      socket.destroy();
    }
    if (this.#isClosing) {
      response.shouldKeepAlive = false;
    }
    return connection;
  }

  /** Counts a finished response. */
  end(connection: Connection | undefined, socket: Socket): void {
    if (connection === undefined) {
      return;
    }
    connection.pending--;
    if (connection.pending === 0 && this.#connections.has(socket)) {
      this.#idle.add(socket);
    } else if (this.#connections.has(socket)) {
      this.#waiting--;
    }
    if (this.#areIdleDropped && connection.pending === 0 && !socket.destroyed) {
      socket.end(() => socket.destroy());
    }
  }
}
