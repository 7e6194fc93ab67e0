// Another language of the application: its own messages at once, and the names of the definition as soon as they are
// read again.

import { chooseLanguage, type Language } from './messages/index.ts';
import { queryClient } from './query-client.ts';

/** The query keys of answers that hold names of the definition (schema-queries.ts). */
const NAMED: ReadonlySet<unknown> = new Set([
  'objects',
  'object',
  'workflow',
  'definition',
  'members',
]);

export async function changeLanguage(language: Language): Promise<void> {
  await chooseLanguage(language);
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => NAMED.has(queryKey[1]) });
}
