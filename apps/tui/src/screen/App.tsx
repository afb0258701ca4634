import type { ReadStream } from "node:tty";
import type { Balance } from "@gpu-offers/domain";
import { Box } from "ink";
import { useMemo, type ReactElement } from "react";
import { shownDisk } from "../picker/choice.js";
import { comparisonOf } from "../picker/compare-pane.js";
import { hintsNow } from "../picker/hints-now.js";
import { imageListOf, loadedImages } from "../picker/image-list.js";
import { footerText } from "../picker/keys.js";
import { pendingSources } from "../picker/live-prices.js";
import { nearOf, readingsIn } from "../picker/near-searches.js";
import { currentOffer } from "../picker/offer-view.js";
import { shownFacets } from "../picker/facet-rows.js";
import { facetPlace } from "../picker/pane-actions.js";
import { effectsOf, readingOf } from "../picker/reading.js";
import type { Session } from "../picker/session.js";
import {
  bodyHeight,
  contextOf,
  fundsOf,
  isWaiting,
  listHeight,
  MINIMUM_COLUMNS,
  MINIMUM_ROWS,
  paneWidths,
  readingHeight,
  summaryHeight,
  totalOf,
  type PickerState,
} from "../picker/state.js";
import { detailRows, detailsWidth, textLayout, textRows } from "../picker/text-pane.js";
import { Bottom } from "./Bottom.js";
import { ColumnChoice } from "./ColumnChoice.js";
import { ComparePane } from "./ComparePane.js";
import { EmptyList } from "./EmptyList.js";
import { Facets } from "./Facets.js";
import { FilterLine } from "./FilterLine.js";
import { Header } from "./Header.js";
import { useListLayout, type ListLayout } from "./list-layout.js";
import { OfferList } from "./OfferList.js";
import { row } from "./pieces.js";
import { Details, TextPane } from "./TextPane.js";
import { ReadingLine, ReadingPane } from "./Reading.js";
import { Rows } from "./Row.js";
import { Step } from "./Steps.js";
import { useSession } from "./use-session.js";

// The only components that have the whole state: they give each part of the screen what it shows.

/** The picker's screen. */
export function App({ session, input }: { session: Session; input: ReadStream }): ReactElement {
  return <Screen state={useSession(session, input)} />;
}

/** Renders a state to exactly the rows and columns of the screen. */
export function Screen({ state }: { state: PickerState }): ReactElement {
  return state.columns < MINIMUM_COLUMNS || state.rows < MINIMUM_ROWS ? (
    <TooSmall columns={state.columns} rows={state.rows} />
  ) : (
    <Parts state={state} />
  );
}

/** Ages are shown in minutes, so that parts without a countdown are the same for a minute. */
const MINUTE_MS = 60_000;

function Parts({ state }: { state: PickerState }): ReactElement {
  const { columns, rows, query, found, loaded, view, credit, live, pane, choice } = state;
  const nowMs = isWaiting(state) ? state.nowMs : Math.floor(state.nowMs / MINUTE_MS) * MINUTE_MS;
  const balance = credit?.balance;
  const { budget, disk } = found.query;
  const funds = useMemo(() => fundsOf(budget, balance), [budget, balance]);
  const pieces = useMemo(() => readingOf(found), [found]);
  const layout = useListLayout({
    view,
    query: found.query,
    funds,
    images: state.images,
    hiddenColumns: state.hiddenColumns,
    width: paneWidths(state).list,
    height: listHeight(state),
  });
  const listed = choice === undefined || choice.stage === "offer" ? currentOffer(view) : choice.offer;
  const comparison = pane === "compare" ? comparisonOf(state) : undefined;
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <Header
        columns={columns}
        loaded={loaded}
        total={totalOf(state)}
        offers={view.offers}
        funds={funds}
        isBudget={budget !== undefined}
        isKeyInvalid={credit?.problem?.kind === "unauthorized"}
        live={live}
        nowMs={nowMs}
      />
      <FilterLine columns={columns} field={state.field} isTyped={pane === "text"} query={query} />
      {readingHeight(state) > 0 && (
        <ReadingLine columns={columns} pieces={pieces} openKey={pane === "text" ? "Tab" : "w"} />
      )}
      {comparison === undefined ? (
        <Body state={state} layout={layout} funds={funds} nowMs={nowMs} />
      ) : (
        <ComparePane
          comparison={comparison}
          top={textLayout(state, comparison.rows.length).top}
          width={columns}
          height={bodyHeight(state)}
        />
      )}
      <Bottom
        columns={columns}
        height={summaryHeight(state)}
        notice={state.notice}
        hints={footerText(contextOf(state), columns - 2, hintsNow(state))}
        offer={comparison === undefined ? listed : comparison.current}
        diskGb={shownDisk(choice, disk)}
        funds={funds}
        widths={view.rows.length === 0 ? undefined : layout.widths}
      />
    </Box>
  );
}

interface BodyProps {
  state: PickerState;
  layout: ListLayout;
  funds: Balance | undefined;
  nowMs: number;
}

/** What is between the filters and the rule: the list with its panes, or a pane or a step over it. */
function Body({ state, layout, funds, nowMs }: BodyProps): ReactElement {
  const { choice, pane, columns, found } = state;
  const { disk } = found.query;
  const widths = paneWidths(state);
  const height = bodyHeight(state);
  const isOver = ["account", "help", "launch"].includes(pane) || (pane === "details" && widths.details === 0);
  if (pane === "reading") {
    return <ReadingOf state={state} height={height} />;
  }
  if (pane === "columns") {
    const { columnCursor, hiddenColumns } = state;
    return <ColumnChoice cursor={columnCursor} hidden={hiddenColumns} diskGb={disk} width={columns} height={height} />;
  }
  if (isOver) {
    const lines = textRows(state);
    return <TextPane lines={lines} layout={textLayout(state, lines.length)} isHelp={pane === "help"} width={columns} />;
  }
  if (choice !== undefined && choice.stage !== "offer" && pane === "none") {
    return (
      <Step
        choice={choice}
        known={loadedImages(state.images, imageListOf(choice.offer))}
        diskGb={disk}
        funds={funds}
        nowMs={nowMs}
        columns={columns}
        height={height}
      />
    );
  }
  const facetsWidth = pane === "facets" && widths.facets === 0 ? columns : widths.facets;
  return (
    <Box>
      {facetsWidth > 0 && <FacetsOf state={state} width={facetsWidth} />}
      {facetsWidth < columns && <List state={state} layout={layout} nowMs={nowMs} />}
      {facetsWidth < columns && widths.details > 0 && <DetailsOf state={state} width={widths.details} />}
    </Box>
  );
}

function FacetsOf({ state, width }: { state: PickerState; width: number }): ReactElement {
  const { facetSearch, facetDraft, columns, pane, loaded, found, images } = state;
  const facets = useMemo(
    () => shownFacets({ loaded, found, facetSearch, images }),
    [loaded, found, facetSearch, images],
  );
  return (
    <Facets
      facets={facets}
      cursor={facetPlace(state, facets)}
      search={facetSearch}
      draft={facetDraft}
      isFocused={pane === "facets"}
      isBeside={width < columns}
      width={width}
      height={bodyHeight(state)}
    />
  );
}

function ReadingOf({ state, height }: { state: PickerState; height: number }): ReactElement {
  const { found, columns, readingCursor } = state;
  const pieces = readingOf(found);
  const cursor = Math.min(readingCursor, pieces.length - 1);
  const props = { pieces, effects: effectsOf(state), cursor, width: columns, height };
  return <ReadingPane {...props} />;
}

function List({ state, layout, nowMs }: Omit<BodyProps, "funds">): ReactElement {
  const { view, found, loaded, marks } = state;
  const { list: width } = paneWidths(state);
  const height = listHeight(state);
  return view.rows.length === 0 ? (
    <EmptyList
      found={found}
      loaded={loaded}
      readings={readingsIn(found)}
      near={nearOf(state)}
      pending={pendingSources(state)}
      place={state.place}
      isTyping={contextOf(state) === "text"}
      nowMs={nowMs}
      width={width}
      height={height + 2}
    />
  ) : (
    <OfferList view={view} found={found} loaded={loaded} marks={marks} layout={layout} width={width} height={height} />
  );
}

function DetailsOf({ state, width }: { state: PickerState; width: number }): ReactElement {
  const isFocused = state.pane === "details";
  const lines = detailRows(state, detailsWidth(state));
  const top = isFocused ? textLayout(state, lines.length).top : 0;
  return <Details lines={lines} top={top} isFocused={isFocused} width={width} height={bodyHeight(state)} />;
}

function TooSmall({ columns, rows }: { columns: number; rows: number }): ReactElement {
  const need = `needs ${MINIMUM_COLUMNS}x${MINIMUM_ROWS}`;
  const words = [`gpu-offers ${need}, this is ${columns}x${rows}`, `gpu-offers ${need}`].find(
    (text) => text.length <= columns,
  );
  return <Rows rows={[row(words ?? need)]} width={columns} height={rows} />;
}
