// Changed rules of moves that need approval, each as a sentence about its move. Pure.

import { GATE_DEFAULTS } from '@workspace-records/client';
import { phraseOf, valuesOf } from '../../fields/field-filter.ts';
import { filterOf } from '../../fields/filters.ts';
import { nameAt } from '../../lib/definition/changes.ts';
import {
  type FieldEntry,
  type GateCondition,
  type GateEntry,
  type Path,
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

/** `path`: of the moves from a status. A move that gets or loses its approval reads so in the list of moves. */
export function tellGates({ path, before, after }: Edit, telling: Telling): readonly ToldMove[] {
  return gatesOf(after).flatMap((now) => {
    const old = gatesOf(before).find(({ to }) => to === now.to);
    if (old === undefined) return [];
    const status = nameAt(telling.documents, [...path.slice(0, 3), now.to]);
    const setting = telling.t('gate.moveTo', { status });
    return sentencesOf(old, now, { path, telling }).map((sentence) => ({
      setting,
      after: sentence,
    }));
  });
}

function gatesOf(moves: unknown): readonly GateEntry[] {
  if (!Array.isArray(moves)) return [];
  return (moves as readonly TransitionEntry[]).filter((move) => typeof move === 'object');
}

interface Place {
  readonly path: Path;
  readonly telling: Telling;
}

function sentencesOf(old: GateEntry, now: GateEntry, place: Place): readonly string[] {
  const { t } = place.telling;
  const [before, after] = [old, now].map((gate) => ({ ...GATE_DEFAULTS, ...gate })) as [
    Required<GateEntry>,
    Required<GateEntry>,
  ];
  const { required: count, from, expires_days: days, self_approval: isSelf } = after;
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

function approversText(old: GateEntry, now: GateEntry, { documents, t }: Telling): string {
  const [before, names] = [old, now].map(({ approvers: { users = [], teams = [] } }) =>
    [...teams, ...users.map((email) => nameAt(documents, ['users', email]))].join(', '),
  ) as [string, string];
  return t('gate.toldApprovers', { names, before });
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
