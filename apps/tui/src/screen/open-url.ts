import { spawn } from "node:child_process";

type Environment = Readonly<Record<string, string | undefined>>;

/** The command that opens an address; undefined if there is no screen to open it on. */
function openerOf({ BROWSER = "", DISPLAY = "", WAYLAND_DISPLAY = "" }: Environment): string | undefined {
  const [browser = ""] = BROWSER.split(":");
  if (browser !== "") {
    return browser;
  }
  if (process.platform === "darwin") {
    return "open";
  }
  return DISPLAY + WAYLAND_DISPLAY === "" ? undefined : "xdg-open";
}

/** Opens an address in the browser of the desktop, or of BROWSER. Resolves with whether there is one. */
export function openUrl(url: string, environment: Environment): Promise<boolean> {
  const opener = openerOf(environment);
  return new Promise((resolve) => {
    if (opener === undefined) {
      resolve(false);
      return;
    }
    const child = spawn(opener, [url], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => resolve(true));
    child.unref();
  });
}
