// The names of the records that references lead to, as far as the reader may see them: a name that only one record has,
// so that an import finds the record by it. Other records keep their ids.

import { LRUCache } from 'lru-cache';
import type { Field, ObjectModel, WorkspaceModel } from '../model/definition/model.ts';
import { namingField } from '../model/definition/naming-field.ts';
import { type Caller, canReadField } from '../model/rights/access.ts';
import { FIELD_TYPE_TRAITS } from '../model/values/field-types.ts';
import { parseRecordId } from '../model/values/record-id.ts';
import { basePlan } from '../plan/read/read-plan.ts';
import type { Queryable, Row } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { uniqueNamesSql } from '../sql/read/unique-names-sql.ts';

export interface ReferenceNames {
  /** The objects whose records are named. */
  readonly objects: readonly ObjectModel[];
  /** Names by id, of the records that these rows refer to. */
  find(rows: readonly Row[]): Promise<ReadonlyMap<string, string>>;
}

const CACHED_NAMES = 50_000;

/** `tx` reads at one moment. */
export function openReferenceNames(
  tx: Queryable,
  { model, reader }: { readonly model: WorkspaceModel; readonly reader: Caller },
  fields: readonly Field[],
): ReferenceNames {
  const references = new Map<ObjectModel, Field[]>();
  for (const field of fields) {
    const object = referredObject(model, reader, field);
    if (object !== undefined) references.set(object, [...(references.get(object) ?? []), field]);
  }
  // An empty text: the record has no name of its own.
  const cached = new LRUCache<string, string>({ max: CACHED_NAMES });
  async function findOf(object: ObjectModel, ids: readonly string[]) {
    const unknown = ids.filter((id) => !cached.has(id));
    if (unknown.length === 0) return;
    const plan = basePlan(model, reader, object);
    const asked = { plan, field: namingField(object) as Field, ids: unknown };
    for (const id of unknown) cached.set(id, '');
    for (const { id, name } of await runOnce(tx, uniqueNamesSql(asked))) {
      if (isName(name)) cached.set(String(id), name);
    }
  }
  return {
    objects: [...references.keys()],
    async find(rows) {
      const names = new Map<string, string>();
      for (const [object, from] of references) {
        const ids = rows.flatMap((row) => from.flatMap(({ column }) => idIn(row[column])));
        await findOf(object, [...new Set(ids)]);
        for (const id of ids) names.set(id, cached.get(id) || id);
      }
      return names;
    },
  };
}

/** The object of a reference, when the reader may see the names of its records. */
function referredObject(
  model: WorkspaceModel,
  reader: Caller,
  { type, reference_object_type, storage }: Field,
): ObjectModel | undefined {
  if (FIELD_TYPE_TRAITS[type].refersTo !== 'record' || storage !== 'physical') return undefined;
  const object = model.objects.get(reference_object_type ?? '');
  const field = object && namingField(object);
  return field !== undefined && canReadField(reader, object as ObjectModel, field)
    ? object
    : undefined;
}

function idIn(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : [];
}

/** An import takes the spaces around a value away, and a text like an id for an id. */
function isName(name: unknown): name is string {
  return typeof name === 'string' && name === name.trim() && parseRecordId(name) === undefined;
}
