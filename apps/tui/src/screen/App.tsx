import { Box } from "ink";
import type { ReactElement } from "react";
import type { Session } from "../picker/session.js";
import { MINIMUM_COLUMNS, MINIMUM_ROWS, paneWidths, type PickerState } from "../picker/state.js";
import { Bottom } from "./Bottom.js";
import { ColumnChoice } from "./ColumnChoice.js";
import { ComparePane } from "./ComparePane.js";
import { Facets } from "./Facets.js";
import { FilterLine } from "./FilterLine.js";
import { Header } from "./Header.js";
import { OfferList } from "./OfferList.js";
import { clip, padded, row } from "./pieces.js";
import { Details, TextPane } from "./TextPane.js";
import { Rows } from "./Row.js";
import { Step } from "./Steps.js";
import { useSession } from "./use-session.js";

/** The picker's screen. */
export function App({ session }: { session: Session }): ReactElement {
  return <Screen state={useSession(session)} />;
}

/** Renders a state to exactly the rows and columns of the screen. */
export function Screen({ state }: { state: PickerState }): ReactElement {
  if (state.columns < MINIMUM_COLUMNS || state.rows < MINIMUM_ROWS) {
    return <TooSmall state={state} />;
  }
  return (
    <Box flexDirection="column" width={state.columns} height={state.rows} overflow="hidden">
      <Header state={state} />
      <FilterLine state={state} />
      <Body state={state} />
      <Bottom state={state} />
    </Box>
  );
}

function Body({ state }: { state: PickerState }): ReactElement {
  const { choice, pane, columns } = state;
  const widths = paneWidths(state);
  switch (pane) {
    case "columns":
      return <ColumnChoice state={state} />;
    case "compare":
      return <ComparePane state={state} />;
    case "account":
    case "help":
      return <TextPane state={state} />;
    case "details":
      if (widths.details === 0) {
        return <TextPane state={state} />;
      }
      break;
    case "facets":
      if (widths.facets === 0) {
        return <Facets state={state} width={columns} />;
      }
      break;
    case "text":
    case "none":
      break;
  }
  if (choice !== undefined && choice.stage !== "offer" && pane === "none") {
    return <Step state={state} choice={choice} />;
  }
  return (
    <Box>
      {widths.facets > 0 && <Facets state={state} width={widths.facets} />}
      <OfferList state={state} />
      {widths.details > 0 && <Details state={state} width={widths.details} />}
    </Box>
  );
}

function TooSmall({ state: { columns, rows } }: { state: PickerState }): ReactElement {
  const need = `needs ${MINIMUM_COLUMNS}x${MINIMUM_ROWS}`;
  const words = [`gpu-offers ${need}, this is ${columns}x${rows}`, `gpu-offers ${need}`].find(
    (text) => text.length <= columns,
  );
  return <Rows rows={padded([clip(row(words ?? need), columns)], rows)} width={columns} />;
}
