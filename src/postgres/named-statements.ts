// Names for statements that PostgreSQL keeps prepared: the same text has the same name on every
// connection, and no connection keeps too many.

import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** About 20 kB each in the backend; enough for a statement in each of 1,000 workspaces. */
const NAMED_STATEMENTS_PER_CONNECTION = 1000;

interface NamedText {
  readonly name: string;
  /** The text, one string object: the driver keeps it and compares it for each connection. */
  readonly text: string;
}

const namedTexts = new LRUCache<string, NamedText>({ max: 5000 });
const namesOfClient = new WeakMap<object, Set<string>>();

/**
 * A stable name per text; none for a text that is new to the process, which may never come again,
 * and none once the connection holds its share of prepared statements.
 */
export function nameStatement(client: object, text: string): Partial<NamedText> & { text: string } {
  const namedText = namedTexts.get(text);
  if (namedText === undefined) {
    const name = `s${createHash('sha1').update(text).digest('base64url')}`;
    namedTexts.set(text, { name, text });
    return { text };
  }
  const names = namesOfClient.get(client) ?? new Set();
  namesOfClient.set(client, names);
  if (!names.has(namedText.name)) {
    if (names.size >= NAMED_STATEMENTS_PER_CONNECTION) return { text };
    names.add(namedText.name);
  }
  return namedText;
}
