// The service as a process of its own that tests kill, over the database of a world.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { COMMAND, PATIENCE } from '../cli/command-process.ts';
import type { World } from '../world.ts';

export interface KilledService {
  readonly url: string;
  /** SIGKILL, unless it says otherwise; resolves when the process is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

export async function startService({ database }: World): Promise<KilledService> {
  const child: ChildProcess = spawn(process.execPath, [COMMAND, 'start', '--port', '0'], {
    env: { ...process.env, ...database.environment, DEMO: 'off' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  const listening = /Listening on (http:\S+\/v1)/;
  await vi.waitFor(() => expect(said).toMatch(listening), { timeout: PATIENCE, interval: 20 });
  return {
    url: listening.exec(said)?.[1] as string,
    async end(signal = 'SIGKILL') {
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
}

/** A write under an `Idempotency-Key`; its status, or undefined when there was no answer. */
export async function writeKeyed(
  url: string,
  { secret, key, body }: { readonly secret: string; readonly key: string; readonly body: unknown },
): Promise<number | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

/** The same write until it is answered with success. */
export async function insist(write: () => Promise<number | undefined>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const status = await write();
    if (status === 200 || status === 201) return;
    // The dead process may hold the key until PostgreSQL notices that it is gone.
    expect([409, 503, undefined]).toContain(status);
    await sleep(50);
  }
  throw new Error('the write was never answered');
}
