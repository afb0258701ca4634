import { testAnyBody } from "./any-body.fixture.js";

// A thirtieth of the long run, so that most crashes of a reader are found before a merge.
testAnyBody(1 / 30);
