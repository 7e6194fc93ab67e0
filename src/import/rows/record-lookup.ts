// Finds the records and people that a file names by a value instead of an id. Records are looked up through the read
// path, a batch of values at a time; hits are kept, misses are looked up again, because the record may come later in
// the same file.

import { LRUCache } from 'lru-cache';
import { loadKeyUsers } from '../../control/people/people.ts';
import { readPage } from '../../flow/records/read/read-flow.ts';
import type { ReadContext } from '../../flow/records/read/read-statement.ts';
import { LIMITS } from '../../limits.ts';
import type { Field, ObjectModel } from '../../model/definition/model.ts';
import { comparedTraits, equalityKeyOf } from '../../model/values/field-types.ts';
import { parseOperandOf } from '../../model/values/operand.ts';
import { recordQuery } from '../../plan/read/record-query.ts';
import type { Lookup } from '../mapping/compile-target.ts';

/** The id of the one record or person with a value; `missing` and `ambiguous` are none. */
export type Resolution = { readonly id: string | number } | 'missing' | 'ambiguous';

/** Resolutions by value as text; values without a look-up are missing. */
export type Resolutions = ReadonlyMap<string, Resolution>;

export interface RecordFinder {
  find(lookup: Lookup, values: readonly unknown[]): Promise<Resolutions>;
}

const CACHED_LOOKUPS = 50_000;
const PAGE = 1000;

/** `context` reads as the person who imports. */
export function openRecordFinder(context: ReadContext): RecordFinder {
  const cached = new LRUCache<string, string>({ max: CACHED_LOOKUPS });
  return {
    async find(lookup, values) {
      const { object, field } = lookup;
      const keyOf = (value: string) => `${object.object_type} ${field.key} ${value}`;
      const found = new Map<string, Resolution>();
      const wanted = new Set<string>();
      for (const value of values) {
        const canonical = canonicalValue(field, value);
        if (canonical === undefined) continue;
        const id = cached.get(keyOf(canonical));
        if (id === undefined) wanted.add(canonical);
        else found.set(canonical, { id });
      }
      for (const [value, resolution] of await askFor(context, lookup, [...wanted])) {
        found.set(value, resolution);
        if (typeof resolution === 'object') cached.set(keyOf(value), String(resolution.id));
      }
      return found;
    },
  };
}

/** Selects the ids that are records. */
export async function loadPresent(
  context: ReadContext,
  object: ObjectModel,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const lookup = { object, field: object.fields.get('id') as Field };
  return new Set((await askFor(context, lookup, [...new Set(ids)])).keys());
}

/** The text under which a value of this field is found (its equality key), undefined when the field cannot have it. */
export function canonicalValue(field: Field, value: unknown): string | undefined {
  const traits = comparedTraits(field);
  const text = typeof value === 'number' && traits.textual ? String(value) : value;
  const given = typeof text === 'string' ? text.trim() : text;
  const parsed = parseOperandOf(field, given, typeof given === 'string');
  if ('problem' in parsed || parsed.value === null) return undefined;
  return String(equalityKeyOf(field, parsed.value));
}

async function askFor(
  context: ReadContext,
  lookup: Lookup,
  values: readonly string[],
): Promise<ReadonlyMap<string, Resolution>> {
  const found = new Map<string, Resolution>();
  for (let start = 0; start < values.length; start += LIMITS.inValues) {
    const part = values.slice(start, start + LIMITS.inValues);
    for await (const [value, id] of readIds(context, lookup, part)) {
      found.set(value, found.has(value) ? 'ambiguous' : { id });
    }
  }
  return found;
}

async function* readIds(
  context: ReadContext,
  { object, field }: Lookup,
  values: readonly string[],
): AsyncGenerator<readonly [value: string, id: string]> {
  const param = field.key;
  const wanted = values.map((value) => operandOf(field, value));
  const query = recordQuery({
    where: { param, field: field.key, op: 'in', value: wanted, text: false },
    fields: [field.key],
  });
  let cursor: string | undefined;
  do {
    const page = await readPage(context, object, {
      endpoint: 'import',
      query,
      limit: PAGE,
      cursor,
    });
    for (const row of page.rows)
      yield [String(equalityKeyOf(field, row[field.column])), String(row.id)];
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/** The canonical text in the type a filter of the body takes. */
function operandOf(field: Field, value: string): unknown {
  const parsed = parseOperandOf(field, value, true);
  return 'value' in parsed ? parsed.value : value;
}

/** People and agents by their e-mail or name. */
export type People = Readonly<Record<keyof typeof KEYS, Resolutions>>;

const KEYS = {
  email: { type: 'email', cast_type: 'text' },
  name: { type: 'text', cast_type: 'text' },
} as const;

/** The key by which a person is found: like values of such a field, an address in any case. */
export function personKey(by: keyof typeof KEYS, text: string): string {
  return String(equalityKeyOf(KEYS[by], by === 'email' ? text.toLowerCase() : text));
}

/**
 * All people and agents, because any of them may have made a record: those who have left unless somebody active has the
 * e-mail or name.
 */
export async function loadPeople({ db, model }: ReadContext): Promise<People> {
  const users = [...(await loadKeyUsers(db, model.schema)).values()];
  const resolutionsBy = (by: keyof typeof KEYS): Resolutions => {
    const [former, active] = [new Map<string, Resolution>(), new Map<string, Resolution>()];
    for (const user of users) {
      const text = user[by];
      if (!text) continue;
      const [people, key] = [user.active ? active : former, personKey(by, text)];
      people.set(key, people.has(key) ? 'ambiguous' : { id: user.id });
    }
    return new Map([...former, ...active]);
  };
  return { email: resolutionsBy('email'), name: resolutionsBy('name') };
}
