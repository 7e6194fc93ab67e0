// The currency of a first amount: that of the region of the browser (D906).

const CURRENCIES: Readonly<Record<string, string>> = {
  ...{ AU: 'AUD', BR: 'BRL', CA: 'CAD', CH: 'CHF', CN: 'CNY', CZ: 'CZK', DK: 'DKK', GB: 'GBP' },
  ...{ HU: 'HUF', IN: 'INR', JP: 'JPY', LI: 'CHF', MX: 'MXN', NO: 'NOK', NZ: 'NZD', PL: 'PLN' },
  ...{ RO: 'RON', SE: 'SEK', TR: 'TRY', US: 'USD', ZA: 'ZAR' },
};

/** A language alone, such as `en`, counts as the region where most of its people live. */
export function homeCurrency(language = globalThis.navigator?.language ?? 'de'): string {
  return CURRENCIES[new Intl.Locale(language).maximize().region ?? ''] ?? 'EUR';
}
