// The common part of the tests of imports and exports over HTTP: files that are sent, jobs that run here, and the
// wait for their end.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { JobKind } from '../../src/control/jobs/job-lease.ts';
import { type JobRunner, startJobs } from '../../src/flow/jobs/job-runner.ts';
import type { Answer, Client } from '../client.ts';
import { call, type Answer as HttpAnswer } from '../http-client.ts';
import type { World } from '../world.ts';

const NEVER = 1_000_000;

export interface Jobs {
  readonly errors: readonly unknown[];
  /** Work at jobs of these kinds from now on. */
  work(...kinds: readonly JobKind[]): Promise<void>;
  stop(): Promise<void>;
  /** The job as this client sees it when it has ended. */
  ended(client: Client, id: string): Promise<Answer['body']>;
}

export function openJobs(world: () => World): Jobs {
  const errors: unknown[] = [];
  let runner: JobRunner | undefined;
  async function stop(): Promise<void> {
    await runner?.stop();
    runner = undefined;
  }
  return {
    errors,
    stop,
    async work(...kinds) {
      await stop();
      const { db, listeners } = world().database;
      const onError = (error: unknown) => errors.push(error);
      runner = await startJobs({ db, listeners, kinds, onError, poll: NEVER });
    },
    async ended(client, id) {
      for (;;) {
        const { status, body } = await client.get(`/jobs/${id}`);
        expect(status, JSON.stringify(body)).toBe(200);
        if (!['queued', 'running'].includes(body.data.state)) return body.data;
        await runner?.look();
        await sleep(10);
      }
    },
  };
}

/** Send a file; `type`: its media type. */
export function sendFile(
  { port }: World,
  { secret }: Client,
  text: string,
  type = 'text/csv',
): Promise<HttpAnswer> {
  return call(port, '/v1/files?name=rows.csv', {
    method: 'POST',
    key: secret,
    body: text,
    headers: { 'content-type': type },
  });
}

export async function sentFile(world: World, client: Client, text: string, type?: string) {
  const { status, json } = await sendFile(world, client, text, type);
  expect(status, JSON.stringify(json)).toBe(201);
  return String(json.data.id);
}
