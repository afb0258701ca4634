import { lookup } from "node:dns/promises";
import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import ipaddr from "ipaddr.js";
import { TransportError } from "./transport-error.js";

// Prevents requests into the operator's own network (SSRF), also through a provider's name, a redirect or DNS rebinding:
// the address that is checked is the one that is connected to.

/** Resolves all addresses of a host. */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

/** Resolves with the operating system's resolver. */
export const resolveHost: Resolve = (host) => lookup(host, { all: true });

/** Whether an address is one of the public internet: not private, loopback, link-local, mapped or reserved. */
export function isPublicAddress(address: string): boolean {
  // An IPv4-mapped IPv6 address is checked as IPv4.
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast";
}

/** Rejects a URL whose host is a non-public address. Names are checked when they are resolved. */
export function checkHost(url: URL): void {
  const host = url.hostname.replaceAll(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !isPublicAddress(host)) {
    throw privateAddress();
  }
}

/** A lookup function for connections that fails unless every address of the host is public. */
export function publicLookup(resolve: Resolve): LookupFunction {
  const lookupPublic = callbackify((host: string) => resolvePublic(host, resolve));
  return (host, options, callback) => {
    lookupPublic(host, (error: Error | null, addresses: LookupAddress[]) => {
      const [first] = addresses ?? [];
      if (first === undefined) {
        callback(error, "", 0);
      } else if (options.all === true) {
        callback(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}

async function resolvePublic(host: string, resolve: Resolve): Promise<LookupAddress[]> {
  const addresses = await resolve(host);
  if (addresses.length === 0) {
    throw new TransportError("dns", "The provider's host has no address.", { isRetryable: true });
  }
  if (!addresses.every(({ address }) => isPublicAddress(address))) {
    throw privateAddress();
  }
  return addresses;
}

function privateAddress(): TransportError {
  return new TransportError("private_address", "The provider's host resolves to an address that is not public.");
}
