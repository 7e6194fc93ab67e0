// The order in which sorts have texts (D377): that of a language, which a definition names, with numbers in texts by
// their value. Pure.

/** A language tag as Unicode writes it, with keywords for what orders can differ in; or the order of code points. */
export const SORT_LOCALE_PATTERN =
  '^(code_points|[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?' +
  '(-u(?=-)(-co-[a-z]{3,8})?(-kf-(upper|lower|false))?(-kn-(true|false))?)?)$';

/** The order that fits most languages, when a definition names none. */
export const DEFAULT_SORT_LOCALE = 'und';

/** The collation that has the order, by its name in the control schema; null: that of the columns, by code points. */
export function collationOf(sortLocale: string = DEFAULT_SORT_LOCALE): string | null {
  if (sortLocale === 'code_points') return null;
  if (sortLocale.includes('-kn-')) return sortLocale;
  return `${sortLocale}${sortLocale.includes('-u-') ? '' : '-u'}-kn-true`;
}

/** Returns the problem of a tag of the right form; undefined when there is such an order. */
export function sortLocaleProblem(sortLocale: string): string | undefined {
  if (sortLocale === 'code_points') return undefined;
  const [language = ''] = sortLocale.split('-');
  if (
    language !== DEFAULT_SORT_LOCALE &&
    Intl.Collator.supportedLocalesOf([sortLocale]).length === 0
  ) {
    return `no order is known for the language ${JSON.stringify(language)}`;
  }
  const [, kind] = /-co-([a-z]+)/.exec(sortLocale) ?? [];
  if (kind === undefined || Intl.supportedValuesOf('collation').includes(kind)) return undefined;
  return `no order is known as ${JSON.stringify(kind)}`;
}
