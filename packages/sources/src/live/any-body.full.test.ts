// All cases, by TEST_SUITE.
import "./any-body.test.js";
