// Groups of countries, by ISO codes in lower case.

/** The 27 members of the European Union, which Norway, Switzerland and the United Kingdom are not. Source: europa.eu. */
export const EUROPEAN_UNION: readonly string[] =
  "at be bg cy cz de dk ee es fi fr gr hr hu ie it lt lu lv mt nl pl pt ro se si sk".split(" ");

/** Countries of the Middle East. */
export const MIDDLE_EAST: readonly string[] = ["ae", "bh", "il", "iq", "jo", "kw", "lb", "om", "qa", "sa", "tr", "ye"];

/** Countries of the north of Europe. */
export const NORDICS: readonly string[] = ["dk", "fi", "is", "no", "se"];

/** Countries of Scandinavia. */
export const SCANDINAVIA: readonly string[] = ["dk", "no", "se"];

/** The Baltic states. */
export const BALTICS: readonly string[] = ["ee", "lt", "lv"];

/** Belgium, Luxembourg and the Netherlands. */
export const BENELUX: readonly string[] = ["be", "lu", "nl"];

/** Countries that speak German. */
export const DACH: readonly string[] = ["at", "ch", "de"];

/** Countries of Central America. */
export const CENTRAL_AMERICA: readonly string[] = ["bz", "cr", "gt", "hn", "mx", "ni", "pa", "sv"];
