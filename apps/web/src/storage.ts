// What the browser remembers. Browsers that block storage throw when a script asks for it; the page then remembers nothing
// beyond itself.

type Remembered = Pick<Storage, "getItem" | "setItem" | "removeItem">;

function storageOf(kind: "localStorage" | "sessionStorage"): Remembered {
  try {
    return globalThis[kind];
  } catch {
    const items = new Map<string, string>();
    return {
      getItem: (name) => items.get(name) ?? null,
      setItem: (name, text) => void items.set(name, text),
      removeItem: (name) => void items.delete(name),
    };
  }
}

/** Of this browser. */
export const browserStorage = storageOf("localStorage");

/** Of this tab, until it is closed. */
export const tabStorage = storageOf("sessionStorage");
