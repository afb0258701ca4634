import type { Located } from "./region-table.js";

/**
 * The city that a text names, if the name is unambiguous among places with data centers; case, accents, spaces and
 * hyphens are ignored. Names that several places with data centers share (Birmingham, Portland) are left out.
 */
export function findCity(text: string): Located | undefined {
  return cities.get(nameKey(text));
}

/** A city as people write it: `kansascity` becomes Kansas City, `smedjebacken` Smedjebacken. */
export function showCity(words: string): string {
  const spaced = words.replaceAll(/[-_ ]+/g, " ");
  return findCity(words)?.city ?? spaced.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
}

const nameKey = (text: string) =>
  text
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");

// Source: GeoNames, https://www.geonames.org; each of these is by far the largest city with its name, or the one that
// data centers are named after.
const CITIES = `
AE Abu Dhabi|Dubai|Fujairah
AR Buenos Aires
AT Vienna
AU Adelaide|Brisbane|Canberra|Melbourne|Perth|Sydney
BE Brussels
BG Sofia
BH Manama
BR Fortaleza|Rio de Janeiro|São Paulo
CA Beauharnois|Calgary|Edmonton|Montreal|Ottawa|Quebec City|Toronto|Vancouver|Winnipeg
CH Geneva|Lausanne|Lugano|Zurich
CL Santiago
CN Beijing|Chengdu|Guangzhou|Hangzhou|Nanjing|Ningxia|Qingdao|Shanghai|Shenzhen|Ulanqab|Zhangjiakou
CO Bogota|Medellin
CZ Prague
DE Berlin|Düsseldorf|Falkenstein|Frankfurt|Frankfurt am Main|Hamburg|Karlsruhe|Munich|Nuremberg|Stuttgart
DK Copenhagen
EE Tallinn
EG Cairo
ES Barcelona|Madrid
FI Espoo|Hamina|Helsinki|Kajaani|Mäntsälä|Tampere
FR Gravelines|Marseille|Paris|Roubaix|Strasbourg
GB Cardiff|Glasgow|London|Slough
GR Athens
HK Hong Kong
HR Zagreb
HU Budapest
ID Batam|Jakarta
IE Dublin
IL Jerusalem|Tel Aviv
IN Bangalore|Bengaluru|Chennai|Delhi|Hyderabad|Jamnagar|Kolkata|Mumbai|Nagpur|New Delhi|Noida|Pune
IS Blönduós|Keflavik|Reykjanesbær|Reykjavik
IT Arezzo|Frosinone|Milan|Rome|Turin
JP Fukuoka|Hokkaido|Inzai|Ishikari|Kyoto|Nagoya|Osaka|Sapporo|Tokyo
KE Nairobi
KR Busan|Chuncheon|Incheon|Seoul
KZ Almaty
LT Vilnius
LV Riga
MA Casablanca
MX Guadalajara|Mexico City|Monterrey|Querétaro
MY Cyberjaya|Johor Bahru|Kuala Lumpur
NG Lagos
NL Amsterdam|Eemshaven|Groningen|Rotterdam|The Hague
NO Bergen|Harstad|Kristiansand|Luster|Oslo|Rjukan|Stavanger|Trondheim
NZ Auckland
OM Muscat
PE Lima
PH Manila
PK Karachi|Lahore
PL Gdansk|Krakow|Poznan|Warsaw
PT Lisbon|Sines
QA Doha
RO Bucharest
RS Belgrade
RU Moscow|Novosibirsk
SA Dammam|Jeddah|Riyadh
SE Boden|Falun|Gothenburg|Gävle|Luleå|Malmö|Smedjebacken|Stockholm
SI Ljubljana
SK Bratislava
TH Bangkok
TR Ankara|Istanbul
TW Changhua|Taichung|Taipei
UA Kyiv
US Abilene|Ashburn|Atlanta|Austin|Baltimore|Beltsville|Boston|Boydton|Buffalo|Casper|Charlotte|Chicago|Cleveland|Culpeper|Dallas|Denver|Des Moines|Detroit|Dulles|Ellendale|Hillsboro|Honolulu|Houston|Indianapolis|Jacksonville|Kansas City|Las Vegas|Los Angeles|Miami|Minneapolis|Muskogee|Nashville|New York|New York City|Newark|North Kansas City|Omaha|Orlando|Philadelphia|Phoenix|Piscataway|Pittsburgh|Plano|Quincy|Reno|Sacramento|Salt Lake City|San Antonio|San Diego|San Francisco|San Jose|Santa Clara|Seattle|Secaucus|Silicon Valley|Spokane|St. Louis|Tampa|Tulsa|Washington DC|Washington D.C.|Wichita
VN Hanoi|Ho Chi Minh City
ZA Cape Town|Johannesburg
`;

const cities: ReadonlyMap<string, Located> = new Map(
  CITIES.trim()
    .split("\n")
    .flatMap((line) =>
      line
        .slice(3)
        .split("|")
        .map((city) => [nameKey(city), { code: line.slice(0, 2), city }] as const),
    ),
);
