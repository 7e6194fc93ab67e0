// The rules of a definition document for its renames. Pure.

import { type Message, say } from '../../messages/message.ts';
import type { DefinitionDocument } from '../../model/definition/definition.ts';
import {
  BUILT_IN_OBJECT_TYPES,
  PARENT_KEY,
  TYPE_KEY,
  WORK_ITEMS,
} from '../../model/definition/model.ts';
import type { Rename } from '../../model/definition/rename.ts';
import { ownValue } from '../../model/text/own-value.ts';
import type { Report } from './check-fields.ts';
import { pathOfPlace, renamesIn } from './renames.ts';

export function checkRenames(document: DefinitionDocument, report: Report): void {
  const taken = new Set<string>();
  for (const rename of renamesIn(document)) {
    const places = pathOfPlace(rename.place);
    const message = problemOf(document, rename, taken);
    if (message !== undefined) report([...places, rename.new_key, 'renamed_from'], message);
    taken.add([...places, rename.old_key].join('.'));
  }
}

function problemOf(
  document: DefinitionDocument,
  { place, old_key, new_key }: Rename,
  taken: ReadonlySet<string>,
): Message | undefined {
  const path = pathOfPlace(place);
  if (valueAt(document, [...path, old_key]) !== undefined) {
    return say('definition_rename_present', { old_key });
  }
  if (taken.has([...path, old_key].join('.'))) return say('definition_rename_taken');
  const keys = [old_key, new_key];
  if (place.section === 'objects' && keys.some((key) => BUILT_IN_OBJECT_TYPES.includes(key))) {
    return say('definition_rename_base');
  }
  const isOfItems = place.section === 'fields' && place.object === WORK_ITEMS;
  if (isOfItems && keys.some((key) => key === TYPE_KEY || key === PARENT_KEY)) {
    return say('definition_rename_service');
  }
  return undefined;
}

function valueAt(document: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => ownValue(value as Readonly<Record<string, unknown>> | undefined, key),
    document,
  );
}
