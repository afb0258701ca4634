// Groups of countries, by ISO codes in lower case.

/** The 27 members of the European Union, which Norway, Switzerland and the United Kingdom are not. Source: europa.eu. */
export const EUROPEAN_UNION: readonly string[] =
  "at be bg cy cz de dk ee es fi fr gr hr hu ie it lt lu lv mt nl pl pt ro se si sk".split(" ");

/** Countries of the Middle East. */
export const MIDDLE_EAST: readonly string[] = ["ae", "bh", "il", "iq", "jo", "kw", "lb", "om", "qa", "sa", "tr", "ye"];

/** Countries of Central America. */
export const CENTRAL_AMERICA: readonly string[] = ["bz", "cr", "gt", "hn", "mx", "ni", "pa", "sv"];
