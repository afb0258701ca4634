import { testAnyBody } from "./any-body.fixture.js";

// A thirtieth of the long run, so that a reader that throws is found before it is merged.
testAnyBody(1 / 30);
