// An entry that is removed, with everything in the document that names it: what is left can be applied. Pure.

import {
  type DefinitionDocument,
  type Entries,
  isEntries,
  type ObjectEntry,
  type Path,
  targetOf,
  valueAt,
  withValue,
} from './document.ts';

export function withoutField(
  document: DefinitionDocument,
  type: string,
  key: string,
): DefinitionDocument {
  const at = ['objects', type];
  const object = document.objects[type] as ObjectEntry;
  const words = (['display_field', 'subtitle_field'] as const).filter(
    (word) => object[word] === key,
  );
  let next = withValue(document, [...at, 'fields', key], undefined);
  for (const word of words) next = withValue(next, [...at, word], undefined);
  if (object.field_order?.includes(key) === true) {
    const order = object.field_order.filter((one) => one !== key);
    next = withValue(next, [...at, 'field_order'], order.length === 0 ? undefined : order);
  }
  for (const role of Object.keys(document.roles ?? {})) {
    const fields = ['roles', role, 'objects', type, 'fields'];
    next = withoutKey(next, fields, key);
  }
  return type === 'work_items' ? withoutTypeField(next, key) : next;
}

function withoutTypeField(document: DefinitionDocument, key: string): DefinitionDocument {
  const types = Object.entries(document.work_item_types ?? {});
  return types.reduce((next, [slug, { fields }]) => {
    if (fields?.includes(key) !== true) return next;
    const others = fields.filter((one) => one !== key);
    return withValue(next, ['work_item_types', slug, 'fields'], others);
  }, document);
}

/** A map that would be empty goes as well. */
export function withoutKey(
  document: DefinitionDocument,
  path: Path,
  key: string,
): DefinitionDocument {
  const entries = valueAt(document, path);
  if (!isEntries(entries) || !Object.hasOwn(entries, key)) return document;
  const isLast = Object.keys(entries).length === 1;
  return withValue(document, isLast ? path : [...path, key], undefined);
}

/** The entries that refer to an object: they go with it. */
export interface Dependents {
  /** Reference fields of other objects. */
  readonly fields: readonly { readonly type: string; readonly key: string }[];
  readonly relationships: readonly string[];
}

export function dependentsOf(document: DefinitionDocument, type: string): Dependents {
  const fields = Object.entries(document.objects).flatMap(([other, object]) =>
    Object.entries(object.fields).flatMap(([key, { reference_object_type: target }]) =>
      other !== type && target === type ? [{ type: other, key }] : [],
    ),
  );
  const relationships = Object.entries(document.relationships ?? {}).flatMap(
    ([key, { from, to }]) => (from === type || to === type ? [key] : []),
  );
  return { fields, relationships };
}

export function withoutObject(document: DefinitionDocument, type: string): DefinitionDocument {
  const { fields, relationships } = dependentsOf(document, type);
  let next = document;
  for (const field of fields) next = withoutField(next, field.type, field.key);
  for (const key of relationships) next = withValue(next, ['relationships', key], undefined);
  for (const role of Object.keys(document.roles ?? {})) {
    next = withoutKey(next, ['roles', role, 'objects'], type);
  }
  if (type === 'work_items') next = withValue(next, ['work_item_types'], undefined);
  return withValue(next, ['objects', type], undefined);
}

/** Objects and types of work items that have the workflow. */
export function usersOfWorkflow(document: DefinitionDocument, id: string): readonly Path[] {
  const objects = Object.entries(document.objects).flatMap(([type, { workflow }]) =>
    workflow === id ? [['objects', type]] : [],
  );
  const types = Object.entries(document.work_item_types ?? {}).flatMap(([slug, { workflow }]) =>
    workflow === id ? [['work_item_types', slug]] : [],
  );
  return [...objects, ...types];
}

/** Ways to the status go as well; the first of the others is the initial one where it was that. */
export function withoutStatus(
  document: DefinitionDocument,
  id: string,
  status: string,
): DefinitionDocument {
  const workflow = document.workflows?.[id];
  if (workflow === undefined) return document;
  const otherStatuses = Object.entries(workflow.statuses).filter(([key]) => key !== status);
  const statuses: Entries<unknown> = Object.fromEntries(
    otherStatuses.map(([key, one]) => {
      const { transitions } = one;
      if (transitions?.some((move) => targetOf(move) === status) !== true) return [key, one];
      return [
        key,
        { ...one, transitions: transitions.filter((move) => targetOf(move) !== status) },
      ];
    }),
  );
  const initial = workflow.initial === status ? (otherStatuses[0]?.[0] ?? '') : workflow.initial;
  const order = workflow.status_order?.filter((key) => key !== status);
  const next = { ...workflow, initial, statuses, ...(order && { status_order: order }) };
  return withValue(document, ['workflows', id], next);
}
