import { createClient, type Client, type ClientOptions } from "../src/index.ts";
import { offersOf, pageOf } from "@gpu-offers/testkit/offers";
import { startServer, type Handler, type TestServer } from "@gpu-offers/testkit/http-server";

/** A response to a list query. */
export const list = pageOf(offersOf(3));

/** A client of a server with this handler, by default without retries. */
export async function clientOf(
  handle: Handler,
  options: Partial<ClientOptions> = {},
): Promise<{ server: TestServer; client: Client }> {
  const server = await startServer(handle);
  return { server, client: createClient({ baseUrl: server.url, retries: 0, ...options }) };
}
