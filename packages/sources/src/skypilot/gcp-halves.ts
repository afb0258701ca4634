// Google Cloud's catalog has separate prices for machines and cards. A host row has an instance type and no accelerator;
// an accelerator row has no instance type and only the price of the cards. This joins the two halves into whole rows.

import { findGpuModel, resolveGpu, roundPrice, type GpuModel } from "@gpu-offers/domain";
import { gpuRejection } from "../gpu-rejection.js";
import { findInstanceType } from "../instance/instance-type.js";
import { gcpGpus } from "../price-lists.facts.js";
import { Rejection } from "../rejection.js";
import { showValue } from "../shown-value.js";
import { SourceError } from "../source-error.js";
import { COLUMNS, type Column, type Columns, type Get } from "./columns.js";
import { parseDecimal, priceOf } from "./cells.js";
import { plainVramGb } from "./gpu-of-row.js";

interface Half {
  line: number;
  get: Get;
}

/** What became of a half: the joined row, a rejection, or nothing if other rows contain it. */
interface JoinedRow {
  line: number;
  outcome: Get | Rejection | undefined;
}

interface Card extends Half {
  /** USD per hour for all of the cards. */
  price: number;
}

// Machine types built around GPUs. The GPU count of types that are not in the tables is unknown.
const GPU_MACHINE = /^(?:a[2-9]x?|g[2-9])-/i;

/** Families of cards that are added to N1 machines of any size. */
const ADDED: ReadonlySet<string | undefined> = new Set(
  gcpGpus.filter(({ cores }) => cores.startsWith("N1")).map(({ slug }) => findGpuModel(slug)?.family),
);

// The largest catalog has about 3,000 halves of 60 characters each.
const MAX_HALVES = 20_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Collects the halves of machines in any order. */
export class GcpHalves {
  readonly #hosts: Half[] = [];
  readonly #cards = new Map<string, Card>();
  readonly #rejected: JoinedRow[] = [];
  readonly #used = new Set<Card>();
  #characters = 0;

  constructor(private readonly columns: Columns) {}

  /**
   * Adds a row that is half a machine; returns false for any other.
   * @throws SourceError if the file has more of them than a catalog of Google Cloud can have.
   */
  take(fields: readonly string[], line: number): boolean {
    const isHost = this.columns.read(fields, "AcceleratorName") === "";
    const instanceType = this.columns.read(fields, "InstanceType");
    if (isHost ? !GPU_MACHINE.test(instanceType) : instanceType !== "") {
      return false;
    }
    const half = { line, get: this.#copy(fields, line) };
    if (isHost) {
      this.#hosts.push(half);
    } else {
      this.#takeCard(half);
    }
    return true;
  }

  /** All added rows, in the order of their lines. */
  join(): JoinedRow[] {
    const hosts = this.#hosts.map((host) => ({ line: host.line, outcome: this.#joinHost(host) }));
    const cards = [...this.#cards.values()].map((card) => {
      const what = `${card.get("AcceleratorCount")} ${showValue(card.get("AcceleratorName"))}`;
      const unused = halfMachine(`The file has no machine in ${placeOf(card)} for ${what}.`);
      return { line: card.line, outcome: this.#used.has(card) ? undefined : unused };
    });
    return [...hosts, ...cards, ...this.#rejected].toSorted((a, b) => a.line - b.line);
  }

  /** A reader for a copy of the row, so that the text of the file is not kept in memory. */
  #copy(fields: readonly string[], line: number): Get {
    const row = new Map(COLUMNS.map((column) => [column, this.columns.read(fields, column)]));
    for (const value of row.values()) {
      this.#characters += value.length;
    }
    if (
      this.#hosts.length + this.#cards.size + this.#rejected.length >= MAX_HALVES ||
      this.#characters > MAX_CHARACTERS
    ) {
      throw new SourceError("The file has more rows of GPU machines than Google Cloud.", `line ${line}`);
    }
    const own = new Map(JSON.parse(JSON.stringify([...row])) as [Column, string][]);
    return (column) => own.get(column) ?? "";
  }

  #takeCard(half: Half): void {
    const priced = pricedCard(half);
    if (priced instanceof Rejection) {
      this.#rejected.push({ line: half.line, outcome: priced });
      return;
    }
    const { key, ...card } = priced;
    const { price } = card;
    const other = this.#cards.get(key);
    // A catalog with several prices for the same cards contradicts itself, and an estimate must never be too low.
    const isKept = other === undefined || price > other.price || (price === other.price && half.line < other.line);
    const kept = isKept ? card : other;
    this.#cards.set(key, kept);
    if (other === undefined) {
      return;
    }
    const dropped = isKept ? other : card;
    const what = `${showValue(dropped.get("AcceleratorName"))} in ${placeOf(dropped)}`;
    const contradiction = `${what} costs ${kept.price} in line ${kept.line}, and ${dropped.price} here.`;
    const outcome =
      dropped.price === kept.price
        ? new Rejection("duplicate", `${what} is a duplicate of line ${kept.line}.`)
        : new Rejection("contradiction", contradiction);
    this.#rejected.push({ line: dropped.line, outcome });
  }

  #joinHost(host: Half): Get | Rejection {
    const instanceType = host.get("InstanceType");
    const documented = findInstanceType("gcp", instanceType);
    const model = documented === undefined ? undefined : findGpuModel(documented.gpu);
    if (documented === undefined || model === undefined) {
      return halfMachine(`${showValue(instanceType)} is a GPU machine that the tables do not have.`);
    }
    const { gpuCount, share } = documented;
    // A share of a card has no separate row; the reader rejects it by its documented type.
    if (share !== undefined) {
      return wholeRow(host, { AcceleratorName: model.name, AcceleratorCount: "1" });
    }
    const card = this.#cards.get(keyOf(model, gpuCount, host, /^a3-mega/i.test(instanceType)));
    if (card === undefined) {
      const cards = `the ${gpuCount} ${model.name} of ${showValue(instanceType)}`;
      return halfMachine(`The file has no price for ${cards} in ${placeOf(host)}.`);
    }
    this.#used.add(card);
    const price = priceOf(host.get("Price"), host.get("SpotPrice"));
    if (price instanceof Rejection) {
      return price;
    }
    return wholeRow(host, {
      AcceleratorName: card.get("AcceleratorName"),
      AcceleratorCount: String(gpuCount),
      GpuInfo: card.get("GpuInfo"),
      Price: String(roundPrice(price + card.price)),
      SpotPrice: spotPriceOf(host, card),
    });
  }
}

/** Which cards a row prices, how many, where and at what price; a rejection if no machine type includes them. */
function pricedCard(half: Half): (Card & { key: string }) | Rejection {
  const name = half.get("AcceleratorName");
  const resolution = resolveGpu(name, { vramGb: plainVramGb(name) });
  if (resolution.kind !== "gpu") {
    return gpuRejection(name, resolution);
  }
  const { model } = resolution;
  if (ADDED.has(model.family)) {
    const reason = `${showValue(name)} is an add-on for N1 machines of any size, so the row has no whole-instance price.`;
    return new Rejection("sold_apart", reason);
  }
  const count = parseDecimal(half.get("AcceleratorCount")) ?? 0;
  const price = priceOf(half.get("Price"), half.get("SpotPrice"));
  return price instanceof Rejection ? price : { ...half, price, key: keyOf(model, count, half, /mega/i.test(name)) };
}

/** The key omits the form of a card, because accelerator rows don't state it. A3 Mega's H100 has a separate price. */
function keyOf({ family, vramGb }: GpuModel, count: number, { get }: Half, isMega: boolean): string {
  return JSON.stringify([family, vramGb, isMega, count, get("Region"), get("AvailabilityZone")]);
}

/** The spot price of a machine is the sum of its parts'; empty if one of them has none. */
function spotPriceOf(host: Half, card: Half): string {
  const [machine = 0, cards = 0] = [host, card].map(({ get }) => parseDecimal(get("SpotPrice")));
  return machine > 0 && cards > 0 ? String(roundPrice(machine + cards)) : "";
}

function placeOf({ get }: Half): string {
  return showValue(get("AvailabilityZone") || get("Region"));
}

function halfMachine(reason: string): Rejection {
  return new Rejection("half_machine", reason);
}

function wholeRow({ get }: Half, changed: Partial<Record<Column, string>>): Get {
  return (column) => changed[column] ?? get(column);
}
