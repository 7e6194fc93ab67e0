// The part of the difference between two definitions that is one field of an object: its type, its place, its
// indexes, its target, and the rules for its values. Pure.

import { isDeepStrictEqual } from 'node:util';
import type { Field, ObjectModel } from '../../../model/definition/model.ts';
import type { ValueRules } from '../../../model/values/field-type.ts';
import type { Change } from '../change.ts';
import { change, named } from '../change-notice.ts';
import { findLostIndexes, findNewIndexes } from '../kinds/field-indexes.ts';
import { findMove } from '../kinds/move-field.ts';
import { fieldPath } from '../kinds/parts.ts';
import { findFormula } from '../kinds/put-formula.ts';
import { findReference } from '../kinds/rebuild-reference.ts';
import { findType } from '../kinds/retype-field.ts';
import { findLostInTrash } from '../kinds/trash.ts';
import type { Requirement } from '../requirement.ts';

/** `old` and `from` are before the change, `object` and `field` after it. */
export function diffField(
  old: ObjectModel,
  object: ObjectModel,
  from: Field,
  field: Field,
): readonly Change[] {
  const computed = findFormula(old, object, from, field);
  const retyped = computed ?? findType(old, object, from, field);
  if (retyped.some(({ refusal }) => refusal !== null)) return retyped;
  return [
    ...(computed === undefined ? retyped : []),
    ...findLostIndexes(object, from, field),
    // The column of a formula goes with its indexes.
    ...(computed ?? []),
    ...findMove(object, from, field),
    ...findLostInTrash(old, object, from, field),
    ...findReference(old, object, from, field),
    ...findNewIndexes(old, object, from, field),
    ...diffWords(old, object, from, field),
  ];
}

/** Changes without effect on the database: names, rules, options. */
function diffWords(old: ObjectModel, object: ObjectModel, from: Field, field: Field): Change[] {
  const words: string[] = (
    ['name', 'description', 'section', 'required', 'editable', 'default'] as const
  ).filter((word) => !isDeepStrictEqual(from[word], field[word]));
  const optionsOf = ({ rules }: Field) => rules.options ?? [];
  if (!isDeepStrictEqual(optionsOf(from), optionsOf(field))) words.push('options');
  else if (!isDeepStrictEqual(from.colors, field.colors)) words.push('colors');
  if (!isDeepStrictEqual(limitsOf(from), limitsOf(field))) words.push('constraints');
  if (words.length === 0) return [];
  const kept = new Set(optionsOf(field).map(({ value }) => value));
  const values = optionsOf(from)
    .map((option) => option.value)
    .filter((value) => !kept.has(value));
  const isChecked = values.length > 0 && from.type === field.type;
  const requirement: Requirement = { kind: 'options_unused', object: old, field: from, values };
  const removed = isChecked ? ` without ${named(values)}` : '';
  const summary = `~ field ${object.object_type}.${field.key} (${words.join(', ')}${removed})`;
  return [
    change({ kind: 'note', path: fieldPath({ object, field }) }, summary, {
      requirements: isChecked ? [requirement] : [],
      expectations: expectationsOf(old, from, field),
    }),
  ];
}

/** Rules that existing values may violate: they stay, and are checked when they are written again. */
function expectationsOf(object: ObjectModel, from: Field, into: Field): readonly Requirement[] {
  const isStricter = from.type === into.type && isTightened(from.rules, into.rules);
  return [
    ...(into.required && !from.required
      ? [{ kind: 'field_filled', object, field: from } as const]
      : []),
    ...(isStricter ? [{ kind: 'values_fit', object, field: from, into } as const] : []),
  ];
}

/** Options that go are a requirement of their own. */
function isTightened(from: ValueRules, into: ValueRules): boolean {
  const { minimum = -Infinity, maximum = Infinity, minLength = 0 } = into;
  const { maxLength = Infinity, scale = Infinity, pattern } = into;
  return (
    minimum > (from.minimum ?? -Infinity) ||
    maximum < (from.maximum ?? Infinity) ||
    minLength > (from.minLength ?? 0) ||
    maxLength < (from.maxLength ?? Infinity) ||
    scale < (from.scale ?? Infinity) ||
    (pattern !== undefined && pattern !== from.pattern)
  );
}

function limitsOf(field: Field): Readonly<Record<string, unknown>> {
  const described = ['unique', 'reference_object_type', 'on_delete', 'default'];
  const entries = Object.entries(field.constraints ?? {});
  return Object.fromEntries(entries.filter(([word]) => !described.includes(word)));
}
