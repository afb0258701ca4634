import type { ReadStream } from "node:tty";
import { HIDEABLE_COLUMNS, SCREEN_COLUMNS } from "@gpu-offers/list";
import { Box, useApp, useWindowSize } from "ink";
import { useEffect, useLayoutEffect, useSyncExternalStore, type ReactElement } from "react";
import type { Context } from "../picker/keys.js";
import type { Session } from "../picker/session.js";
import {
  bodyHeight,
  contextOf,
  isWaiting,
  MINIMUM_COLUMNS,
  MINIMUM_ROWS,
  paneWidths,
  readingHeight,
  type PickerState,
} from "../picker/state.js";
import { detailRows, HELP_WIDTH, paneContent, textLayout } from "../picker/text-pane.js";
import { around, BLANK, ends, filled, padded, piece, pointed, row, withMore, type Pieces } from "../text/pieces.js";
import { Bottom } from "./Bottom.js";
import { Facets } from "./Facets.js";
import { FilterLine, Header } from "./Header.js";
import { InputDecoder } from "./input-decoder.js";
import { EmptyList, OfferList } from "./OfferList.js";
import { ReadingLine, readingRows } from "./Reading.js";
import { Rows } from "./Row.js";
import { stepRows } from "./steps.js";

/** The picker's screen. */
export function App({ session, input }: { session: Session; input: ReadStream }): ReactElement {
  return <Screen state={useSession(session, input)} />;
}

/** The state of a session, which gets all events of this screen. */
function useSession(session: Session, input: ReadStream): PickerState {
  const state = useSyncExternalStore(session.subscribe, session.getState);
  const { columns, rows } = useWindowSize();
  useEffect(() => session.send({ kind: "resize", columns, rows }), [session, columns, rows]);
  useClock(session, isWaiting(state));
  useInput(session, input);
  return state;
}

/** Interval of time events: short during a wait or countdown, otherwise only the age of prices changes. */
const WAIT_TICK_MS = 120;
const REST_TICK_MS = 20_000;

function useClock(session: Session, waits: boolean): void {
  useEffect(() => {
    const tick = (): void => session.send({ kind: "tick", nowMs: Date.now() });
    const ticking = setInterval(tick, waits ? WAIT_TICK_MS : REST_TICK_MS);
    return () => clearInterval(ticking);
  }, [session, waits]);
}

/** Reads the terminal, which is in raw mode. Releases it while the process is suspended, and takes it back afterwards. */
function useInput(session: Session, input: ReadStream): void {
  const { suspendTerminal } = useApp();
  // Not an effect, which may be delayed: until then, a stop would leave the shell on this screen.
  useLayoutEffect(() => {
    // A wait that a key starts begins now.
    const decoder = new InputDecoder((...events) => session.send({ kind: "tick", nowMs: Date.now() }, ...events));
    input.setEncoding("utf8").on("data", decoder.push);
    let isSuspended = false;
    let isOver = false;
    const handOver = async (whileAway: () => Promise<void>): Promise<void> => {
      if (isSuspended) {
        return;
      }
      isSuspended = true;
      try {
        await suspendTerminal(async () => {
          input.setRawMode(false);
          await whileAway();
          input.setRawMode(!isOver);
        });
      } catch (error) {
        session.fail(error);
      } finally {
        isSuspended = false;
      }
    };
    const stop = (): void => {
      void handOver(async () => {
        // Without a listener the signal has its default action: it suspends the process, or does nothing without job
        // control. Either way, the picker continues afterwards.
        process.off("SIGTSTP", stop);
        process.kill(process.pid, "SIGTSTP");
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        process.on("SIGTSTP", stop);
      });
    };
    // After SIGSTOP, which can't be handled, the shell has changed the terminal.
    const continued = (): void => void handOver(() => Promise.resolve());
    process.on("SIGTSTP", stop);
    process.on("SIGCONT", continued);
    return () => {
      isOver = true;
      process.off("SIGTSTP", stop);
      process.off("SIGCONT", continued);
      input.off("data", decoder.push);
      input.setRawMode(false);
    };
  }, [session, input, suspendTerminal]);
}

/** Renders a state to exactly the rows and columns of the screen. */
export function Screen({ state }: { state: PickerState }): ReactElement {
  const { columns, rows } = state;
  if (columns < MINIMUM_COLUMNS || rows < MINIMUM_ROWS) {
    return <Rows rows={[tooSmall(state)]} width={columns} height={rows} />;
  }
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <Header state={state} />
      <FilterLine state={state} />
      {readingHeight(state) > 0 && <ReadingLine state={state} />}
      <Body state={state} />
      <Bottom state={state} />
    </Box>
  );
}

const OVER_LIST: Partial<Record<Context, (state: PickerState) => readonly Pieces[]>> = {
  columns: columnRows,
  reading: readingRows,
  account: textPaneRows,
  launch: textPaneRows,
  compare: textPaneRows,
  help: textPaneRows,
  images: stepRows,
  disk: stepRows,
  confirm: stepRows,
};

/** What is between the filters and the rule: the list with its panes, or what is over it. */
function Body({ state }: { state: PickerState }): ReactElement {
  const { columns, pane, view } = state;
  const widths = paneWidths(state);
  const rowsOver = pane === "details" && widths.details === 0 ? textPaneRows : OVER_LIST[contextOf(state)];
  if (rowsOver !== undefined) {
    return <Rows rows={rowsOver(state)} width={columns} height={bodyHeight(state)} />;
  }
  if (pane === "facets" && widths.facets === 0) {
    return <Facets state={state} width={columns} />;
  }
  return (
    <Box>
      {widths.facets > 0 && <Facets state={state} width={widths.facets} />}
      {view.rows.length === 0 ? <EmptyList state={state} /> : <OfferList state={state} />}
      {widths.details > 0 && <Details state={state} />}
    </Box>
  );
}

function columnRows(state: PickerState): Pieces[] {
  const { columnCursor, hiddenColumns, found } = state;
  const choices = SCREEN_COLUMNS.map(({ id, title }, index) => {
    const mark = !HIDEABLE_COLUMNS.includes(id) ? "always" : hiddenColumns.has(id) ? "[ ]   " : "[x]   ";
    return pointed(`${mark} ${title(found.query.disk)}`, index === columnCursor);
  });
  const title = row(" Columns   empty columns, and those that don't fit, are always hidden", "muted");
  return [title, BLANK, ...around(choices, columnCursor, bodyHeight(state) - 2)];
}

function tooSmall({ columns, rows }: PickerState): Pieces {
  const need = `needs ${MINIMUM_COLUMNS}x${MINIMUM_ROWS}`;
  const words = [`gpu-offers ${need}, this is ${columns}x${rows}`, `gpu-offers ${need}`].find(
    (text) => text.length <= columns,
  );
  return row(words ?? need);
}

/** A read-only pane over the list. What it begins with stays while the rest scrolls. The last row says if there is more. */
export function textPaneRows(state: PickerState): readonly Pieces[] {
  const { heads, rows } = paneContent(state);
  const { columns, length, height, top } = textLayout(state, { heads, rows });
  const shown = Array.from({ length: Math.min(length, height) }, (_, line): Pieces => {
    const cells = Array.from({ length: columns }, (__, column) => rows[column * length + top + line] ?? BLANK);
    return columns === 1 ? (cells[0] ?? BLANK) : cells.flatMap((cell) => ends(cell, BLANK, HELP_WIDTH));
  });
  return [...heads, ...withMore(shown, length - height - top, state.columns)];
}

/** Details to the right of the list. */
export function Details({ state }: { state: PickerState }): ReactElement {
  const { details: width } = paneWidths(state);
  const height = bodyHeight(state);
  const isFocused = state.pane === "details";
  const cells = detailRows(state);
  const top = isFocused ? textLayout(state, { heads: [], rows: cells }).top : 0;
  const rows = withMore(padded(cells.slice(top), height), cells.length - height - top, width - 2);
  const border = piece("│", isFocused ? "accent" : "muted");
  return <Rows rows={rows.map((pieces) => [border].concat(filled(pieces, width - 1)))} width={width} />;
}
