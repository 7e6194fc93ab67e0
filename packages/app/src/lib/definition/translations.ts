// Names in all languages: pages show and edit those of one, and what they send keeps the others. Pure.

import { isByLanguage } from '../definition-text.ts';
import { isEntries, type Path, valueAt } from './document.ts';
import type { Edit } from './edits.ts';

/** A part of the definition in force: with names in all languages, and as pages show it. */
interface InForce {
  readonly stored: unknown;
  readonly document: unknown;
}

/** A name that is as it is shown stays as it is stored; one in several languages gets the new text in this one. */
export function translatedEdits(
  edits: readonly Edit[],
  present: InForce,
  language: string,
): readonly Edit[] {
  return edits.map((edit) => {
    const { path, after } = edit;
    if (after === undefined) return edit;
    return { ...edit, after: translated(after, inForceAt(present, path, after), language) };
  });
}

/** The entry as it was before it got another key. */
function inForceAt({ stored, document }: InForce, path: Path, after: unknown): InForce {
  const former = valueAt(after, ['renamed_from']);
  const isRenamed = valueAt(stored, path) === undefined && typeof former === 'string';
  const place = isRenamed ? [...path.slice(0, -1), former] : path;
  return { stored: valueAt(stored, place), document: valueAt(document, place) };
}

function translated(plain: unknown, present: InForce, language: string): unknown {
  const { stored, document } = present;
  if (typeof plain === 'string') {
    if (plain === document) return stored;
    return isByLanguage(stored) ? { ...stored, [language]: plain } : plain;
  }
  if (Array.isArray(plain)) {
    return plain.map((item: unknown) => translated(item, optionLike(item, present), language));
  }
  if (!isEntries(plain) || !isEntries(stored)) return plain;
  return Object.fromEntries(
    Object.entries(plain).map(([key, value]) => [
      key,
      translated(value, inForceAt(present, [key], value), language),
    ]),
  );
}

/** The option of the same value. */
function optionLike(item: unknown, { stored, document }: InForce): InForce {
  const value = valueAt(item, ['value']);
  const like = (options: unknown): unknown =>
    value === undefined || !Array.isArray(options)
      ? undefined
      : options.find((one: unknown) => valueAt(one, ['value']) === value);
  return { stored: like(stored), document: like(document) };
}
