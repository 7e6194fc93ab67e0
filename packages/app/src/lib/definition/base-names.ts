// Names of the base in the language of the application, as the navigation and the lists show them: the service translates
// these in other answers, and not in the document. Names that the definition gives itself stay. Pure.

import { type DefinitionDocument, type Entries, isBuiltIn } from './document.ts';

export type Say = (name: string) => string;

export function withBaseNames(document: DefinitionDocument, say: Say): DefinitionDocument {
  const { relationships } = document;
  const objects = Object.entries(document.objects).map(([type, object]) => [
    type,
    isBuiltIn(type) ? { ...named(object, say), fields: namedAll(object.fields, say) } : object,
  ]);
  return {
    ...document,
    objects: Object.fromEntries(objects),
    ...(relationships && { relationships: namedAll(relationships, say) }),
  };
}

interface Named {
  readonly name?: string;
  readonly singular_name?: string;
}

function namedAll<Entry extends Named>(entries: Entries<Entry>, say: Say): Entries<Entry> {
  return Object.fromEntries(
    Object.entries(entries).map(([key, entry]) => [key, named(entry, say)]),
  );
}

function named<Entry extends Named>(entry: Entry, say: Say): Entry {
  const { name, singular_name } = entry;
  return {
    ...entry,
    ...(name !== undefined && { name: say(name) }),
    ...(singular_name !== undefined && { singular_name: say(singular_name) }),
  };
}
