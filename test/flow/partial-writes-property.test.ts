// Batches with random refusals against an oracle: each valid item is written once, each other one is refused once, for its own
// reason, in few calls.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError, errorFromProblems, type Problem, unavailable } from '../../src/errors.ts';
import { writePartially } from '../../src/flow/records/partial-writes.ts';
import { VALUE_HELD, VALUE_REPEATED } from '../../src/flow/records/write-failure.ts';
import type { Message } from '../../src/messages/message.ts';
import { REPEATED_RECORD } from '../../src/plan/write/write-plan.ts';
import { timesOf } from '../until.ts';

const RUNS = timesOf(2000);

/** Where an item is refused: never, by three stages of validation, by the database with a name or without one. */
const FLAWS = ['none', 'first', 'second', 'many', 'named', 'unnamed'] as const;
type Flaw = (typeof FLAWS)[number];

interface Item {
  readonly id: number;
  readonly flaw: Flaw;
  /** Unique: the first item that is written has it. */
  readonly value: number | undefined;
  /** The items with a record that this one deletes after it was deleted itself: they are written first. */
  readonly needs: number | undefined;
}

/** A database that takes all items or none, and counts how often it is called. */
function openStore() {
  const written: Item[] = [];
  let calls = 0;
  return {
    written,
    calls: () => calls,
    async write(items: readonly Item[]): Promise<void> {
      calls += 1;
      validate(items, written);
      const [failure] = items.flatMap((_, index) => failureOf(items, index, written) ?? []);
      if (failure !== undefined) throw failure;
      written.push(...items);
    },
  };
}

const STAGES: readonly (readonly Flaw[])[] = [['first'], ['second', 'many']];

/** The problems of the earliest stage, as `validateWrites` reports them. */
function validate(items: readonly Item[], written: readonly Item[]): void {
  for (const stage of STAGES) {
    const problems = items.flatMap((item, index) => {
      if (stage.includes(item.flaw)) return problemsOfFlaw(item, index);
      const { needs } = item;
      const isThere = [...written, ...items].some(({ id }) => id === needs);
      if (stage[0] === 'first' || needs === undefined || isThere) return [];
      return [named(index, 'conflict', 'Other records require this one.')];
    });
    if (problems.length > 0) throw errorFromProblems(problems);
  }
}

function problemsOfFlaw({ flaw }: Item, index: number): Problem[] {
  const count = flaw === 'many' ? 40 : 1;
  return Array.from({ length: count }, (_, place) => ({
    ...named(index, 'invalid_write', `${flaw} ${place}`),
    param: `operations[${index}].fields.f${place}`,
  }));
}

function named(index: number, code: Problem['code'], text: string | Message): Problem {
  const message = typeof text === 'string' ? { id: 'test', text } : text;
  return { param: `operations[${index}]`, code, message, operation_index: index };
}

function failureOf(items: readonly Item[], index: number, written: readonly Item[]) {
  const { flaw, value } = items[index] as Item;
  const cause = new Error('refused');
  if (flaw === 'named') return errorFromProblems([named(index, 'invalid_write', 'named 0')], cause);
  if (flaw === 'unnamed')
    return new ApiError('conflict', { message: { id: 'test', text: 'unnamed 0' }, cause });
  const others = [...written, ...items.slice(0, index)];
  if (value === undefined || others.every((one) => one.value !== value)) return undefined;
  // Others than imports name one item alone.
  if (value % 2 === 1) return errorFromProblems([named(index, 'conflict', 'taken')], cause);
  const isHeld = written.some((one) => one.value === value);
  const before = (at: number) => (isHeld ? written : items.slice(0, at));
  const problems = items.flatMap((item, at) =>
    item.value !== undefined && before(at).some((one) => one.value === item.value)
      ? [named(at, 'conflict', isHeld ? VALUE_HELD : VALUE_REPEATED)]
      : [],
  );
  return errorFromProblems(problems, cause);
}

const items = (flaws: readonly Flaw[]) =>
  fc
    .array(
      fc.record({
        flaw: fc.oneof(
          { weight: 3, arbitrary: fc.constant<Flaw>('none') },
          fc.constantFrom(...flaws),
        ),
        value: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.nat(3)),
        needs: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.nat(130)),
      }),
      { maxLength: 130 },
    )
    .map((all) => all.map((item, id): Item => ({ id, ...item })));

async function run(batch: readonly Item[]) {
  const store = openStore();
  const refused = new Map<Item, readonly string[]>();
  await writePartially(batch, {
    what: 'row',
    write: store.write,
    refuse(item, reasons) {
      expect(refused.has(item)).toBe(false);
      expect(isRefusedAlone(item, store.written), JSON.stringify(item)).toBe(true);
      refused.set(
        item,
        reasons.map(({ reason }) => reason),
      );
    },
  });
  return { written: store.written, calls: store.calls(), refused };
}

function isRefusedAlone(item: Item, written: readonly Item[]): boolean {
  try {
    validate([item], written);
  } catch {
    return true;
  }
  return failureOf([item], 0, written) !== undefined;
}

/** All problems of its own, or one that it has with others. */
function reasonsOf({ flaw, value, needs }: Item, given: readonly string[]): readonly string[] {
  const [first = ''] = given;
  if (value !== undefined && (first === 'taken' || first === VALUE_HELD.text)) return given;
  if (needs !== undefined && first.startsWith('Other records')) return [first];
  return Array.from({ length: flaw === 'many' ? 40 : 1 }, (_, place) => `${flaw} ${place}`);
}

const depth = (count: number) => Math.ceil(Math.log2(Math.max(count, 1)));

test('each item is written once or refused once, and no refused one could be written', async () => {
  const check = async (batch: readonly Item[]) => {
    const { written, refused, calls } = await run(batch);
    const all = [...written, ...refused.keys()];
    expect(all.length).toBe(batch.length);
    expect(new Set(all)).toEqual(new Set(batch));
    for (const [item, reasons] of refused) {
      // An item that needs another one may be tried before that one, when both are in doubt.
      if (item.needs === undefined) expect(isRefusedAlone(item, written)).toBe(true);
      expect(reasons).toEqual(reasonsOf(item, reasons));
    }
    const most = refused.size * (2 * depth(batch.length) + 3) + 1;
    expect(calls).toBeLessThanOrEqual(batch.length === 0 ? 0 : most);
  };
  await fc.assert(fc.asyncProperty(items(FLAWS), check), { numRuns: RUNS });
});

test('k items that the database names cost 3k + 1 calls at most', async () => {
  const check = async (batch: readonly Item[]) => {
    const plain = batch.map((item): Item => ({ ...item, needs: undefined }));
    const { refused, calls } = await run(plain);
    expect(calls).toBeLessThanOrEqual(3 * refused.size + 1);
  };
  await fc.assert(fc.asyncProperty(items(['named']), check), { numRuns: RUNS });
});

const alike = (count: number, flaw: Flaw): readonly Item[] =>
  Array.from({ length: count }, (_, id) => ({ id, flaw, value: undefined, needs: undefined }));

test.each<[string, readonly Item[], number]>([
  ['no item', [], 0],
  ['none of them', alike(500, 'none'), 1],
  // A refusal names 100; the last one of a longer list is named again.
  ['all of 100 by validation', alike(100, 'first'), 1],
  ['all of 500 by validation', alike(500, 'first'), 6],
  ['half of 100, with all their problems', [...alike(97, 'none'), ...alike(3, 'many')], 3],
  ['one by the database, with its name', [...alike(99, 'none'), ...alike(1, 'named')], 3],
  ['one by the database, without its name', [...alike(127, 'none'), ...alike(1, 'unnamed')], 15],
  ['all of 100 by the database, with names', alike(100, 'named'), 164],
  ['all of 128 by the database, without names', alike(128, 'unnamed'), 255],
  ['a single one', alike(1, 'unnamed'), 1],
])('calls when the refused are: %s', async (_, batch, calls) => {
  expect((await run(batch)).calls).toBe(calls);
});

test('a value that two items take is refused for the second one alone', async () => {
  const twice = alike(4, 'none').map((item) => ({ ...item, value: item.id >> 1 }));
  const { written, refused } = await run(twice);
  expect(written.map(({ id }) => id).sort()).toEqual([0, 2]);
  expect([...refused.values()]).toEqual([[VALUE_HELD.text], [VALUE_HELD.text]]);
});

test('a hundred items with one value cost three calls', async () => {
  const { calls, refused } = await run(alike(100, 'none').map((item) => ({ ...item, value: 0 })));
  expect([calls, refused.size]).toEqual([3, 99]);
});

test('an item that repeats the record of another one is tried alone', async () => {
  const seen: (readonly number[])[] = [];
  await writePartially([1, 2, 3], {
    what: 'change',
    async write(part) {
      seen.push(part);
      if (part.length < 3) return;
      throw errorFromProblems([named(1, 'conflict', REPEATED_RECORD)]);
    },
    refuse: () => expect.unreachable(),
  });
  expect(seen).toEqual([[1, 2, 3], [1, 3], [2]]);
});

test('a failure that no item is to blame for ends it', async () => {
  const failure = unavailable(new Error('busy'));
  const write = () => Promise.reject(failure);
  const refuse = () => expect.unreachable();
  await expect(writePartially([1, 2], { what: 'row', write, refuse })).rejects.toBe(failure);
});
