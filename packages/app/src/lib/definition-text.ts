// Names in a definition document: a text, or a text for each language, the first of which is for everybody else. Other
// answers of the service have names in the language of the application already.

import { currentLanguage } from './messages/index.ts';

export type DefinitionText = string | Readonly<Record<string, string>>;

export function plainText(text: DefinitionText, language: string = currentLanguage()): string {
  if (typeof text === 'string') return text;
  return text[language] ?? Object.values(text)[0] ?? '';
}

const NAMES: ReadonlySet<string> = new Set(['name', 'singular_name', 'section', 'label']);

/** The document with a text for each name, for pages that show and edit one language. */
export function plainDefinition<Document>(document: Document, language?: string): Document {
  return plainPart(document, language) as Document;
}

function plainPart(part: unknown, language: string | undefined): unknown {
  if (Array.isArray(part)) return part.map((one) => plainPart(one, language));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      isTranslated(key, value) ? plainText(value, language) : plainPart(value, language),
    ]),
  );
}

/** The value of a word of the document, with a text for each name in it. */
export function plainValue(word: string | undefined, value: unknown): unknown {
  return isTranslated(word, value) ? plainText(value) : plainDefinition(value);
}

/** True when a word of the document is a name in several languages. */
export function isTranslated(
  word: string | undefined,
  value: unknown,
): value is Readonly<Record<string, string>> {
  return NAMES.has(word ?? '') && isByLanguage(value);
}

/** A field can have the key `name` too, and is an object with other words. */
export function isByLanguage(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).length > 0 &&
    Object.entries(value).every(
      ([key, text]) => /^[a-z]{2,3}(-[A-Z]{2})?$/.test(key) && typeof text === 'string',
    )
  );
}
