import { expect, test } from "vitest";
import { networkOf } from "./rate-limit.js";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:0DB8:0:0000::1", "2001:db8:0:0::/64"],
  ["2001:db8:0:0:0:0:192.0.2.1", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::", "fe80:0:0:0::/64"],
  ["unknown", "no address"],
  ["6f1c2a0e-8f5b-4d0a-9f43-1d2f3a4b5c6d", "no address"],
])("the caller at %s is counted as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
