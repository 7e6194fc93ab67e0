// What a dry run must remember because nothing is written: which records the rows before would have
// made, and which unique values they would have taken.

import { equalityKeyOf } from '../model/field-types.ts';
import type { Field } from '../model/model.ts';
import type { BuiltRow } from './build-rows.ts';
import type { RowProblem } from './read-rows.ts';

export interface Rehearsal {
  /** A row that is about to be tried would take a value that this one has: it has to be tried before. */
  meets(built: BuiltRow): boolean;
  /** The row is about to be tried. */
  hold(built: BuiltRow): void;
  /** No row is about to be tried any more. */
  release(): void;
  /** Problems the row would have with rows before it. */
  problemsOf(built: BuiltRow): readonly RowProblem[];
  /** The row would have been written. Answers whether a row before has written the same record. */
  remember(built: BuiltRow): boolean;
}

export function openRehearsal(): Rehearsal {
  const keys = new Set<string>();
  /** Unique value → the record that would have it. */
  const taken = new Map<string, string>();
  const held = new Set<string>();
  return {
    meets: (built) => uniqueValues(built).some(([, value]) => held.has(value)),
    hold(built) {
      for (const [, value] of uniqueValues(built)) held.add(value);
    },
    release: () => held.clear(),
    problemsOf(built) {
      return uniqueValues(built).flatMap(([field, value]) => {
        const owner = taken.get(value);
        if (owner === undefined || owner === identityOf(built)) return [];
        return [{ field: field.storage_key, reason: 'Another record has this value already.' }];
      });
    },
    remember(built) {
      for (const [, value] of uniqueValues(built)) taken.set(value, identityOf(built));
      const isKnown = built.key !== undefined && keys.has(built.key);
      if (built.key !== undefined) keys.add(built.key);
      return isKnown;
    },
  };
}

function identityOf({ key, row }: BuiltRow): string {
  return key ?? `line ${row.line}`;
}

function uniqueValues({ values }: BuiltRow): readonly (readonly [Field, string])[] {
  return [...values].flatMap(([{ field }, value]) =>
    field.unique && value !== null
      ? [[field, JSON.stringify([field.key, equalityKeyOf(field, value)])] as const]
      : [],
  );
}
