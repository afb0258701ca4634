import { Box, Text } from "ink";
import type { ReactElement } from "react";
import type { Line } from "./line.js";
import type { Theme } from "./theme.js";

/** Lines of the screen, one below the other. A Text for each of them, not a Box for each cell: those cost twice. */
export function Rows({ rows, theme, columns }: { rows: readonly Line[]; theme: Theme; columns: number }): ReactElement {
  return (
    <Box flexDirection="column" width={columns}>
      {rows.map((row, place) => (
        // oxlint-disable-next-line no-array-index-key -- a row has no other identity than its place
        <Text key={place} wrap="truncate">
          {row.length === 0
            ? " "
            : row.map(({ text, role }, index) => (
                // oxlint-disable-next-line no-array-index-key -- nor have the pieces of one
                <Text key={index} {...theme[role]}>
                  {text}
                </Text>
              ))}
        </Text>
      ))}
    </Box>
  );
}
