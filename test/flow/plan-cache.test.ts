// The callers that share a plan, and those that never do.

import { expect, test } from 'vitest';
import { cachedPlan } from '../../src/flow/records/read/plan-cache.ts';
import { plannedSearch } from '../../src/flow/records/read/search-statement.ts';
import type { Caller } from '../../src/model/rights/access.ts';
import { planExpanded } from '../../src/plan/read/expand-plan.ts';
import { basePlan, planList, type ReadPlan } from '../../src/plan/read/read-plan.ts';
import { recordQuery } from '../../src/plan/read/record-query.ts';
import { callerOf, objectOf, sampleModel } from '../sample-definition.ts';

const model = sampleModel();
const gadgets = objectOf(model, 'gadgets');
const ASKED = { endpoint: 'query', limit: 25, cursor: undefined } as const;

/** The plan of a page, and whether it was made for this request. */
function planned(caller: Caller, where: object = { all: [] }, own = model) {
  let isMade = false;
  const plan = cachedPlan({ model: own, caller }, JSON.stringify(where), (planner) => {
    isMade = true;
    const query = recordQuery({ where: where as never });
    return planList(own, planner, objectOf(own, 'gadgets'), { ...ASKED, query });
  });
  return { isMade, plan };
}

const someone = (role: string, id: number, more: object = {}) =>
  callerOf(model, [role], { id, ...more });

test('people with the same rights on all records share a plan, whatever their keys are', () => {
  const first = planned(someone('organisation', 1));
  const second = planned(someone('organisation', 2));
  expect([first.isMade, second.isMade]).toEqual([true, false]);
  expect(second.plan).toBe(first.plan);
});

test.each([
  ['other roles', someone('veiled', 1)],
  ['fewer scopes', someone('organisation', 1, { scopes: ['records:read'] })],
])('%s have a plan of their own', (_, caller) => {
  planned(someone('organisation', 1), { all: [] });
  const own = planned(caller);
  expect(own.isMade).toBe(true);
  expect(planned(caller).plan).toBe(own.plan);
});

test.each(['own', 'team'])(
  'a reach of %s is that of one person, with any of their keys',
  (role) => {
    const [one, same, other] = [7, 7, 8].map((id) => planned(someone(role, id)));
    expect([one?.isMade, same?.isMade, other?.isMade]).toEqual([true, false, true]);
    expect(one?.plan.reach.user_ids).toEqual([7]);
    expect(other?.plan.reach.user_ids).toEqual([8]);
  },
);

test('another team is another plan', () => {
  const [before, after] = [[8], [8, 9]].map((colleagues) =>
    planned(someone('team', 7, { colleagues })),
  );
  expect(before?.plan.reach.user_ids).toEqual([7, 8]);
  expect(after?.plan.reach.user_ids).toEqual([7, 8, 9]);
});

test('a question about the caller is planned for each', () => {
  const input = { param: 'where', field: 'owner_user_id', op: 'eq', value: { me: true } };
  const where = { all: [{ ...input, text: false, extended: { timezone: 'UTC' } }] };
  const plans = [1, 2].map((id) => planned(someone('organisation', id), where));
  expect(plans.map(({ isMade }) => isMade)).toEqual([true, true]);
  expect(plans.map(({ plan }) => plan.where)).toMatchObject(
    [1, 2].map((value) => ({ all: [{ value }] })),
  );
});

test('another model has plans of its own', () => {
  planned(someone('organisation', 1), { all: [] });
  const next = sampleModel();
  const caller = callerOf(next, ['organisation']);
  expect(planned(caller, { all: [] }, next).isMade).toBe(true);
});

test('rights that are not those of a role are distinguished', () => {
  const access = { ...someone('organisation', 1).access };
  planned(someone('organisation', 1));
  expect(planned(someone('organisation', 1, { access })).isMade).toBe(true);
});

test('a plan that does not read the caller before it is stored is right for everybody', () => {
  const expanded = (caller: Caller): ReadPlan =>
    cachedPlan({ model, caller }, 'own behind all', (planner) => ({
      ...planExpanded(model, planner, gadgets, { ...ASKED, query: recordQuery({}) }),
      reach: basePlan(model, planner, gadgets).reach,
    }));
  expect(expanded(someone('own', 3)).reach.user_ids).toEqual([3]);
  expect(expanded(someone('own', 4)).reach.user_ids).toEqual([4]);
});

test('a search is planned for the reach of one person', () => {
  const reachOf = (id: number) =>
    plannedSearch(
      { model, caller: someone('own', id) },
      { text: 'anything', limit: 20 },
    )?.plan.scopes.map(({ user_ids }) => user_ids);
  expect(reachOf(7)).toEqual([[7]]);
  expect(reachOf(8)).toEqual([[8]]);
});
