import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";

/** Lets a server listen on a loopback port, by default a free one, and returns the port. */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** An unused loopback port. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, "close");
  return port;
}
