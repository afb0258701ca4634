import { testAnyBody } from "./any-body.fixture.js";

testAnyBody(1);
