import { Refusal } from "./refusal.js";

/** Remembers where each id of a source came first, so that a second one can be refused. */
export class FirstPlaces {
  // One number an id: a source may hold a million.
  private readonly places = new Map<string, number>();

  /** @param show Writes a place for people: `line 17`, `offers[12]`. */
  constructor(private readonly show: (place: number) => string) {}

  /** Remembers the id, or refuses it when it came before. `what` names what is the same. */
  check(id: string, place: number, what: string): Refusal | undefined {
    const first = this.places.get(id);
    if (first !== undefined) {
      return new Refusal("duplicate", `${what} came before, at ${this.show(first)}.`);
    }
    this.places.set(id, place);
    return undefined;
  }
}
