import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PACKAGE_FOLDER } from "./package-folder.js";

// The message that the service prints when it is ready.

/** The folder of the admin command, which scripts/package.mjs creates next to the build. */
const COMMANDS = fileURLToPath(new URL("bin", PACKAGE_FOLDER));

/**
 * First steps with a service at a URL.
 * @param hasPage whether the URL is that of the page for browsers.
 * @param path value of `PATH`.
 */
export function greeting(url: string, offers: number, hasPage: boolean, path: string): string {
  return `
  gpu-offers serves ${offers.toLocaleString("en-US")} offers

    ${hasPage ? "page   " : "address"}   ${url}
    docs      ${url}/docs
    OpenAPI   ${url}/openapi.json

  Try:
    curl '${url}/api/v1/offers?gpu=h100,h100-pcie,h100-sxm,h100-nvl&continent=Europe&size=1'
    curl '${url}/api/v1/providers'
    ${adminCommand(path)} catalog status

  Get live prices:
    ${adminCommand(path)} source enable --keyless

`;
}

/** The message of a process that only syncs. */
export function syncGreeting(url: string): string {
  return `
  gpu-offers syncs live sources and serves no offers (LIVE_SYNC=only)

    address   ${url}
    health    ${url}/health/ready
    metrics   ${url}/metrics

`;
}

/** The operator's command: its name in the image, its path in a package, its wrapper in the repository. */
function adminCommand(path: string): string {
  const file = join(COMMANDS, "gpu-offers-admin");
  if (!existsSync(file)) {
    return "bin/gpu-offers-admin";
  }
  return path.split(delimiter).includes(COMMANDS) ? "gpu-offers-admin" : file;
}
