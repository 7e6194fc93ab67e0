// The shadow: the second workspace of a test database has the same objects, fields and names as the
// first, but everything in it carries the canary: labels, people, records, comments.

import type { Field, ObjectModel } from '../../src/model/definition/model.ts';
import type { Database } from '../../src/postgres/db.ts';
import { CANARY } from './canary.ts';
import { openSeeding } from './seeding.ts';

const LABELS: ReadonlySet<string> = new Set(['name', 'singular_name', 'description', 'label']);
/** Of a role: `name` can be the key of a field. */
const ACCESSES: ReadonlySet<unknown> = new Set(['none', 'read', 'write']);

/** The same definition with the canary in every label; keys and option values stay. */
export function withCanary(document: unknown): unknown {
  if (Array.isArray(document)) return document.map(withCanary);
  if (typeof document !== 'object' || document === null) return document;
  const entries = Object.entries(document).map(([key, value]) => {
    const isLabel = LABELS.has(key) && typeof value === 'string' && !ACCESSES.has(value);
    return [key, isLabel ? `${value} ${CANARY}` : withCanary(value)] as const;
  });
  return Object.fromEntries(entries);
}

/** One record of every object, each of its texts with the canary, and comments on them. */
export async function fillShadow(db: Database, slug: string, email: string): Promise<void> {
  const { model, write, comment } = await openSeeding(db, slug, email);
  const made = new Map<string, string>();
  for (const object of inOrder([...model.objects.values()])) {
    const fields: Record<string, unknown> = {};
    const custom: Record<string, unknown> = {};
    for (const field of object.fields.values()) {
      const value = field.system ? undefined : textOf(field, made, model.work_item_types);
      if (value === undefined) continue;
      (field.storage === 'jsonb' ? custom : fields)[field.key] = value;
    }
    const isComplete = [...object.fields.values()].every(
      ({ key, required, system }) => system || !required || key in fields || key in custom,
    );
    if (!isComplete) continue;
    if (Object.keys(custom).length > 0) fields.custom_fields = custom;
    const [id = ''] = await write(object.object_type, [{ action: 'create', fields }]);
    made.set(object.object_type, id);
    if (object.commentable) await comment(object.object_type, id, `Said ${CANARY}`);
  }
}

/** Objects without references first: a reference may be required. */
function inOrder(objects: readonly ObjectModel[]): readonly ObjectModel[] {
  const needs = ({ fields }: ObjectModel) =>
    [...fields.values()].filter(({ type, required }) => type === 'reference' && required).length;
  return [...objects].sort((a, b) => needs(a) - needs(b));
}

function textOf(
  field: Field,
  made: ReadonlyMap<string, string>,
  types: ReadonlyMap<string, unknown>,
): unknown {
  const { key, type } = field;
  if (key === 'work_item_type_id') return [...types.keys()][0];
  if (field.rules.pattern !== undefined) return undefined;
  if (type === 'text' || type === 'long_text') return `${CANARY} ${key}`;
  if (type === 'email') return `${key}@${CANARY}.example`;
  if (type === 'url') return `https://${CANARY}.example/${key}`;
  if (type === 'json') return { [CANARY]: CANARY };
  if (type === 'reference') return made.get(field.reference_object_type ?? '');
  return undefined;
}
