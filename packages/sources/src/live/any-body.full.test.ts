// All cases, by TEST_SUITE.
await import("./any-body.test.js");
