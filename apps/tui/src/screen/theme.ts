import type { TextProps } from "ink";
import { createContext } from "react";
import type { Role } from "../text/pieces.js";

/** Styles of text roles. Without color, they differ by weight, inversion and underline. */
export type Theme = Readonly<Record<Role, Omit<TextProps, "children">>>;

/** The two of the 16 colors that are readable on white and on black: yellow and cyan are not, on white. */
export const COLORED: Theme = {
  plain: {},
  strong: { bold: true },
  muted: { dimColor: true },
  accent: { color: "magenta" },
  warning: { color: "red", bold: true },
  match: { color: "magenta", underline: true },
  cursor: { inverse: true },
};

const UNCOLORED: Theme = {
  plain: {},
  strong: { bold: true },
  muted: {},
  accent: { bold: true },
  warning: { bold: true },
  match: { underline: true },
  cursor: { inverse: true },
};

/** The theme for the environment: NO_COLOR and FORCE_COLOR, as specified by no-color.org and Node. */
export function themeFor(environment: Readonly<Record<string, string | undefined>>): Theme {
  const { NO_COLOR: none = "", FORCE_COLOR: force } = environment;
  if (force !== undefined) {
    return force === "0" || force === "false" ? UNCOLORED : COLORED;
  }
  return none === "" ? COLORED : UNCOLORED;
}

/** The theme of the screen. */
export const ThemeContext = createContext<Theme>(COLORED);
