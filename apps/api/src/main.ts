#!/usr/bin/env node
import "./node-version.js";
import { readFileSync } from "node:fs";
import { liveSources } from "@gpu-offers/sources";
import { LiveSettingsFile } from "./live/live-settings.js";
import { serve, syncOnly } from "./serve.js";
import { ConfigError, readConfig, type Config } from "./config.js";
import { DatabaseError, isUnreachable, reasonOf } from "./store/database-error.js";

// The service as a process: reads its settings, serves until it is told to stop.

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

function fail(code: number, message: string): never {
  process.stderr.write(`${message.replaceAll(/^/gm, "gpu-offers: ")}\n`);
  process.exit(code);
}

function configOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) {
      fail(2, `${error.message}\nSee docs/configuration.md.`);
    }
    throw error;
  }
}

const config = configOrExit();
try {
  // A mistake in the file of sources is one of the settings.
  LiveSettingsFile.read(liveSources, config);
  await (config.LIVE_SYNC === "only" ? syncOnly : serve)(config, version);
} catch (error) {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (error instanceof ConfigError) {
    fail(2, error.message);
  } else if (error instanceof DatabaseError) {
    fail(1, error.message);
  } else if (code === "EADDRINUSE") {
    fail(1, `port ${config.PORT} on ${config.HOST} is in use; set PORT to another one, or 0 for any.`);
  } else if (
    error instanceof Error &&
    "syscall" in error &&
    /^(?:listen|bind|getaddrinfo)$/.test(String(error.syscall))
  ) {
    fail(1, `cannot listen on ${config.HOST}:${config.PORT} (${String(code)}); set HOST and PORT.`);
  } else if (isUnreachable(error)) {
    fail(1, `cannot read the database: ${reasonOf(error)}`);
  }
  throw error;
}
