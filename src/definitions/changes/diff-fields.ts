// The part of the difference between two definitions that is one field of an object: its type, its place,
// its indexes, what it refers to, and the rules for its values. Pure.

import { isDeepStrictEqual } from 'node:util';
import type { ValueRules } from '../../model/field-type.ts';
import { FIELD_TYPE_TRAITS } from '../../model/field-types.ts';
import type { Field, ObjectModel } from '../../model/model.ts';
import type { Change } from './change.ts';
import { change, type Notice, named } from './diff-entries.ts';
import type { Step } from './kinds/index.ts';
import { fieldPath } from './kinds/parts.ts';
import type { Requirement } from './requirement.ts';

/** `old` and `from` are before the change, `object` and `field` after it. */
export function diffField(
  old: ObjectModel,
  object: ObjectModel,
  from: Field,
  field: Field,
): Change[] {
  const name = `field ${object.object_type}.${field.key}`;
  const changes: Change[] = [];
  const add = (step: Step, summary: string, notice?: Notice) =>
    changes.push(change(step, summary, notice));
  if (from.type !== field.type) {
    const retyped = diffType(old, object, from, field);
    if (retyped.refusal !== null) return [retyped];
    changes.push(retyped);
  }
  if (from.indexed && !field.indexed) {
    add({ kind: 'unindex_field', object, field: from }, `- index of ${name}`);
  }
  const isComparedAnew = equalityOf(from) !== equalityOf(field);
  if (from.unique && (!field.unique || isComparedAnew)) {
    add({ kind: 'drop_unique', object, field: from }, `- uniqueness of ${name}`);
  }
  if (from.storage !== field.storage) {
    add(
      { kind: 'move_field', object, field },
      `~ ${name} (storage ${from.storage} -> ${field.storage})`,
    );
  }
  changes.push(...diffReference(old, object, from, field));
  if (field.indexed && !from.indexed) {
    add({ kind: 'index_field', object, field }, `+ index of ${name}`);
  }
  if (field.unique && (!from.unique || isComparedAnew)) {
    // The values of before, by what they will be equal by.
    const compared = { ...from, type: field.type };
    const requirement: Requirement = { kind: 'values_distinct', object: old, field: compared };
    add({ kind: 'make_unique', object, field }, `+ uniqueness of ${name}`, {
      requirements: [requirement],
    });
  }
  changes.push(...diffWords(old, object, from, field));
  return changes;
}

function equalityOf({ type }: Field): unknown {
  return FIELD_TYPE_TRAITS[type].equalityKey;
}

function diffType(old: ObjectModel, object: ObjectModel, from: Field, field: Field): Change {
  const place = `${object.object_type}.${field.key}`;
  const summary = `~ field ${place} (type ${from.type} -> ${field.type})`;
  const { becomes } = FIELD_TYPE_TRAITS[from.type];
  const conversion = Object.hasOwn(becomes, field.type) ? becomes[field.type] : undefined;
  if (conversion === undefined) {
    const refusal = `${place}: ${from.type} cannot become ${field.type}; add a new field instead`;
    const path = fieldPath({ object, field });
    return change({ kind: 'note', path }, summary, { refusal });
  }
  const fitting: Requirement = { kind: 'values_fit', object: old, field: from, into: field };
  return change({ kind: 'retype_field', object, from, field }, summary, {
    loss: conversion.loses === true ? `${old.object_type}.${from.key}` : null,
    requirements: conversion.isPartial === true ? [fitting] : [],
    expectations: conversion.loses === true ? [fitting] : [],
  });
}

function diffReference(old: ObjectModel, object: ObjectModel, from: Field, field: Field): Change[] {
  if (FIELD_TYPE_TRAITS[field.type].refersTo !== 'record') return [];
  const target = field.reference_object_type;
  const retargeted = from.reference_object_type !== target;
  if (!retargeted && from.on_delete === field.on_delete) return [];
  const requirement: Requirement = { kind: 'field_empty', object: old, field: from };
  const what = retargeted ? `refers to ${target}` : 'effect of deleting the target';
  const summary = `~ field ${object.object_type}.${field.key} (${what})`;
  return [
    change({ kind: 'rebuild_reference', object, field }, summary, {
      requirements: retargeted ? [requirement] : [],
    }),
  ];
}

/** Changes without effect on the database: names, rules, options. */
function diffWords(old: ObjectModel, object: ObjectModel, from: Field, field: Field): Change[] {
  const words: string[] = (
    ['name', 'description', 'required', 'editable', 'default'] as const
  ).filter((word) => !isDeepStrictEqual(from[word], field[word]));
  const optionsOf = ({ rules }: Field) => rules.options ?? [];
  if (!isDeepStrictEqual(optionsOf(from), optionsOf(field))) words.push('options');
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

/** What values written so far may not keep to: they stay, and are checked when they are written again. */
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
