import { Box, Text } from "ink";
import { memo, type ReactElement } from "react";
import { isSameRow, type Pieces } from "./pieces.js";
import { useTheme } from "./theme.js";

interface RowProps {
  pieces: Pieces;
  /** Highlighted from edge to edge: the row under the cursor. */
  isCurrent?: boolean;
}

/** One row of the screen. A single Text, not a Box for each cell: those cost twice. */
export const Row = memo(function Row({ pieces, isCurrent = false }: RowProps): ReactElement {
  const theme = useTheme();
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
  /** Index of the row that is highlighted. */
  current?: number | undefined;
}

/** Rows one below the other. They have no identity but their place. */
export function Rows({ rows, width, current }: RowsProps): ReactElement {
  return (
    <Box flexDirection="column" width={width}>
      {rows.map((pieces, index) => (
        <Row key={index} pieces={pieces} isCurrent={index === current} />
      ))}
    </Box>
  );
}
