import { makeAccount } from "@gpu-offers/testkit/accounts";
import { fetchFrom, type HttpResponse } from "@gpu-offers/testkit/http";
import { allOffers } from "@gpu-offers/testkit/offer-queries";
import { publishedDocument } from "@gpu-offers/testkit/published-document";
import { startService } from "@gpu-offers/testkit/service";
import { databaseHash } from "./database-hash.ts";
import { errorProblem } from "./error-body.ts";
import { shown } from "@gpu-offers/testkit/table-row";
import { stressTest } from "./stress-test.ts";

// Texts that try to be interpreted as something else, in every text input of a request.

/** As written in a URL. None is a valid value of any parameter. */
const PAYLOADS = [
  ..."__proto__ __proto__[x] constructor.prototype %00 h100-sxm%00 %0d%0aX-Injected:%201".split(" "),
  ..."..%2f..%2f..%2fetc%2fpasswd ..%5c..%5cwindows%5cwin.ini %2e%2e%2f%2e%2e%2fetc%2fpasswd".split(" "),
  ..."..%252f..%252fetc%252fpasswd %c0%ae%c0%ae%c0%af %e2%80%aeh100 h100%e2%80%8b %ef%bb%bfh100 %ed%a0%80".split(" "),
  ..."%ff%fe '%20OR%20'1'%3D'1 1;DROP%20TABLE%20offer;-- %27%20UNION%20SELECT%20hash%20FROM%20api_key--".split(" "),
  ..."%22%20OR%201%3D1-- $%7bjndi:ldap://x/a%7d %7b%22$gt%22:%22%22%7d %3Cscript%3Ealert(1)%3C%2fscript%3E".split(" "),
  ..."%24(reboot) %60reboot%60".split(" "),
  "a".repeat(4_000),
  "%F0%9F%98%80".repeat(300),
  "9".repeat(4_000),
];

/** As written in a header. */
const HEADER_PAYLOADS = [
  "__proto__",
  "../../etc/passwd",
  "' OR '1'='1",
  "1; DROP TABLE api_key;--",
  "\u00e2\u0080\u00ae",
  "\u00ff",
  "${jndi:ldap://x/a}",
  "a".repeat(8_000),
  "%00",
  "a\tb",
];
const HEADERS = "Authorization If-None-Match X-Request-Id Origin Accept X-Forwarded-For traceparent".split(" ");

/** Only the provider knows the values of this parameter, so every plain text may be the name of an instance type. */
const OPEN = "instance_type";

/** Parameters of listings that take any plain text, which then matches nothing. In names of places only letters count. */
const OPEN_OF_LISTINGS = ["q", "country", "region", "interconnect", "instance_type", "image", "os"];

/** Whether a plain text matched no listing, or no image of a launch, and the response says so. */
function isAnsweredAsUnknown(target: string, { status, text }: HttpResponse): boolean {
  if (status !== 200 || !/^\/api\/v2\/(?:listings|plan)/.test(target)) {
    return false;
  }
  const { totalElements, listing, deployment, problems } = JSON.parse(text) as {
    totalElements?: number;
    listing?: object | null;
    deployment?: object | null;
    problems?: object[];
  };
  return target.includes("?os_image_id=")
    ? deployment === null && problems?.length !== 0
    : (totalElements === 0 || listing === null) &&
        OPEN_OF_LISTINGS.some(
          (name) => target.startsWith(`/api/v2/listings?${name}=`) || target.startsWith(`/api/v2/plan?${name}=`),
        );
}

/** Every path segment and query parameter of an operation, filled with a payload. */
function* targetsOf(path: string, parameters: readonly string[], offerId: string, time: number): Generator<string> {
  const sound = path.replace("{id}", offerId).replace("{provider}", "aws");
  for (const payload of PAYLOADS) {
    // Surrounded by different text each time.
    const text = time === 0 ? payload : `${time}${payload}${time}`;
    if (path.includes("{")) {
      yield path.replace(/\{\w+\}/, () => text);
    }
    for (const parameter of parameters) {
      yield `${sound}?${parameter}=${text}`;
    }
    yield `${sound}?${text}=1`;
    yield `${sound}/${text}`;
  }
}

function rejectionProblem(response: HttpResponse): string | undefined {
  if (response.status !== 400 && response.status !== 404) {
    return `status ${response.status}: ${response.text.slice(0, 200)}`;
  }
  if (response.headers["x-injected"] !== undefined) {
    return "it became a header";
  }
  return errorProblem(response);
}

stressTest(
  "hostile text in every input",
  { bar: "400 or 404, nothing changed", unit: "times", n: 100, shortN: 1 },
  async ({ n, report }) => {
    const service = await startService({ settings: { LOG_LEVEL: "silent" } });
    const { key } = await makeAccount(service.databasePath);
    const headers = { Authorization: `Bearer ${key}` };
    const { operations } = await publishedDocument(service);
    const offerId = (await allOffers(service))[0]?.id ?? "";
    const ofNoType = (await fetchFrom(service, `/api/v1/providers/aws/images?${OPEN}=no-such-type`)).text;
    const before = databaseHash(service.databasePath);
    let sent = 0;
    for (let time = 0; time < n; time++) {
      for (const [path, { parameters }] of operations) {
        const names = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
        const targets = [...targetsOf(path, names, offerId, time)];
        sent += targets.length;
        await Promise.all(
          targets.map(async (target) => {
            const response = await fetchFrom(service, target, { headers });
            if (target.includes(`?${OPEN}=`) && response.status === 200 && response.text === ofNoType) {
              return;
            }
            if (isAnsweredAsUnknown(target, response)) {
              return;
            }
            const problem = rejectionProblem(response);
            report(problem && `${target}: ${problem}`);
          }),
        );
      }
    }
    // The service doesn't use the header, so the response must be the same as without it, or a rejection.
    for (const path of ["/api/v1/offers?size=1", "/api/v1/account", "/nothing"]) {
      const { status } = await fetchFrom(service, path);
      for (const name of HEADERS) {
        for (const value of HEADER_PAYLOADS) {
          sent++;
          const { status: got } = await fetchFrom(service, path, { headers: { [name]: value } });
          if (got !== status && ![400, 401].includes(got)) {
            report(`${path} with ${name}: ${value.slice(0, 40)}: status ${got}, without it ${status}`);
          }
        }
      }
    }
    if (databaseHash(service.databasePath) !== before) {
      report("the database has changed");
    }
    await service.stop();
    return `${shown(sent)} requests`;
  },
);
