// The query string of an address, in the words of the interface: `filter[amount][gte]=1000&sort=-amount`. The router
// has it as an object of texts; each page interprets its own.

export type SearchParams = Readonly<Record<string, string>>;

/** The last of several with one name counts. */
export function parseSearch(text: string): SearchParams {
  return Object.fromEntries(new URLSearchParams(text));
}

/** A query string with readable brackets and commas, for addresses that people read and send. */
export function printSearch(search: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) => {
    if (value === undefined || value === null) return [];
    return [`${readable(name)}=${readable(String(value))}`];
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

const READABLE: Readonly<Record<string, string>> = {
  '%5B': '[',
  '%5D': ']',
  '%2C': ',',
  '%3A': ':',
  '%2F': '/',
  '%40': '@',
  '%20': '+',
};

function readable(text: string): string {
  return encodeURIComponent(text).replaceAll(/%[0-9A-F]{2}/g, (code) => READABLE[code] ?? code);
}
