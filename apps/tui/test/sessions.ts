import { beforeAll } from "vitest";
import { keyWithCredit } from "@gpu-offers/testkit/accounts";
import { startService } from "@gpu-offers/testkit/service";
import { openShell, type PickerShell } from "./picker-shell.ts";

/** Sessions against a real service with an account. */
export interface Sessions {
  /** The settings of the picker. */
  settings: () => Record<string, string>;
  /** Opens a shell with the picker's settings, and others. */
  open: (others?: Readonly<Record<string, string>>) => PickerShell;
}

/** Starts a service before the tests of a file. */
export function useSessions(): Sessions {
  let settings: Record<string, string> = {};
  beforeAll(async () => {
    const service = await startService();
    settings = { GPU_OFFERS_URL: service.url, GPU_OFFERS_API_KEY: await keyWithCredit(service, "212.40") };
  });
  return { settings: () => settings, open: (others = {}) => openShell({ ...settings, ...others }) };
}
