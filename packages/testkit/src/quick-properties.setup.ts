import * as fc from "fast-check";

// For mutation runs, which repeat each test for hundreds of changes: a failing property isn't shrunk, and one that passes
// ends after 0.3 s.
fc.configureGlobal({ endOnFailure: true, interruptAfterTimeLimit: 300 });
