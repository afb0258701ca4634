import { expect, test } from "vitest";
import { bareAddress } from "./client-address.js";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["192.0.2.7:4711", "192.0.2.7"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["[2001:db8::1]:4711", "2001:db8::1"],
  ["2001:db8::1", "2001:db8::1"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["[::FFFF:192.0.2.7]:4711", "192.0.2.7"],
  ["unknown", "unknown"],
  ["_hidden:4711", "_hidden:4711"],
  ["192.0.2.7:x", "192.0.2.7:x"],
  ["", ""],
])("the address in %j is %j", (text, address) => {
  expect(bareAddress(text)).toBe(address);
});
