import { reasonOf } from "@gpu-offers/domain";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import type { LiveSource } from "@gpu-offers/sources";

// Keys of providers' APIs, from environment variables or the files they name (as Docker and systemd pass secrets). Only
// the source that needs a secret gets it, and secrets are redacted from all output.

/** Minimum length of redacted secrets; shorter ones could match ordinary words. */
const SHORTEST_REDACTED = 4;

/** The secrets that a set of sources may use. */
export class Secrets {
  readonly #values = new Map<string, string>();
  /** Errors of unreadable files, by secret name. */
  readonly #problems = new Map<string, string>();
  readonly #patterns: string[];

  constructor(sources: readonly LiveSource[], environment: Readonly<Record<string, string | undefined>>) {
    const names = new Set(sources.flatMap(({ secrets, optionalSecrets }) => [...secrets, ...optionalSecrets]));
    for (const name of names) {
      const value = this.#read(name, environment);
      if (value !== "") {
        this.#values.set(name, value);
      }
    }
    this.#patterns = [...this.#values.values()]
      .flatMap((value) =>
        value.length < SHORTEST_REDACTED
          ? []
          : [value, encodeURIComponent(value), Buffer.from(value).toString("base64")],
      )
      .sort((a, b) => b.length - a.length);
  }

  #read(name: string, environment: Readonly<Record<string, string | undefined>>): string {
    const value = environment[name] ?? "";
    const file = environment[`${name}_FILE`] ?? "";
    if (value !== "" || file === "") {
      return value.trim();
    }
    try {
      return readFileSync(file, "utf8").trim();
    } catch (error) {
      this.#problems.set(name, `${name}_FILE cannot be read: ${reasonOf(error)}.`);
      return "";
    }
  }

  of({ secrets, optionalSecrets }: LiveSource): Record<string, string> {
    return Object.fromEntries(
      [...secrets, ...optionalSecrets].flatMap((name) => {
        const value = this.#values.get(name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  }

  /** A sentence about the source's missing secrets; undefined if none are missing. */
  missing({ secrets }: LiveSource): string | undefined {
    const names = secrets.filter((name) => !this.#values.has(name));
    const problem = names.map((name) => this.#problems.get(name)).find((text) => text !== undefined);
    return names.length === 0
      ? undefined
      : (problem ?? `Set ${names.join(" and ")} (or ${names.map((name) => `${name}_FILE`).join(", ")}).`);
  }

  /** A fingerprint of a source's secrets, to detect changes; empty without secrets. */
  fingerprintOf(source: LiveSource, salt: string): string {
    const values = Object.entries(this.of(source));
    return values.length === 0
      ? ""
      : createHmac("sha256", `gpu-offers ${salt}`).update(JSON.stringify(values)).digest("hex").slice(0, 16);
  }

  redact(text: string): string {
    return this.#patterns.reduce((redacted, secret) => redacted.replaceAll(secret, "***"), text);
  }

  /** An error's copy for the log, with secrets redacted in its message and stack. */
  redactError({ name, message, stack = "" }: Error): Error {
    return Object.assign(new Error(this.redact(message)), { name, stack: this.redact(stack) });
  }
}
