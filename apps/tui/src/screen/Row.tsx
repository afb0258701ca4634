import { Box, Text, type TextProps } from "ink";
import { createContext, memo, useContext, type ReactElement } from "react";
import { clip, isSameRow, padded, type Pieces, type Role } from "../text/pieces.js";

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

export const ThemeContext = createContext<Theme>(COLORED);

interface RowProps {
  pieces: Pieces;
  /** Whether it is the row under the cursor, highlighted from edge to edge. */
  isCurrent?: boolean;
}

/** A row of the screen. A single Text, because a Box per cell takes twice as long. */
export const Row = memo(
  function Row({ pieces, isCurrent = false }: RowProps): ReactElement {
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
  },
  (before, now) => before.isCurrent === now.isCurrent && isSameRow(before.pieces, now.pieces),
);

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
