// The memory of a dry run, which writes no row: the records that earlier rows would have made, in this file and in
// earlier ones, and the unique values they would have taken.

import { say } from '../messages/message.ts';
import type { Field } from '../model/definition/model.ts';
import { equalityKeyOf } from '../model/values/field-types.ts';
import type { ImportPlan } from './mapping/compile-mapping.ts';
import type { Lookup } from './mapping/compile-target.ts';
import type { BuiltRow } from './rows/build-rows.ts';
import type { RowProblem } from './rows/read-rows.ts';
import { lookupsOf, nameOf, namesOf } from './rows/row-names.ts';

export interface Rehearsal {
  /** A row that is being tried may take a value that this one has: it has to be tried before. */
  meets(built: BuiltRow): boolean;
  /** The row is about to be tried. */
  hold(built: BuiltRow): void;
  /** The row has been tried. */
  release(built: BuiltRow): void;
  /** Problems the row would have with rows before it. */
  problemsOf(built: BuiltRow): readonly RowProblem[];
  /** The row would have been written. Undefined: it is the first one of its record. */
  remember(built: BuiltRow): Repetition | undefined;
  /** True when a row of an earlier file would have made the record that is looked up so. */
  promises(lookup: Lookup, value: string): boolean;
}

/** A row for a record that a row before it would have written. */
interface Repetition {
  /** The line of the first one in the same file; undefined: the record is of earlier files alone. */
  readonly firstLine: number | undefined;
}

/** A dry run of these files in their order: answers the rehearsal of each of them, to be used one after the other. */
export function openRehearsals(plans: readonly ImportPlan[]): (plan: ImportPlan) => Rehearsal {
  const names = new Set<string>();
  const lookups = plans
    .slice(1)
    .flatMap((plan) => [
      ...lookupsOf(plan),
      ...plan.brought.map((object) => ({ object, field: object.fields.get('id') as Field })),
    ]);
  const memories = new Map<string, Memory>();
  let file = 0;
  return (plan) => {
    const memory = memories.get(recordsOf(plan)) ?? { keys: new Set(), taken: new Map() };
    memories.set(recordsOf(plan), memory);
    file += 1;
    return openRehearsal({ plan, file }, memory, { names, lookups });
  };
}

/** A text that is equal for files whose rows may be the same records: those of an object, found by the same fields. */
function recordsOf({ object, match }: ImportPlan): string {
  return JSON.stringify([object.object_type, match.map(({ key }) => key)]);
}

interface Promised {
  /** The names by which later files may refer to the records that would be there. */
  readonly names: Set<string>;
  /** The look-ups of later files. */
  readonly lookups: readonly Lookup[];
}

/** The records that rows of an object would have made, in this file and in earlier ones. */
interface Memory {
  /** The keys of the records. */
  readonly keys: Set<string>;
  /** Unique value → the record that would have it. */
  readonly taken: Map<string, string>;
}

interface PlannedFile {
  readonly plan: ImportPlan;
  /** The number of the file in the import, from 1. */
  readonly file: number;
}

function openRehearsal(
  { plan, file }: PlannedFile,
  { keys, taken }: Memory,
  { names, lookups }: Promised,
): Rehearsal {
  /** Key of a record → line of its first row in this file. */
  const lines = new Map<string, number>();
  const held = new Set<string>();
  const identityOf = ({ key, row }: BuiltRow) => key ?? `file ${file}, line ${row.line}`;
  const valuesOf = uniqueValuesOf();
  return {
    meets: (built) => valuesOf(built).some(([, value]) => held.has(value)),
    hold(built) {
      for (const [, value] of valuesOf(built)) held.add(value);
    },
    release(built) {
      for (const [, value] of valuesOf(built)) held.delete(value);
    },
    problemsOf(built) {
      return valuesOf(built).flatMap(([field, value]) => {
        const owner = taken.get(value);
        if (owner === undefined || owner === identityOf(built)) return [];
        return [{ field: field.storage_key, reason: say('value_taken').text }];
      });
    },
    remember(built) {
      for (const [, value] of valuesOf(built)) taken.set(value, identityOf(built));
      for (const name of namesOf(built, plan, lookups)) names.add(name);
      const { key, row } = built;
      if (key === undefined) return undefined;
      const firstLine = lines.get(key);
      if (firstLine === undefined) lines.set(key, row.line);
      const isRepeated = keys.has(key);
      keys.add(key);
      return isRepeated ? { firstLine } : undefined;
    },
    promises: (lookup, value) => names.has(nameOf(lookup, value)),
  };
}

type UniqueValues = readonly (readonly [Field, string])[];

/** The unique values of a row, made once for each. */
function uniqueValuesOf(): (built: BuiltRow) => UniqueValues {
  const known = new WeakMap<BuiltRow, UniqueValues>();
  return (built) => {
    const values = known.get(built) ?? uniqueValues(built);
    known.set(built, values);
    return values;
  };
}

function uniqueValues({ values }: BuiltRow): UniqueValues {
  return [...values].flatMap(([{ field }, value]) =>
    field.unique && value !== null
      ? [[field, JSON.stringify([field.key, equalityKeyOf(field, value)])] as const]
      : [],
  );
}
