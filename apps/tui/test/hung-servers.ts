import { customResponse, startFake, type FakeService } from "./fake-service.ts";

/** Servers that never respond to a request. */
export interface HungServers {
  /** Accepts connections, and sends nothing. */
  silent: FakeService;
  /** Begins a response that never ends. */
  stuck: FakeService;
}

/** Starts one of each kind for a file: what ends with a test can't be told apart among tests that run at the same time. */
export async function startHungServers(): Promise<HungServers> {
  const [silent, stuck] = await Promise.all([startFake(), startFake()]);
  silent.intercept = () => true;
  stuck.intercept = customResponse((response) =>
    response.writeHead(200, { "content-type": "application/json" }).write("{"),
  );
  return { silent, stuck };
}
