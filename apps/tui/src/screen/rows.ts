import { Box, Text } from "ink";
import { createElement, type ReactElement } from "react";
import type { Line } from "./line.js";
import type { Theme } from "./theme.js";

/**
 * Lines of the screen, one below the other. A Text for each of them, not a Box for each cell: those cost twice. Lines and
 * their pieces have no identity but their place, so they are children without keys, which JSX cannot write of a list.
 */
export function drawRows(rows: readonly Line[], theme: Theme, columns: number): ReactElement {
  return createElement(
    Box,
    { flexDirection: "column", width: columns },
    ...rows.map((row) =>
      createElement(
        Text,
        { wrap: "truncate" },
        ...(row.length === 0 ? [" "] : row.map(({ text, role }) => createElement(Text, theme[role], text))),
      ),
    ),
  );
}
