// The rights that a key may give to the keys that it makes and changes: never more than it has, for any request.

import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/errors.ts';
import { SCOPES } from '../../src/model/rights/access.ts';
import {
  keyBoundsOf,
  planKeyChange,
  planNewKey,
  UNBOUNDED,
} from '../../src/plan/people/key-plan.ts';
import { IS_LONG } from '../until.ts';

const NOW = '2026-11-22T12:00:00.000Z';
const DAY = '2026-11-23T12:00:00.000Z';
const WEEK = '2026-11-29T12:00:00.000Z';
const DEFAULT = 300;
const rights = { access: { administrator: true } } as Parameters<typeof keyBoundsOf>[0];

interface Key {
  readonly scopes: readonly string[];
  readonly requests_per_minute: number | null;
  readonly expires_at: string | null;
}

const RATES = [undefined, null, 1, 299, 300, 301, 1000] as const;
const ENDS = [undefined, null, DAY, WEEK] as const;
/** By number: the bits say which scopes. */
const subset = (bits: number) => SCOPES.filter((_, at) => (bits >> at) & 1);
const SUBSETS = Array.from({ length: 1 << SCOPES.length }, (_, bits) => subset(bits));
const REFUSALS: ReadonlySet<string> = new Set(['permission_denied', 'invalid_write']);

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (REFUSALS.has(error.code)) return undefined;
    throw error;
  }
}

const rateOf = ({ requests_per_minute: rate }: Pick<Key, 'requests_per_minute'>) => rate ?? DEFAULT;
const lifeOf = ({ expires_at: end }: Pick<Key, 'expires_at'>) =>
  end === null ? Number.POSITIVE_INFINITY : Date.parse(end);

function isWithin(made: Key, maker: Key): boolean {
  const isNarrow = made.scopes.every((scope) => maker.scopes.includes(scope));
  return isNarrow && rateOf(made) <= rateOf(maker) && lifeOf(made) <= lifeOf(maker);
}

test('scopes: every subset requested of some, of every eighth when there is time', () => {
  const step = IS_LONG ? 8 : 64;
  for (let bits = 0; bits < SUBSETS.length; bits += step) {
    const maker = {
      scopes: subset(bits + (bits % 7)),
      requests_per_minute: null,
      expires_at: null,
    };
    const bounds = keyBoundsOf(rights, maker, DEFAULT);
    for (const asked of SUBSETS) {
      const made = attempt(() => planNewKey(bounds, { scopes: asked }, NOW));
      const isSubset = asked.every((scope) => maker.scopes.includes(scope));
      if ((made !== undefined) !== isSubset) expect.fail(`${maker.scopes} → ${asked}`);
      if (made !== undefined && !isWithin(made, maker))
        expect.fail(JSON.stringify({ maker, made }));
    }
  }
});

test('rates and ends: of new and of changed keys, to the third generation', () => {
  let makers: readonly Key[] = [null, 1, 299, 300, 301].flatMap((requests_per_minute) =>
    [null, DAY, WEEK].map((expires_at) => ({
      scopes: ['keys:write'],
      requests_per_minute,
      expires_at,
    })),
  );
  const first = makers;
  for (let generation = 0; generation < 3; generation += 1) {
    const made = makers.flatMap((maker) => {
      const bounds = keyBoundsOf(rights, maker, DEFAULT);
      const found = RATES.flatMap((requests_per_minute) =>
        ENDS.flatMap((expires_at): readonly Key[] => {
          const asked = { scopes: ['keys:write'], requests_per_minute, expires_at };
          const one = attempt(() => planNewKey(bounds, asked, NOW));
          if (one !== undefined) expect(isWithin(one, maker)).toBe(true);
          // It changes itself, and the key it has made.
          const changed = [maker, ...(one === undefined ? [] : [one])].flatMap((key) => {
            const { scopes: _, ...change } = asked;
            const after = attempt(() =>
              planKeyChange(bounds, { ...key, name: 'x' }, change, NOW),
            )?.after;
            return after === undefined ? [] : [{ ...key, ...after }];
          });
          for (const after of changed) expect(isWithin(after, maker)).toBe(true);
          return [...(one === undefined ? [] : [one]), ...changed];
        }),
      );
      return found;
    });
    makers = [
      ...new Map(
        made.map((key) => [`${rateOf(key)} ${key.requests_per_minute} ${key.expires_at}`, key]),
      ).values(),
    ];
  }
  expect(makers.length).toBeGreaterThan(5);
  for (const key of makers) expect(first.some((maker) => isWithin(key, maker))).toBe(true);
});

describe('the number of the service', () => {
  test('may grow: only a key that has it gives it', () => {
    const held = { scopes: [], requests_per_minute: DEFAULT, expires_at: null };
    const asked = { scopes: [], requests_per_minute: null };
    expect(
      attempt(() => planNewKey(keyBoundsOf(rights, held, DEFAULT), asked, NOW)),
    ).toBeUndefined();
    const without = { ...held, requests_per_minute: null };
    const made = planNewKey(keyBoundsOf(rights, without, DEFAULT), asked, NOW);
    expect(made.requests_per_minute).toBeNull();
  });

  test('is the most that a signed-in person gives, but for administrators', () => {
    const person = { access: { administrator: false } } as typeof rights;
    const bounds = keyBoundsOf(person, undefined, DEFAULT);
    const ask = (requests_per_minute: number) =>
      attempt(() => planNewKey(bounds, { scopes: [], requests_per_minute }, NOW));
    expect([ask(DEFAULT)?.requests_per_minute, ask(DEFAULT + 1)]).toEqual([DEFAULT, undefined]);
    expect(keyBoundsOf(rights, undefined, DEFAULT)).toBe(UNBOUNDED);
  });
});
