// An earlier document whose entries have other keys now: it says so of them, so that going back keeps their data. Pure.

import {
  type DefinitionDocument,
  type Entries,
  isEntries,
  valueAt,
  withValue,
} from './document.ts';

export function withRenamesBack(
  earlier: DefinitionDocument,
  present: DefinitionDocument,
): DefinitionDocument {
  const places = [
    ['objects'],
    ['relationships'],
    ['roles'],
    ...Object.keys(present.objects).map((type) => ['objects', type, 'fields']),
    ...Object.keys(present.workflows ?? {}).map((id) => ['workflows', id, 'statuses']),
  ];
  return places.reduce((document, place) => {
    const [then, now] = [valueAt(document, place), valueAt(present, place)];
    return isEntries(then) && isEntries(now)
      ? withValue(document, place, renamedBack(then, now))
      : document;
  }, earlier);
}

function renamedBack(then: Entries<unknown>, now: Entries<unknown>): Entries<unknown> {
  const keys = new Map(
    Object.entries(now).flatMap(([key, entry]) => {
      const old = valueAt(entry, ['renamed_from']);
      const isBack =
        typeof old === 'string' && !Object.hasOwn(now, old) && !Object.hasOwn(then, key);
      return isBack ? [[old, key] as const] : [];
    }),
  );
  if (keys.size === 0) return then;
  return Object.fromEntries(
    Object.entries(then).map(([key, entry]) => {
      const renamed_from = keys.get(key);
      return [key, renamed_from === undefined ? entry : { ...(entry as object), renamed_from }];
    }),
  );
}
