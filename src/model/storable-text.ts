// What text PostgreSQL can hold. Pure.

/** True for strings PostgreSQL can hold: no U+0000, no lone surrogates. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

export const UNSTORABLE = 'must not contain U+0000 or lone surrogates';
