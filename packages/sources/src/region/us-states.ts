// Names of states and provinces used in region names. Source: ISO 3166-2:US and ISO 3166-2:CA.

const rows = (text: string): ReadonlyMap<string, string> =>
  new Map(text.split(/\|\n?/).map((entry) => [entry.slice(0, 2), entry.slice(3)] as const));

/** US states by postal code, including the District of Columbia. */
export const US_STATES = rows(`AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|
DC District of Columbia|DE Delaware|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|
KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|
MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|
ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|
TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming`);

/** Canadian provinces and territories by postal code. */
export const CANADIAN_PROVINCES = rows(`AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|
NL Newfoundland and Labrador|NS Nova Scotia|NT Northwest Territories|NU Nunavut|ON Ontario|PE Prince Edward Island|
QC Quebec|SK Saskatchewan|YT Yukon`);

/** Country and full name of the state or province that a text names in English; case is ignored. */
export function findState(text: string): readonly [countryCode: string, name: string] | undefined {
  return statesByName.get(nameKey(text));
}

const nameKey = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, "");

const statesByName: ReadonlyMap<string, readonly [string, string]> = new Map(
  (
    [
      ["US", US_STATES],
      ["CA", CANADIAN_PROVINCES],
    ] as const
  ).flatMap(([country, states]) => [...states.values()].map((name) => [nameKey(name), [country, name]] as const)),
);
