// Names in all languages: pages show and edit those of one, and what they send keeps the others. Pure.

import { isByLanguage, plainText } from '../definition-text.ts';
import { isEntries, type Path, valueAt } from './document.ts';
import type { Edit } from './edits.ts';

/** `stored`: the definition in force with all languages; a name that has several gets the new text in this one. */
export function translatedEdits(
  edits: readonly Edit[],
  stored: unknown,
  language: string,
): readonly Edit[] {
  return edits.map((edit) => {
    const { path, after } = edit;
    if (after === undefined) return edit;
    return { ...edit, after: translated(after, storedAt(stored, path, after), language) };
  });
}

/** Where the entry was before it got another key. */
function storedAt(stored: unknown, path: Path, after: unknown): unknown {
  const value = valueAt(stored, path);
  const former = valueAt(after, ['renamed_from']);
  if (value !== undefined || typeof former !== 'string') return value;
  return valueAt(stored, [...path.slice(0, -1), former]);
}

function translated(plain: unknown, stored: unknown, language: string): unknown {
  if (typeof plain === 'string') {
    if (!isByLanguage(stored)) return plain;
    return plain === plainText(stored, language) ? stored : { ...stored, [language]: plain };
  }
  if (Array.isArray(plain)) {
    return plain.map((item: unknown) => translated(item, optionLike(item, stored), language));
  }
  if (!isEntries(plain) || !isEntries(stored)) return plain;
  return Object.fromEntries(
    Object.entries(plain).map(([key, value]) => [
      key,
      translated(value, storedAt(stored, [key], value), language),
    ]),
  );
}

/** The stored option of the same value. */
function optionLike(item: unknown, stored: unknown): unknown {
  const value = valueAt(item, ['value']);
  if (value === undefined || !Array.isArray(stored)) return undefined;
  return stored.find((one: unknown) => valueAt(one, ['value']) === value);
}
