// New and changed rules of moves that need approval, each as a sentence about its move. Pure.

import '../../lib/plan-texts.ts';
import { GATE_DEFAULTS } from '@workspace-records/client';
import { phraseOf, valuesOf } from '../../fields/field-filter.ts';
import { filterOf } from '../../fields/filters.ts';
import { nameAt } from '../../lib/definition/changes.ts';
import {
  type FieldEntry,
  type GateCondition,
  type GateEntry,
  type Path,
  type StatusEntry,
  type TransitionEntry,
  valueAt,
} from '../../lib/definition/document.ts';
import { type Edit, isSame } from '../../lib/definition/edits.ts';
import { usersOfWorkflow } from '../../lib/definition/remove.ts';
import type { Translate } from '../../lib/messages/index.ts';
import type { Operator } from '../../lib/where.ts';
import type { Telling } from './value-words.ts';

export interface ToldMove {
  /** The name of the setting, such as: Move to Won. */
  readonly setting: string;
  readonly after: string;
}

/** The approval rules of the moves from a status that are new or changed; `path` is that of the moves. */
export function tellGates({ path, before, after }: Edit, telling: Telling): readonly ToldMove[] {
  return gatesOf(after).flatMap((now) => {
    const old = gatesOf(before).find(({ to }) => to === now.to);
    const status = nameAt(telling.documents, [...path.slice(0, 3), now.to]);
    const setting = telling.t('gate.moveTo', { status });
    const place = { path, telling };
    const sentences =
      old === undefined ? newSentences(now, place) : changedSentences(old, now, place);
    return sentences.map((sentence) => ({ setting, after: sentence }));
  });
}

/** The approval rules of a new workflow, whose statuses are at `path`. */
export function tellNewGates({ path, after }: Edit, telling: Telling): readonly ToldMove[] {
  const statuses = Object.entries(Object(after) as Readonly<Record<string, StatusEntry>>);
  return statuses.flatMap(([key, { name, transitions }]) =>
    tellGates({ path: [...path, key, 'transitions'], after: transitions }, telling).map((told) => ({
      ...told,
      setting: `${name}, ${told.setting}`,
    })),
  );
}

function gatesOf(moves: unknown): readonly GateEntry[] {
  if (!Array.isArray(moves)) return [];
  return (moves as readonly TransitionEntry[]).filter((move) => typeof move === 'object');
}

interface Place {
  readonly path: Path;
  readonly telling: Telling;
}

/** Rules that differ from the defaults are named. */
function newSentences(gate: GateEntry, place: Place): readonly string[] {
  const { t } = place.telling;
  const { required: count, from, expires_days: days, self_approval: isSelf } = withDefaults(gate);
  return [
    t('gate.newApprovers', { names: approverNames(gate, place.telling) }),
    count !== GATE_DEFAULTS.required && t('gate.newRequired', { count }),
    from !== GATE_DEFAULTS.from && t('gate.newEach'),
    gate.when !== undefined && whenText(undefined, gate.when, place),
    isSelf && t('gate.newSelf'),
    days !== GATE_DEFAULTS.expires_days && t('gate.newExpires', { count: days }),
  ].filter((sentence) => typeof sentence === 'string');
}

function changedSentences(old: GateEntry, now: GateEntry, place: Place): readonly string[] {
  const { t } = place.telling;
  const before = withDefaults(old);
  const { required: count, from, expires_days: days, self_approval: isSelf } = withDefaults(now);
  return [
    !isSame(old.approvers, now.approvers) && approversText(old, now, place.telling),
    count !== before.required && t('gate.toldRequired', { count, before: before.required }),
    from !== before.from && t(from === 'each' ? 'gate.toldEach' : 'gate.toldAny'),
    !isSame(old.when, now.when) && whenText(old.when, now.when, place),
    isSelf !== before.self_approval && t(isSelf ? 'gate.toldSelf' : 'gate.toldNotSelf'),
    days !== before.expires_days &&
      t('gate.toldExpires', { count: days, before: before.expires_days }),
  ].filter((sentence) => typeof sentence === 'string');
}

function withDefaults(gate: GateEntry) {
  return { ...GATE_DEFAULTS, ...gate };
}

function approversText(old: GateEntry, now: GateEntry, telling: Telling): string {
  const [before, names] = [old, now].map((gate) => approverNames(gate, telling)) as [
    string,
    string,
  ];
  return telling.t('gate.toldApprovers', { names, before });
}

function approverNames({ approvers: { users = [], teams = [] } }: GateEntry, telling: Telling) {
  const people = users.map((email) => nameAt(telling.documents, ['users', email]));
  return [...teams, ...people].join(', ');
}

function whenText(
  old: GateCondition | undefined,
  now: GateCondition | undefined,
  place: Place,
): string {
  const { t } = place.telling;
  const before = old === undefined ? '' : conditionText(old, place);
  if (now === undefined) return t('gate.toldAlways', { before });
  const condition = conditionText(now, place);
  return before === ''
    ? t('gate.toldWhen', { condition })
    : t('gate.toldOtherWhen', { condition, before });
}

/** A condition in words, such as: Amount is more than 10000. */
function conditionText({ field: key, op, value }: GateCondition, place: Place): string {
  const { documents, t } = place.telling;
  const path = fieldPath(key, place);
  const field = documents.flatMap((one) => (valueAt(one, path) as FieldEntry | undefined) ?? [])[0];
  const filter = field && filterOf(field);
  const phrase = filter && phraseOf(filter, { op: op as Operator, value });
  const name = nameAt(documents, path);
  if (field === undefined || phrase === undefined) return `${name} ${op} ${String(value)}`;
  const values = valuesOf(phrase, value).map((one) => operandText(one, field, t));
  const between = phrase.takes === 'two' ? ` ${t('filter.and')} ` : ', ';
  return [name, t(phrase.label), values.join(between)].join(' ').trim();
}

function operandText(value: unknown, { options = [] }: FieldEntry, t: Translate): string {
  if (typeof value === 'boolean') return t(value ? 'fields.yes' : 'fields.no');
  return options.find((option) => option.value === value)?.label ?? String(value);
}

/** The path of the field in the first object that has the workflow. */
function fieldPath(key: string, { path: [, id = ''], telling: { documents } }: Place): Path {
  const types = documents.flatMap((document) =>
    usersOfWorkflow(document, id).map(([section, type = '']) =>
      section === 'objects' ? type : 'work_items',
    ),
  );
  return ['objects', types[0] ?? '', 'fields', key];
}
