import {
  createClient,
  isClientError,
  type Client,
  type ClientError,
  type ClientErrorKind,
  type ClientOptions,
} from "../src/index.ts";
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

/** The error that a call rejects with. */
export async function rejection(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("The call was expected to reject, and it did not.");
}

/** The client error of a kind that a call rejects with. */
export async function failure<Kind extends ClientErrorKind>(
  kind: Kind,
  call: Promise<unknown>,
): Promise<Extract<ClientError, { kind: Kind }>> {
  const error = await rejection(call);
  if (!isClientError(error) || error.kind !== kind) {
    throw new Error(`The call was expected to reject with kind ${kind}.`, { cause: error });
  }
  return error as Extract<ClientError, { kind: Kind }>;
}
