// A plan in words: the entry that a path means, what a change does to records, and how long all of it takes. Pure.

import '../../lib/plan-texts.ts';
import type { DefinitionPlan } from '@workspace-records/client';
import { type DraftChange, entryOf, nameAt } from '../../lib/definition/changes.ts';
import type { DefinitionDocument, Path } from '../../lib/definition/document.ts';
import { isSamePath } from '../../lib/definition/edits.ts';
import type { PlanProblem } from '../../lib/definition/plan.ts';
import type { PlainKey, Translate } from '../../lib/messages/index.ts';
import { settingKey } from './setting-words.ts';
import type { Telling } from './value-words.ts';

export type PlannedChange = DefinitionPlan['changes'][number];

const NOUNS: Readonly<Record<string, PlainKey>> = {
  objects: 'plan.object',
  fields: 'plan.field',
  relationships: 'plan.relationship',
  workflows: 'plan.workflow',
  statuses: 'plan.status',
  work_item_types: 'plan.type',
  roles: 'plan.role',
  users: 'audit.user',
  teams: 'audit.team',
};

export const ACTIONS: Readonly<Record<DraftChange['action'], PlainKey>> = {
  add: 'plan.add',
  remove: 'plan.remove',
  change: 'plan.change',
  rename: 'plan.rename',
};

/** The name of a path, such as: Field “Amount” of Deals. */
export function placeText(
  path: Path,
  documents: readonly DefinitionDocument[],
  t: Translate,
): string {
  const noun = NOUNS[path.at(-2) ?? ''];
  if (noun === undefined) return t('plan.workspace');
  const name = nameAt(documents, path);
  if (path.length < 4) return t('plan.entry', { noun: t(noun), name });
  const owner = nameAt(documents, path.slice(0, 2));
  return t('plan.entryOf', { noun: t(noun), name, owner });
}

/** The entry that a problem is at; undefined where it is the changed one. */
export function placeWithin(
  changed: Path,
  problemPath: string,
  documents: readonly DefinitionDocument[],
  t: Translate,
): string | undefined {
  const path = entryOf(pathOf(problemPath));
  return isSamePath(path, changed) ? undefined : placeText(path, documents, t);
}

/** A change of the service, planned or applied. */
export type ServedChange = Pick<PlannedChange, 'path' | 'action' | 'summary'>;

export interface ToldChange {
  readonly path: Path;
  readonly action: DraftChange['action'];
  readonly place: string;
  /** The changed settings, with commas. */
  readonly settings: string;
}

/** Changes of the service as people count them: everything about one entry is one. */
export function tellServed(
  changes: readonly ServedChange[],
  { documents, t }: Telling,
): readonly ToldChange[] {
  return servedEntries(changes).map((path) => {
    const all = changes.filter((one) => isSamePath(entryOf(pathOf(one.path)), path));
    const action = actionOf(path, all);
    const settings = action === 'change' ? all.flatMap((one) => settingsOf(path, one, t)) : [];
    const place = placeText(path, documents, t);
    return { path, action, place, settings: [...new Set(settings)].join(', ') };
  });
}

/** Each entry once: as many as there are changes. */
export function servedEntries(changes: readonly ServedChange[]): readonly Path[] {
  const entries = changes.map(({ path }) => entryOf(pathOf(path)));
  return [...new Map(entries.map((path) => [path.join('.'), path])).values()];
}

/** The only keys with dots are those of people and teams. */
function pathOf(text: string): Path {
  const [section = '', ...rest] = text.split('.');
  return isOfPeople([section]) ? [section, rest.join('.')] : [section, ...rest];
}

function isOfPeople([section]: Path): boolean {
  return section === 'users' || section === 'teams';
}

function actionOf(path: Path, all: readonly ServedChange[]): DraftChange['action'] {
  const whole = all.filter((one) => isSamePath(pathOf(one.path), path));
  return whole.find(({ action }) => action !== 'change')?.action ?? 'change';
}

/** The settings that a change concerns, from its path, else from the words in brackets in its summary. */
function settingsOf(entry: Path, { path, summary }: ServedChange, t: Translate): string[] {
  const whole = pathOf(path);
  // Settings of people and teams are not those of the data model.
  if (isOfPeople(whole)) return [];
  const words = /\(([^()]*)\)$/.exec(summary)?.[1]?.split(/, | /) ?? [];
  const paths = whole.length > entry.length ? [whole] : words.map((word) => [...entry, word]);
  return paths.flatMap((one) => settingKey(one) ?? []).map((key) => t(key));
}

export interface MatchedChange {
  readonly change: DraftChange;
  readonly planned: readonly PlannedChange[];
  readonly problems: readonly PlanProblem[];
}

export interface MatchedPlan {
  readonly changes: readonly MatchedChange[];
  /** Effects of the changes elsewhere. */
  readonly others: readonly PlannedChange[];
  readonly problems: readonly PlanProblem[];
}

/** The plan of the service beside the changes that people made. */
export function matchPlan(changes: readonly DraftChange[], plan: DefinitionPlan): MatchedPlan {
  const paths = changes.map(({ path }) => path.join('.'));
  const ownerOf = (path: string) => nearest(paths, path);
  const of = <Part extends { readonly path: string }>(parts: readonly Part[], at: number) =>
    parts.filter((part) => ownerOf(part.path) === at);
  return {
    changes: changes.map((change, at) => ({
      change,
      planned: of(plan.changes, at),
      problems: of(plan.problems, at),
    })),
    others: of(plan.changes, -1),
    problems: of(plan.problems, -1),
  };
}

/** The change at the path, else the one that it is in, else the first that is in it. */
function nearest(paths: readonly string[], path: string): number {
  const isIn = (inner: string, outer: string) => inner === outer || inner.startsWith(`${outer}.`);
  const around = paths
    .map((one, at) => ({ one, at }))
    .filter(({ one }) => isIn(path, one))
    .toSorted((a, b) => b.one.length - a.one.length)[0];
  return around?.at ?? paths.findIndex((one) => path !== '' && isIn(one, path));
}

/** The effect of the change on records; undefined: none, or a problem blocks it and says why. */
export function effectText(
  { effect, rows, action, path }: PlannedChange,
  problems: readonly PlanProblem[],
  t: Translate,
): string | undefined {
  const count = rows;
  if (effect === 'loses') return count === 0 ? t('plan.losesNone') : t('plan.loses', { count });
  if (rows === 0 || problems.some((problem) => problem.path === path)) return undefined;
  if (effect === 'rewrites') return t('plan.rewrites', { count });
  return action === 'remove' ? undefined : t('plan.unfit', { count });
}

export interface Loss {
  /** The name of the loss, which the person types and the service requires. */
  readonly name: string;
  /** A line such as: Removed: Field “Phone” of Deals. */
  readonly text: string;
}

export function lossesOf({ changes }: DefinitionPlan, telling: Telling): readonly Loss[] {
  const names = new Set(changes.flatMap(({ allow }) => allow ?? []));
  return [...names].map((name) => {
    const losing = changes.filter(({ allow }) => allow === name);
    const told = tellServed(losing, telling).map((one) => servedText(one, telling.t));
    return { name, text: told.join(', ') };
  });
}

export function servedText({ action, place, settings }: ToldChange, t: Translate): string {
  const text = t('plan.served', { action: t(ACTIONS[action]), place });
  return settings === '' ? text : `${text} (${settings})`;
}

/** Undefined: at once. */
export function durationText({ changes }: DefinitionPlan, t: Translate): string | undefined {
  const seconds = changes.reduce((sum, { expected_ms }) => sum + expected_ms, 0) / 1000;
  if (seconds < 1) return undefined;
  if (seconds < 90) return t('plan.seconds', { count: Math.round(seconds) });
  return t('plan.minutes', { count: Math.round(seconds / 60) });
}
