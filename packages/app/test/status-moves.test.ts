// Where a record may be moved to: what its workflow lists, and what needs somebody else.

import type { ObjectDefinition, Workflow } from '@workspace-records/client';
import { expect, test } from 'vitest';
import { obstacleText } from '../src/editing/move-words.ts';
import {
  isFinal,
  movesFrom,
  obstacleOf,
  workflowReferenceOf,
  workflowReferencesOf,
} from '../src/editing/status-moves.ts';
import { translate } from '../src/lib/messages/index.ts';

const approvers = { users: [{ id: 1, name: 'Mia' }], teams: [{ id: 2, name: 'South' }] };
const to = (id: string) => ({ id, name: id.toUpperCase() });
const gated = (id: string, can_approve: boolean, can_approve_own = false) => ({
  ...to(id),
  ...{ requires_approval: true as const, can_approve, can_approve_own, approvers },
});

const WORKFLOW: Workflow = {
  ...{ id: 'flow', key: 'flow', name: 'Flow' },
  statuses: [
    { id: 'a', name: 'A', transitions: [to('b'), gated('c', false), gated('d', true), to('a')] },
    { id: 'b', name: 'B', transitions: [] },
    { id: 'c', name: 'C', transitions: [to('a')] },
    { id: 'd', name: 'D', transitions: [] },
  ],
};

test.each([
  ['a', 'b', undefined],
  ['a', 'c', { kind: 'approval', approvers }],
  ['a', 'd', undefined],
  ['a', 'a', { kind: 'here' }],
  ['b', 'b', { kind: 'here' }],
  ['b', 'a', { kind: 'unlisted' }],
  ['c', 'b', { kind: 'unlisted' }],
  ['a', 'e', { kind: 'foreign' }],
  ['e', 'a', { kind: 'unlisted' }],
  [null, 'a', { kind: 'unlisted' }],
] as const)('from %s to %s', (from, target, obstacle) => {
  expect(obstacleOf(WORKFLOW, from, target)).toEqual(obstacle);
});

test('the moves of a status are those that it lists, with what closes some of them', () => {
  const moves = movesFrom(WORKFLOW, 'a', false).map(({ status, obstacle, isApproval }) => {
    return [status, obstacle?.kind, isApproval];
  });
  expect(moves).toEqual([
    ['b', undefined, false],
    ['c', 'approval', true],
    ['d', undefined, true],
    ['a', 'here', false],
  ]);
  expect(movesFrom(WORKFLOW, 'b', false)).toEqual([]);
});

test('a move of an own record needs somebody else, unless its gate lets approvers approve alone', () => {
  expect(obstacleOf(WORKFLOW, 'a', 'd', true)).toEqual({ kind: 'approval', approvers });
  expect(movesFrom(WORKFLOW, 'a', true)[2]).toMatchObject({ obstacle: { kind: 'approval' } });
  const [first, ...others] = WORKFLOW.statuses;
  const alone = { ...first, transitions: [gated('d', true, true)] } as Workflow['statuses'][number];
  expect(obstacleOf({ ...WORKFLOW, statuses: [alone, ...others] }, 'a', 'd', true)).toBe(undefined);
});

test('a work item has the workflow of its type, and each workflow is there once', () => {
  const reference = (id: string) => ({ id, key: id, name: id });
  const type = (slug: string, workflow: string) => ({
    ...{ id: slug, slug, key: slug, name: slug },
    workflow: reference(workflow),
  });
  const object = {
    workflow: null,
    work_item_types: [type('task', 'flow'), type('permit', 'approval'), type('chore', 'flow')],
  } as unknown as ObjectDefinition;
  expect(workflowReferencesOf(object).map(({ id }) => id)).toEqual(['flow', 'approval']);
  expect(workflowReferenceOf(object, { work_item_type_id: 'permit' })?.id).toBe('approval');
  expect(workflowReferenceOf(object, { work_item_type_id: 'gone' })).toBeUndefined();
});

test('a status is final when no move leads out of it', () => {
  expect(['a', 'b', 'c', 'd', 'e'].map((status) => isFinal(WORKFLOW, status))).toEqual([
    ...[false, true, false, true, true],
  ]);
});

test.each([
  [approvers, 'Needs the approval of Mia or the team South.'],
  [{ users: [], teams: [] }, 'Needs approval. Your role does not show who decides.'],
  [undefined, 'Needs the approval of someone else.'],
])('the approvers are named as far as the person may know them: %j', (known, text) => {
  const words = { t: translate(), language: 'en' } as const;
  const obstacle = { kind: 'approval', approvers: known } as const;
  expect(obstacleText(obstacle, { from: 'A', to: 'B' }, words)).toBe(text);
});
