type TransportCode =
  | "dns"
  | "network"
  | "timeout"
  | "private_address"
  | "not_https"
  | "foreign_host"
  | "too_many_redirects"
  | "too_large"
  | "bad_encoding"
  | "unauthorized"
  | "rate_limited"
  | "http_error";

type TransportErrorOptions = Partial<Pick<TransportError, "isRetryable" | "status" | "retryAfterMs" | "host">>;

/** A failed request. The message is one sentence without URLs, hosts and secrets. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  /** Whether a retry may succeed. */
  readonly isRetryable: boolean;
  /** Status of the response; undefined if there was none. */
  readonly status: number | undefined;
  /** Milliseconds to wait before a retry, if the server states them. */
  readonly retryAfterMs: number | undefined;
  /** The host that the request was sent to, if it could not be resolved. */
  readonly host: string | undefined;

  constructor(
    readonly code: TransportCode,
    message: string,
    { isRetryable = false, status, retryAfterMs, host }: TransportErrorOptions = {},
  ) {
    super(message);
    this.isRetryable = isRetryable;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.host = host;
  }
}
