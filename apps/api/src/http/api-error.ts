import { ERRORS, type ErrorBody, type ErrorCode, type ErrorDetail } from "@gpu-offers/domain";
import { withoutKeys } from "./without-keys.js";

/** An answer of 400 or above: thrown anywhere, written by the error filter. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;

  /**
   * @param code Decides the HTTP status.
   * @param message Sentence for the caller; names no internals.
   * @param details All faults that can be named.
   * @param headers Response headers that belong to the error, such as Allow.
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = ERRORS[code].status;
  }

  /** The body of the answer. */
  toBody(requestId: string): ErrorBody {
    return {
      code: this.code,
      message: withoutKeys(this.message),
      ...(this.details.length > 0 ? { details: this.details.map(withoutKeysOf) } : {}),
      requestId,
    };
  }
}

/** A fault repeats what the caller wrote. */
function withoutKeysOf({ in: where, name, reason }: ErrorDetail): ErrorDetail {
  return { in: where, name: withoutKeys(name), reason: withoutKeys(reason) };
}

/** Message of every 401. */
export const KEY_NEEDED = "A valid API key is needed: send Authorization: Bearer <key>.";

/** What is said where nobody knows more than an HTTP status. */
const MESSAGES = {
  bad_request: "The request could not be read as HTTP.",
  not_found: "Nothing lies at this path; /docs lists what there is.",
  request_timeout: "The request did not arrive in time.",
  uri_too_long: "The request line is too long.",
  expectation_failed: "Only 100-continue can be expected.",
  headers_too_large: "The request headers are too large.",
  unavailable: "The service cannot answer now; try again.",
} satisfies Partial<Record<ErrorCode, string>>;

const CODE_BY_STATUS = new Map<number, keyof typeof MESSAGES>(
  // The keys of a literal are the names of its type.
  (Object.keys(MESSAGES) as (keyof typeof MESSAGES)[]).map((code) => [ERRORS[code].status, code]),
);

/** The error that stands for a bare HTTP status: of the framework, the parser or the socket. */
export function errorOfStatus(status: number): ApiError {
  const code = CODE_BY_STATUS.get(status);
  if (code === undefined) {
    return status >= 400 && status < 500
      ? new ApiError("bad_request", "The request could not be answered as it is.")
      : new ApiError("internal_error", "The service failed. The request id finds it in the log.");
  }
  return new ApiError(code, MESSAGES[code], [], code === "unavailable" ? { "Retry-After": "5" } : {});
}
