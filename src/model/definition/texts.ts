// Names of a definition in several languages. A name is a text, or a text for each language; clients that do not ask
// for a language get the first one. Pure.

export type TextByLanguage = Readonly<Record<string, string>>;
export type Text = string | TextByLanguage;

/** The texts by the place of a name in the document, such as `objects.deals.name`; languages are in lower case. */
export type Translations = ReadonlyMap<string, TextByLanguage>;

export function plainText(text: Text): string {
  return typeof text === 'string' ? text : (Object.values(text)[0] ?? '');
}

/** The name at a place: the text of the first requested language that has one, else the plain text. */
export type Say = (place: string, plain: string) => string;

export const sayPlain: Say = (_, plain) => plain;

export function sayIn(texts: Translations, languages: readonly string[]): Say {
  return (place, plain) => {
    const known = texts.get(place);
    if (known === undefined) return plain;
    const language = languages.find((one) => Object.hasOwn(known, one));
    return language === undefined ? plain : (known[language] as string);
  };
}

const MOST_LANGUAGES = 20;

/** The languages of an `Accept-Language` header, best first, each followed by its base language: `de-at`, `de`. */
export function parseAcceptLanguage(header: string | undefined): readonly string[] {
  const wanted = (header ?? '')
    .toLowerCase()
    .split(',', MOST_LANGUAGES)
    .map((part) => {
      const [language = '', ...words] = part.split(';').map((word) => word.trim());
      const weight = words.find((word) => word.startsWith('q='))?.slice(2) ?? '1';
      return { language, weight: Number(weight) };
    })
    .filter(({ language, weight }) => /^[a-z]{2,3}(?:-[a-z0-9]+)*$/.test(language) && weight > 0)
    .toSorted((one, other) => other.weight - one.weight);
  return [
    ...new Set(wanted.flatMap(({ language }) => [language, language.split('-')[0] as string])),
  ];
}

export const systemFieldPlace = (key: string) => `system.${key}`;

export const statusPlace = (workflow: string, status: string) =>
  `workflows.${workflow}.statuses.${status}.name`;
