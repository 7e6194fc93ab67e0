// Changed translations of names in an existing object: names of its fields and options too. Names in their
// first language are differences of the object and its fields. Pure.

import { isDeepStrictEqual } from 'node:util';
import type { WorkspaceModel } from '../../../model/definition/model.ts';
import type { TextByLanguage } from '../../../model/definition/texts.ts';
import { isOfBase } from '../../../model/definition/translations.ts';
import type { Change } from '../change.ts';
import { change, named } from '../change-notice.ts';

export function diffTranslations(
  before: WorkspaceModel | undefined,
  after: WorkspaceModel,
): readonly Change[] {
  if (before === undefined) return [];
  const places = new Set([...before.texts.keys(), ...after.texts.keys()]);
  const byObject = new Map<string, string[]>();
  for (const place of places) {
    const [root, type = '', ...rest] = place.split('.');
    const isKept = root === 'objects' && before.objects.has(type) && after.objects.has(type);
    if (!isKept || isDeepStrictEqual(ownText(before, place), ownText(after, place))) continue;
    byObject.set(type, [...(byObject.get(type) ?? []), rest.join('.')]);
  }
  return [...byObject].map(([type, names]) => {
    const summary = `~ translations of object ${type} (${named(names)})`;
    return change({ kind: 'note', path: `objects.${type}` }, summary);
  });
}

/** A name of the base that a document replaces is a difference of its object. */
function ownText({ texts }: WorkspaceModel, place: string): TextByLanguage | undefined {
  const text = texts.get(place);
  return text === undefined || isOfBase(text) ? undefined : text;
}
