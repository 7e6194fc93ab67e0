// The common part of the tests of records: clients of every kind of person, a deal to work with, and the proof that a
// refused request left no trace.

import { afterAll, beforeAll, expect } from 'vitest';
import type { Answer, Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';

export interface Cast {
  readonly world: World;
  readonly ada: Client;
  readonly mia: Client;
  readonly rob: Client;
  readonly rae: Client;
  readonly sam: Client;
  /** Create a deal; its record. */
  deal(client: Client, fields?: Readonly<Record<string, unknown>>): Promise<Answer['body']>;
  /** Expect a refusal, and that it left no trace. */
  refused(
    send: () => Promise<Answer>,
    expected: readonly [status: number, code: string, param?: string],
  ): Promise<void>;
}

/** Open a world before the tests of a file and close it afterwards. */
export function useCast(open: () => Promise<World> = openWorld): Cast {
  const cast: { -readonly [Key in keyof Cast]?: Cast[Key] } = { deal, refused };
  beforeAll(async () => {
    const world = await open();
    cast.world = world;
    for (const name of ['ada', 'mia', 'rob', 'rae', 'sam'] as const) {
      cast[name] = await world.as(name);
    }
  });
  afterAll(() => cast.world?.close());

  async function deal(client: Client, fields: Readonly<Record<string, unknown>> = {}) {
    const body = { fields: { name: 'Deal', ...fields } };
    const answer = await client.post('/objects/deals/records', body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.data;
  }

  async function refused(
    send: () => Promise<Answer>,
    expected: readonly [status: number, code: string, param?: string],
  ) {
    const before = await cast.world?.digest();
    const { status, body } = await send();
    const { code, param } = body.error;
    expect([status, code, ...(expected[2] === undefined ? [] : [param])]).toEqual(expected);
    expect(await cast.world?.digest()).toBe(before);
  }
  return cast as Cast;
}
