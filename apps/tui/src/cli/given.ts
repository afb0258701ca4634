/** The same properties, without undefined ones. */
export function withoutUndefined<Values extends object>(values: Values): Given<Values> {
  // The same members, without those that say nothing
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<Values>;
}

type Given<Values> = { [Key in keyof Values]: Exclude<Values[Key], undefined> };
