// Tells the site's answers from those of a network that answers in its place: a captive portal, a proxy's
// sign-in page, a browser check. Every answer of the site has a header with its release; if something on the
// way removes headers, the body of /token/ still has the release. A folder has no `self.site`.

/**
 * The CSRF token and the mark of the signed-in person, without the site neither; whether the header was
 * removed, or something else answered.
 * @typedef {{ token?: string, person?: string, isStripped?: boolean, isForeign?: boolean }} Token
 *
 * @typedef {object} Site
 * @property {string} MARK the name of the header
 * @property {(patience?: number) => Promise<Token>} token
 * @property {(answer: Response) => boolean} isMarked
 * @property {(answer: any) => Promise<boolean>} isOurs takes a response or an XMLHttpRequest
 * @property {(answer: any) => boolean} isForeign whether it is something else's; call `isOurs` first
 */

/** @type {Site} */
self.site = (() => {
  const MARK = "X-Anotador";
  const PATIENCE = 8000;
  const DOWN = [0, 408, 413, 429, 502, 503, 504]; // without an answer, or from a proxy whose server is down
  let isStripped = false; // whether headers are removed on the way; until the page is left
  let checking = null;

  const isMarked = ({ headers }) => headers.has(MARK);
  const isKnown = (answer) =>
    isStripped || (answer.headers ? isMarked(answer) : answer.getResponseHeader(MARK) !== null);
  const isForeign = (answer) => !DOWN.includes(answer.status) && !isKnown(answer);

  // Tell the scripts of this page whether the site answered.
  const tell = (isHere) => self.dispatchEvent(new Event(isHere ? "site:here" : "site:foreign"));

  // An old browser without such signals waits for as long as it takes.
  async function token(patience = PATIENCE) {
    const signal = AbortSignal.timeout?.(patience);
    try {
      const answer = await fetch("/token/", { redirect: "error", signal });
      const known = await answer.json().catch(() => ({}));
      const isBare = !isMarked(answer);
      if (!isBare || known.release) {
        isStripped ||= isBare && Boolean(self.document);
        return { ...known, isStripped: isBare };
      }
      if (isForeign(answer)) tell(false);
      return { isForeign: isForeign(answer) };
    } catch {
      return {};
    }
  }

  async function isOurs(answer) {
    let isHere = isKnown(answer);
    if (!isHere) {
      if (!isForeign(answer)) return false;
      checking ??= token().finally(() => {
        checking = null;
      });
      isHere = Boolean((await checking).isStripped);
    }
    tell(isHere);
    return isHere;
  }

  return { MARK, token, isMarked, isOurs, isForeign };
})();
