// Expressions, rollups and conditions of gates that name a field or a status as it was named before: they get its new name,
// wherever the document has `renamed_from`. The document is not checked yet. Pure.

import { isObject } from '../../model/definition/definition.ts';
import { WORK_ITEMS } from '../../model/definition/model.ts';
import { MOST_OF_EXPRESSION, renameInExpression } from '../../model/formulas/formula-syntax.ts';
import { renameInRollup } from '../../model/rollups/rollup-words.ts';
import { ownValue } from '../../model/text/own-value.ts';

type Entries = Readonly<Record<string, unknown>>;
type NewNames = ReadonlyMap<unknown, string>;

/** The new names by the former ones: of the fields of each object, and of the statuses of its records. */
interface Renamed {
  readonly fields: ReadonlyMap<unknown, NewNames>;
  readonly statuses: ReadonlyMap<unknown, NewNames>;
}

/** A part of `merged`, or all of it, with the new names in its expressions, rollups and gates. */
export function followRenames(part: unknown, merged: unknown): unknown {
  if (!isObject(part) || !isObject(part.objects)) return part;
  const renamed = renamedIn(merged);
  const all = [...renamed.fields.values(), ...renamed.statuses.values()];
  if (all.every(({ size }) => size === 0)) return part;
  const follow = (object: unknown, type: string) => {
    if (!isObject(object) || !isObject(object.fields)) return object;
    const fields = mapValues(object.fields, (field) => followInField(field, type, renamed));
    return { ...object, fields };
  };
  const followed = { ...part, objects: mapValues(part.objects, follow) };
  if (!isObject(part.workflows)) return followed;
  const workflows = mapValues(part.workflows, (workflow, id) => {
    const names = objectsWith(merged, id).map((type) => renamed.fields.get(type));
    return followInGates(workflow, (key) => names.find((one) => one?.has(key))?.get(key) ?? key);
  });
  return { ...followed, workflows };
}

/** The object types whose records have this workflow. */
function objectsWith(document: unknown, id: string): readonly string[] {
  const having = (section: string) =>
    Object.entries(entriesOf(document, section)).filter(
      ([, entry]) => isObject(entry) && entry.workflow === id,
    );
  const types = having('objects').map(([type]) => type);
  return having('work_item_types').length > 0 ? [...types, WORK_ITEMS] : types;
}

function followInGates(workflow: unknown, keyOf: (key: string) => string): unknown {
  if (!isObject(workflow) || !isObject(workflow.statuses)) return workflow;
  const follow = (transition: unknown) => {
    const when = isObject(transition) ? transition.when : undefined;
    if (!isObject(transition) || !isObject(when) || typeof when.field !== 'string')
      return transition;
    return { ...transition, when: { ...when, field: keyOf(when.field) } };
  };
  const statuses = mapValues(workflow.statuses, (status) =>
    isObject(status) && Array.isArray(status.transitions)
      ? { ...status, transitions: status.transitions.map(follow) }
      : status,
  );
  return { ...workflow, statuses };
}

function renamedIn(document: unknown): Renamed {
  const objects = Object.entries(entriesOf(document, 'objects'));
  const workflows = entriesOf(document, 'workflows');
  return {
    fields: new Map(objects.map(([type, object]) => [type, newNames(entriesOf(object, 'fields'))])),
    statuses: new Map(
      objects.map(([type, object]) => {
        const workflow = isObject(object)
          ? ownValue(workflows, String(object.workflow))
          : undefined;
        return [type, newNames(entriesOf(workflow, 'statuses'))];
      }),
    ),
  };
}

function entriesOf(entry: unknown, section: string): Entries {
  const entries = isObject(entry) ? entry[section] : undefined;
  return isObject(entries) ? entries : {};
}

function newNames(entries: Entries): NewNames {
  return new Map(
    Object.entries(entries).flatMap(([key, entry]) => {
      const old = isObject(entry) ? entry.renamed_from : undefined;
      return typeof old === 'string' && ownValue(entries, old) === undefined ? [[old, key]] : [];
    }),
  );
}

function followInField(field: unknown, type: string, { fields, statuses }: Renamed): unknown {
  if (!isObject(field)) return field;
  const { expression, rollup } = field;
  const keyOf = (object: unknown) => (key: string) => fields.get(object)?.get(key) ?? key;
  if (isObject(rollup)) {
    const { object_type: other } = isObject(rollup.reference) ? rollup.reference : {};
    const status = (id: unknown) => statuses.get(other)?.get(id) ?? id;
    return { ...field, rollup: renameInRollup(rollup, { field: keyOf(other), status }) };
  }
  if (typeof expression !== 'string' || expression.length > MOST_OF_EXPRESSION) return field;
  return { ...field, expression: renameInExpression(expression, keyOf(type)) };
}

function mapValues(entries: Entries, map: (value: unknown, key: string) => unknown): Entries {
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, map(value, key)]));
}
