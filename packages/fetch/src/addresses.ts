import { lookup } from "node:dns/promises";
import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import ipaddr from "ipaddr.js";
import { TransportError } from "./transport-error.js";

// Prevents requests into the operator's own network (SSRF), also through a provider's name, a redirect or DNS rebinding:
// the address that is checked is the one that is connected to.

export type Resolve = (host: string) => Promise<LookupAddress[]>;

/** Resolves with the operating system's resolver. */
export const resolveHost: Resolve = (host) => lookup(host, { all: true });

/** The addresses of IPv6 that are assigned to the internet; everything else is reserved (RFC 4291, 2.4). */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

/** Public addresses at which clouds serve data of their own machines: Azure's virtual host. */
const HOST_SERVICES = new Set(["168.63.129.16"]);

/** Whether an address is one of the public internet: not private, loopback, link-local, mapped or reserved. */
export function isPublicAddress(address: string): boolean {
  // The library takes the deprecated `::192.0.2.1` for a mapped IPv4 address.
  if (!ipaddr.isValid(address) || /^::(?!ffff:)/i.test(address)) {
    return false;
  }
  // An IPv4-mapped IPv6 address is checked as IPv4.
  const parsed = ipaddr.process(address);
  const isGlobal = parsed.kind() === "ipv4" || parsed.match(GLOBAL_IPV6);
  return isGlobal && parsed.range() === "unicast" && !HOST_SERVICES.has(parsed.toString());
}

/** Rejects a URL whose host is a non-public address. Names are checked when they are resolved. */
export function checkHost(url: URL): void {
  const host = url.hostname.replaceAll(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !isPublicAddress(host)) {
    throw privateAddress();
  }
}

/** A lookup function for connections that fails unless every address of the host is public, or `allowPrivate`. */
export function checkedLookup(resolve: Resolve, allowPrivate: boolean): LookupFunction {
  const lookupPublic = callbackify((host: string) => resolveChecked(host, resolve, allowPrivate));
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

async function resolveChecked(host: string, resolve: Resolve, allowPrivate: boolean): Promise<LookupAddress[]> {
  const addresses = await resolve(host);
  if (addresses.length === 0) {
    throw new TransportError("dns", "The provider's host has no address.", { isRetryable: true });
  }
  if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw privateAddress();
  }
  return addresses;
}

function privateAddress(): TransportError {
  return new TransportError("private_address", "The provider's host resolves to an address that is not public.");
}
