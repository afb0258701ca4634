import type { GpuAliases, KeptResponse, LiveContext, LiveRequest, LiveSource } from "@gpu-offers/sources";
import { systemClock, type Clock } from "./clock.js";
import type { LiveSettingsFile, SourceSettings } from "./live-settings.js";
import type { Secrets } from "./secrets.js";
import { RunError, runSource, type FetchedRun } from "./source-run.js";
import { Transport, type TransportOptions, type TransportResponse } from "./transport.js";
import { readFileSync } from "node:fs";

// Fetches sources over the network, with the operator's settings and secrets. It knows no database.

/** Maximum duration of a source's run. */
const RUN_MS = 180_000;

export interface FetcherOptions {
  settings: LiveSettingsFile;
  /** GPU names that the operator defined. */
  gpuAliases: GpuAliases;
  secrets: Secrets;
  /** Whether sources may be fetched over http and from private addresses. */
  allowPrivate: boolean;
  clock?: Clock;
  /** Limits and DNS lookup of the transport, for tests. */
  transport?: Pick<TransportOptions, "limits" | "resolve">;
  /** Called after each request, with its HTTP status or its failure. */
  onRequest?: (source: LiveSource, status: string) => void;
}

interface FetchOptions {
  /** By default those of the operator. */
  settings?: SourceSettings;
  /** Responses of the last run, by the keys of their requests. */
  known?: ReadonlyMap<string, KeptResponse>;
  signal?: AbortSignal | undefined;
  onResponse?: (request: LiveRequest, response: TransportResponse) => Promise<void>;
}

export class SourceFetcher {
  constructor(private readonly options: FetcherOptions) {}

  settingsOf(source: LiveSource): SourceSettings {
    return this.options.settings.of(source);
  }

  /** A sentence about the source's missing secrets; undefined if it can run. */
  missingSecrets(source: LiveSource): string | undefined {
    return this.options.secrets.missing(source);
  }

  /** Input from which a source builds its requests. */
  contextOf(source: LiveSource, settings = this.settingsOf(source)): LiveContext {
    const { secrets, gpuAliases: aliases } = this.options;
    return { secrets: secrets.of(source), settings: settings.own, aliases, recorded: false };
  }

  /** Fetches a source once. @throws RunError without secrets. */
  async fetch(source: LiveSource, { settings, known, signal, onResponse }: FetchOptions = {}): Promise<FetchedRun> {
    const missing = this.missingSecrets(source);
    if (missing !== undefined) {
      throw new RunError("needs_key", missing);
    }
    const transport = this.#transportFor(source, signal);
    try {
      return await runSource(
        source,
        this.contextOf(source, settings),
        async (request, validators) => {
          const response = await transport.send(request, validators);
          await onResponse?.(request, response);
          return response;
        },
        known,
      );
    } catch (error) {
      throw error instanceof RunError ? this.#redacted(error) : error;
    } finally {
      await transport.close();
    }
  }

  #transportFor(source: LiveSource, signal: AbortSignal | undefined): Transport {
    const { allowPrivate, clock = systemClock, transport, onRequest } = this.options;
    const timeout = AbortSignal.timeout(RUN_MS);
    return new Transport({
      hosts: source.hosts,
      maxBytes: source.maxBytes,
      spacingMs: source.spacingMs,
      base: this.settingsOf(source).base,
      allowPrivate,
      userAgent: `gpu-offers/${VERSION}`,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      clock,
      onAttempt: (status) => onRequest?.(source, status),
      ...transport,
    });
  }

  /** Redacts secrets, which a provider's response may contain and an error may quote. */
  #redacted({ code, message, isRejected, retryAfterMs, cause }: RunError): RunError {
    const { secrets } = this.options;
    const redacted = cause instanceof Error ? { cause: secrets.redactError(cause) } : {};
    return new RunError(code, secrets.redact(message), { isRejected, retryAfterMs, ...redacted });
  }
}

/** Version that providers read in the `User-Agent`: that of the package which contains this file, or its bundle. */
export const { version: VERSION } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
