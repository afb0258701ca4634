import { Box, Text } from "ink";
import { memo, type ReactElement } from "react";
import type { PickerState } from "../picker/state.js";
import type { Line } from "./line.js";
import { screenLines } from "./screen-lines.js";
import type { Theme } from "./theme.js";

interface RowProps {
  row: Line;
  theme: Theme;
}

/** One line of the screen. A Text for each row, not a Box for each cell: those cost twice. */
const Row = memo(
  ({ row, theme }: RowProps): ReactElement => (
    <Text wrap="truncate">
      {row.length === 0
        ? " "
        : row.map(({ text, role }, index) => (
            // oxlint-disable-next-line no-array-index-key -- pieces have no other identity than their place
            <Text key={index} {...theme[role]}>
              {text}
            </Text>
          ))}
    </Text>
  ),
  // A row that reads the same is the same: React then leaves it alone, and Ink what it has measured.
  (before, after) => before.theme === after.theme && JSON.stringify(before.row) === JSON.stringify(after.row),
);

function Rows({ rows, theme }: { rows: readonly Line[]; theme: Theme }): ReactElement[] {
  // oxlint-disable-next-line no-array-index-key -- a row of the screen is its place
  return rows.map((row, index) => <Row key={index} row={row} theme={theme} />);
}

/** The whole screen of a state. */
export function App({ state, theme }: { state: PickerState; theme: Theme }): ReactElement {
  const { top, body, side, bottom } = screenLines(state);
  return (
    <Box flexDirection="column" width={state.columns}>
      <Rows rows={top} theme={theme} />
      <Box>
        <Box flexDirection="column" flexGrow={1}>
          <Rows rows={body} theme={theme} />
        </Box>
        {side === undefined ? null : (
          <Box flexDirection="column" flexShrink={0}>
            <Rows rows={side} theme={theme} />
          </Box>
        )}
      </Box>
      <Rows rows={bottom} theme={theme} />
    </Box>
  );
}
