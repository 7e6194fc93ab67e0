// The undo stack: the last first, each once, no more than twenty.

import type { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { writeMany } from '../src/features/records/write-many.ts';
import type { Session } from '../src/lib/session.ts';
import {
  followUndo,
  forgetUndo,
  noteUndo,
  redoAction,
  undoAction,
  undoCount,
} from '../src/lib/undo.ts';

afterEach(forgetUndo);

const made = (text: string, undone: string[]) => ({
  text,
  undo: async () => undone.push(text),
  redo: async () => undone.push(`${text} again`),
});

test('the last is undone first, and each once', async () => {
  const undone: string[] = [];
  const [first, second, third] = ['1', '2', '3'].map((text) => made(text, undone));
  for (const act of [first, second, third]) noteUndo(act as never);
  await undoAction(second);
  expect(await undoAction(second)).toEqual({ kind: 'nothing' });
  await undoAction();
  await undoAction();
  expect(await undoAction()).toEqual({ kind: 'nothing' });
  expect(undone).toEqual(['2', '3', '1']);
});

test('a failure is reported, and not tried again', async () => {
  const error = new Error('stale');
  const fails = () => Promise.reject(error);
  noteUndo({ text: 'x', undo: fails, redo: fails });
  expect(await undoAction()).toMatchObject({ kind: 'failed', error });
  expect(undoCount()).toBe(0);
});

test('two presses at once undo two different actions', async () => {
  const undone: string[] = [];
  noteUndo(made('1', undone));
  noteUndo(made('2', undone));
  await Promise.all([undoAction(), undoAction()]);
  expect(undone).toEqual(['2', '1']);
});

test('twenty are kept, and listeners get each', () => {
  const told: string[] = [];
  const leave = followUndo(({ text }) => told.push(text));
  for (let index = 0; index < 25; index += 1) noteUndo(made(String(index), []));
  leave();
  noteUndo(made('unheard', []));
  expect(undoCount()).toBe(20);
  expect(told).toHaveLength(25);
});

test('an action that fails while it is under way is taken off', async () => {
  const undone: string[] = [];
  noteUndo(made('1', undone));
  const forget = noteUndo(made('2', undone));
  forget();
  await undoAction();
  expect(undone).toEqual(['1']);
});

test('the last undone is redone first, and can be undone again', async () => {
  const told: string[] = [];
  const acts = ['1', '2'].map((text) => made(text, told));
  for (const act of acts) noteUndo(act);
  await undoAction();
  await undoAction();
  expect(await redoAction()).toMatchObject({ kind: 'done', act: acts[0] });
  await redoAction();
  expect(await redoAction()).toEqual({ kind: 'nothing' });
  await undoAction();
  expect(told).toEqual(['2', '1', '1 again', '2 again', '2']);
});

test('after another action nothing is redone', async () => {
  noteUndo(made('1', []));
  await undoAction();
  noteUndo(made('2', []));
  expect(await redoAction()).toEqual({ kind: 'nothing' });
  expect(undoCount()).toBe(1);
});

test('a redo that is asked for while the undo is under way waits for it', async () => {
  const told: string[] = [];
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const act = { ...made('1', told), undo: () => held.then(() => told.push('1')) };
  noteUndo(act);
  const both = Promise.all([undoAction(), redoAction()]);
  letGo();
  expect((await both).map(({ kind }) => kind)).toEqual(['done', 'done']);
  expect(told).toEqual(['1', '1 again']);
});

test('records that were written but cannot be read again are undone all the same', async () => {
  const operation = { action: 'update', object_type: 'deals', id: 'a', fields: {} } as const;
  const fails = () => Promise.reject(new Error('no answer'));
  const records = () => ({ list: fails, query: fails });
  const batch = async () => [{ id: 'a', version: '2' }];
  const session = { workspace: 'acme', client: { batch, records } } as unknown as Session;
  const list = { pages: [{ data: [{ id: 'a' }] }] };
  const shown = { queryKey: ['acme', 'deals', 'list', { fields: [] }], state: { data: list } };
  const queries = {
    invalidateQueries: async () => undefined,
    removeQueries: () => undefined,
    getQueryCache: () => ({ findAll: () => [shown] }),
  } as unknown as QueryClient;
  const writes = [{ operation, inverse: () => operation }];
  const outcome = await writeMany(session, queries, { type: 'deals', writes, text: String });
  expect(outcome.written).toHaveLength(1);
  expect(undoCount()).toBe(1);
});
