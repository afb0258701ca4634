import { isClientError, type ClientError, type ClientErrorKind } from "../src/index.ts";

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
