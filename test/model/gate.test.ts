// Gates in memory: approvers, enough of them, and when a gate applies.

import { describe, expect, test } from 'vitest';
import type { Gate, GateCondition } from '../../src/model/definition/model.ts';
import {
  gateOperatorsOf,
  isApprover,
  isEnough,
  isGateClosed,
} from '../../src/model/rights/gate.ts';
import { fieldOf, objectOf, sampleModel } from '../sample-definition.ts';

const gate = (words: Partial<Gate> = {}): Gate => ({
  ...{ users: new Set(['mia', 'ada']), teams: new Set(['South']), required: 1, from: 'any' },
  ...{ when: undefined, self_approval: false, expires_days: 30 },
  ...words,
});

const person = (email: string, ...teams: string[]) => ({ email, teams });
const [mia, ada] = [person('mia', 'North'), person('ada')];
const [sam, sue, rob] = [person('sam', 'South'), person('sue', 'South', 'West'), person('rob')];

describe('approvers', () => {
  test('are named, or of a team that is named', () => {
    const all = [mia, ada, sam, sue, rob].map((one) => isApprover(gate(), one));
    expect(all).toEqual([true, true, true, true, false]);
  });

  const cases: readonly (readonly [Partial<Gate>, readonly (typeof mia)[], boolean])[] = [
    [{}, [], false],
    [{}, [rob], false],
    [{}, [sam], true],
    [{ required: 2 }, [sam], false],
    [{ required: 2 }, [sam, rob], false],
    [{ required: 2 }, [sam, sue], true],
    [{ from: 'each' }, [mia, ada], false],
    [{ from: 'each' }, [mia, sam], false],
    [{ from: 'each' }, [mia, ada, sam], true],
    [{ from: 'each', required: 4 }, [mia, ada, sam], false],
    [{ from: 'each', required: 4 }, [mia, ada, sam, sue], true],
    [{ from: 'each', users: new Set(), teams: new Set(['South', 'West']) }, [sam], false],
    [{ from: 'each', users: new Set(), teams: new Set(['South', 'West']) }, [sue], true],
  ];
  test.each(cases)('%o by %o: %s', (words, people, expected) => {
    expect(isEnough(gate(words), people)).toBe(expected);
  });
});

describe('a condition', () => {
  const gadgets = objectOf(sampleModel(), 'gadgets');
  const amount = fieldOf(gadgets, 'a_currency').key;
  const isClosed = (when: GateCondition, value: unknown) =>
    isGateClosed(gate({ when }), gadgets, () => value);

  test('closes the gate for records that meet it', () => {
    const above = { field: amount, op: 'gt', value: 1000 } as const;
    expect([1000, 1000.01, null].map((value) => isClosed(above, value))).toEqual([
      ...[false, true, false],
    ]);
  });

  test('that cannot be judged closes it', () => {
    expect(isClosed({ field: 'gone', op: 'eq', value: 1 }, null)).toBe(true);
    expect(isClosed({ field: amount, op: 'eq', value: 'many' }, null)).toBe(true);
  });

  test('is about values that a document can name', () => {
    expect(gateOperatorsOf('reference')).toEqual([]);
    expect(gateOperatorsOf('user')).toEqual([]);
    expect(gateOperatorsOf('json')).toEqual([]);
    expect(gateOperatorsOf('text')).toEqual(['eq', 'ne', 'in', 'is_null', 'not_in']);
    expect(gateOperatorsOf('date')).toContain('between');
  });
});
