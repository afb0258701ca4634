import { RequestError, keyHeader } from "./service.js";

/**
 * The HTML of an address, as the service makes it for browsers, with the key of this tab. It is parsed by the request itself,
 * because the page's policy lets no script make HTML of texts.
 * @throws RequestError if the service can't be asked.
 */
export function loadHtml(path: string): Promise<Document> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", path);
    request.responseType = "document";
    request.timeout = 20_000;
    request.setRequestHeader("Accept", "text/html");
    Object.entries(keyHeader()).forEach(([name, value]) => request.setRequestHeader(name, value));
    const fail = (): void => reject(new RequestError(request.status, "The service can't be reached."));
    request.addEventListener("load", () => {
      if (request.status === 200 && request.responseXML !== null) {
        resolve(request.responseXML);
      } else {
        fail();
      }
    });
    request.addEventListener("error", fail);
    request.addEventListener("timeout", fail);
    request.send();
  });
}
