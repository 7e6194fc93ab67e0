// The text that PostgreSQL can store. Pure.

/** True for strings PostgreSQL can hold: no U+0000, no lone surrogates. */
import { say } from '../../messages/message.ts';

export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Characters that PostgreSQL cannot store become U+FFFD. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** A value as JSON that PostgreSQL can hold. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'string' ? storableText(part) : part));
}

export const UNSTORABLE = say('must_be_storable');

/** The place, such as `a.b[0]`, of a text or a key that PostgreSQL cannot store; undefined: there is none. */
export function findUnstorable(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return isStorableText(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (!isStorableText(key)) return path;
    const place = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const found = findUnstorable(item, place);
    if (found !== undefined) return found;
  }
  return undefined;
}
