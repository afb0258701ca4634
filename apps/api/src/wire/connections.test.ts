import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Connections, MAX_CONNECTIONS } from "./connections.js";

// The limit, with a small number. The rest of this class is tested over the running service.

const LIMIT = 2;
const MAX_WAITING = 3;
let connections: Connections;
let port: number;
let sockets: Socket[];
/** Whether requests get no response. */
let isBusy: boolean;

beforeEach(async () => {
  connections = new Connections(LIMIT, MAX_WAITING);
  sockets = [];
  isBusy = false;
  const server = createServer((request, response) => {
    const connection = connections.begin(request.socket, response);
    response.on("close", () => connections.end(connection, request.socket));
    if (!isBusy) {
      response.end("hello");
    }
  });
  connections.watch(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
});

afterEach(async () => {
  sockets.forEach((socket) => socket.destroy());
  await connections.beforeApplicationShutdown();
});

/** What comes back on a new connection, which stays open: `hello`, or nothing when it is dropped. */
async function greetedBy(): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  // A dropped connection may be reset.
  socket.on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await Promise.race([once(socket, "close"), once(socket, "data")]);
  return text.endsWith("hello") ? "hello" : text;
}

test("one connection more than the limit replaces the one that was idle for the longest time, and is counted", async () => {
  expect([await greetedBy(), await greetedBy()]).toEqual(["hello", "hello"]);
  const [first, second] = sockets;
  // The first is used again, so the second is idle for longer.
  first?.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  expect(String((await once(first as Socket, "data"))[0])).toMatch(/hello$/);
  expect([connections.open, connections.dropped.too_many_connections]).toEqual([LIMIT, 0]);
  const closed = once(second as Socket, "close");
  expect(await greetedBy()).toBe("hello");
  await closed;
  expect([connections.open, connections.dropped.too_many_connections]).toEqual([LIMIT, 1]);
  first?.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  expect(String((await once(first as Socket, "data"))[0])).toMatch(/hello$/);
});

test("a new connection is dropped if all others have requests in progress", async () => {
  isBusy = true;
  void greetedBy();
  void greetedBy();
  await expect.poll(() => connections.inFlight).toBe(LIMIT);
  expect(await greetedBy()).toBe("");
  expect([connections.open, connections.dropped.too_many_connections]).toEqual([LIMIT, 1]);
});

test("pipelined requests of all connections have a limit: the one that goes beyond it is dropped and counted", async () => {
  isBusy = true;
  void greetedBy();
  void greetedBy();
  await expect.poll(() => connections.inFlight).toBe(LIMIT);
  const [first, second] = sockets;
  const pipeline = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  first?.write(pipeline.repeat(MAX_WAITING - 1));
  await expect.poll(() => connections.inFlight).toBe(LIMIT + MAX_WAITING - 1);
  const closed = once(second as Socket, "close");
  second?.write(pipeline.repeat(2));
  await closed;
  await expect.poll(() => connections.inFlight).toBe(MAX_WAITING);
  expect(connections.dropped.too_many_requests).toBe(1);
  // What was dropped no longer counts.
  first?.write(pipeline);
  await expect.poll(() => connections.inFlight).toBe(1 + MAX_WAITING);
  expect(first?.destroyed).toBe(false);
});

test("a connection that ends makes room for another", async () => {
  expect([await greetedBy(), await greetedBy()]).toEqual(["hello", "hello"]);
  sockets[0]?.destroy();
  await expect.poll(() => connections.open).toBe(LIMIT - 1);
  expect(await greetedBy()).toBe("hello");
  expect(connections.dropped.too_many_connections).toBe(0);
});

test("the limit of the service is 10,000", () => {
  expect(MAX_CONNECTIONS).toBe(10_000);
});
