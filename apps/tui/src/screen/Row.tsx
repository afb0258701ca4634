import { Box, Text } from "ink";
import { memo, useContext, type ReactElement } from "react";
import { clip, isSameRow, padded, type Pieces } from "../text/pieces.js";
import { ThemeContext } from "./theme.js";

interface RowProps {
  pieces: Pieces;
  /** Whether it is the row under the cursor, highlighted from edge to edge. */
  isCurrent?: boolean;
}

/** A row of the screen. A single Text, because a Box per cell takes twice as long. */
export const Row = memo(function Row({ pieces, isCurrent = false }: RowProps): ReactElement {
  const theme = useContext(ThemeContext);
  return (
    <Text wrap="truncate" inverse={isCurrent}>
      {pieces.length === 0
        ? " "
        : pieces.map(({ text, role }, index) =>
            role === "plain" ? (
              text
            ) : (
              <Text key={index} {...theme[role]}>
                {text}
              </Text>
            ),
          )}
    </Text>
  );
}, isSameProps);

function isSameProps(before: RowProps, now: RowProps): boolean {
  return before.isCurrent === now.isCurrent && isSameRow(before.pieces, now.pieces);
}

interface RowsProps {
  rows: readonly Pieces[];
  width: number;
  /** Number of rows, by default as many as there are. */
  height?: number;
  /** Index of the highlighted row. */
  current?: number | undefined;
}

/** A list of rows, keyed by position, truncated to its size or padded to its height. */
export function Rows({ rows, width, height = rows.length, current }: RowsProps): ReactElement {
  return (
    <Box flexDirection="column" width={width}>
      {padded(rows, height).map((pieces, index) => (
        <Row key={index} pieces={clip(pieces, width)} isCurrent={index === current} />
      ))}
    </Box>
  );
}
