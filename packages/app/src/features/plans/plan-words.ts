// A plan in words: the entry that a path means, what a change does to records, and how long all of it takes. Pure.

import type { DefinitionPlan } from '@workspace-records/client';
import { type DraftChange, nameAt } from '../../lib/definition/changes.ts';
import type { DefinitionDocument, Path } from '../../lib/definition/document.ts';
import type { PlainKey, Translate } from '../../lib/messages/index.ts';

export type PlannedChange = DefinitionPlan['changes'][number];
export type PlanProblem = DefinitionPlan['problems'][number];

const NOUNS: Readonly<Record<string, PlainKey>> = {
  objects: 'plan.object',
  fields: 'plan.field',
  relationships: 'plan.relationship',
  workflows: 'plan.workflow',
  statuses: 'plan.status',
  work_item_types: 'plan.type',
  roles: 'plan.role',
};

/** Such as: Field “Amount” of Deals. */
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

/** The effect of the change on records; undefined: none. */
export function effectText(
  { effect, rows, action }: PlannedChange,
  t: Translate,
): string | undefined {
  const count = rows;
  if (effect === 'loses') return count === 0 ? t('plan.losesNone') : t('plan.loses', { count });
  if (rows === 0) return undefined;
  if (effect === 'rewrites') return t('plan.rewrites', { count });
  return action === 'remove' ? undefined : t('plan.unfit', { count });
}

/** Names that must be typed. */
export function lossesOf({ changes }: DefinitionPlan): readonly string[] {
  return [...new Set(changes.flatMap(({ allow }) => allow ?? []))];
}

/** Undefined: at once. */
export function durationText({ changes }: DefinitionPlan, t: Translate): string | undefined {
  const seconds = changes.reduce((sum, { expected_ms }) => sum + expected_ms, 0) / 1000;
  if (seconds < 1) return undefined;
  if (seconds < 90) return t('plan.seconds', { count: Math.round(seconds) });
  return t('plan.minutes', { count: Math.round(seconds / 60) });
}
