// The common part of the tests of the edges of queries: a query becomes its status, code and param, and a refused one
// must not have reached the records.

import { afterAll, beforeAll, expect } from 'vitest';
import { type Watch, watchStatements } from '../watch-statements.ts';
import { type GaugeWorld, useGauges } from './gauges.ts';

export const LIST = '/objects/gauges/records';
export const SEARCH = `${LIST}/search`;
export const AGGREGATE = `${LIST}/aggregate`;
export const COUNT = { name: 'n', op: 'count' };

export type Outcome = readonly [status: number, code?: string, param?: string | undefined];

export const shape = (param?: string) => [400, 'validation_failed', param] as const;
export const filter = (param?: string) => [400, 'invalid_filter', param] as const;
export const fine = [200] as const;

export const times = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index));
export const emoji = (count: number) => encodeURIComponent('😀'.repeat(count));

/** Cases with a title that fits a line. */
export function titled<Given>(cases: readonly (readonly [given: Given, expected: Outcome])[]) {
  const titleOf = (given: Given) => (typeof given === 'string' ? given : JSON.stringify(given));
  return cases.map(([given, expected]) => {
    return [titleOf(given).slice(0, 70), given, expected] as const;
  });
}

export interface Outcomes {
  readonly opened: GaugeWorld;
  /** Statements since the last query that touched the records of `gauges`. */
  readonly statements: string[];
  outcomeOf(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Outcome>;
  /** `a=b&c=d` as a browser would send it: brackets and percent signs as they are. */
  listed(query: string): Promise<Outcome>;
  searched(body: unknown): Promise<Outcome>;
  /** An aggregate that counts, unless the body has metrics of its own. */
  aggregated(body: object): Promise<Outcome>;
}

/** A world with three gauges; all queries of a file together must leave it as it was. */
export function useOutcomes(): Outcomes {
  const opened = useGauges();
  let watch: Watch;
  let before: string;

  beforeAll(async () => {
    watch = watchStatements(opened.world.database, /"gauges"/);
    for (const label of ['One', 'Two', 'Three']) {
      expect((await opened.ada.post(LIST, { fields: { label, a_number: 1 } })).status).toBe(201);
    }
    before = await opened.world.digest();
  });

  afterAll(async () => {
    watch?.stop();
    expect(await opened.world.digest()).toBe(before);
  });

  async function outcomeOf(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Outcome> {
    const { statements } = watch;
    statements.length = 0;
    const answer = await opened.ada.request(method, path, body === undefined ? {} : { body });
    if (answer.status < 400) {
      if (path.startsWith(LIST)) expect(statements, 'a page is one statement').toHaveLength(1);
      return [answer.status];
    }
    expect(statements, 'a refused request must not read').toEqual([]);
    const { code, param, details } = answer.body.error;
    if (details?.errors !== undefined) expect(details.errors[0]).toMatchObject({ code });
    return [answer.status, code, param];
  }

  return {
    opened,
    get statements() {
      return watch.statements;
    },
    outcomeOf,
    listed: (query) => outcomeOf('GET', `${LIST}?${query.replaceAll(' ', '%20')}`),
    searched: (body) => outcomeOf('POST', SEARCH, body),
    aggregated: (body) => outcomeOf('POST', AGGREGATE, { metrics: [COUNT], ...body }),
  };
}
