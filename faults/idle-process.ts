// Starts processes of idle clients (idle-clients.ts) and queries them.

import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { IdleReport, IdleTask } from './idle-clients.ts';

export interface IdleProcess {
  readonly pid: number;
  /** Open the connections. */
  connect(task: IdleTask): Promise<IdleReport>;
  report(): Promise<IdleReport>;
  /** Close them all. */
  stop(): Promise<void>;
}

export function startIdleProcess(): IdleProcess {
  const file = join(import.meta.dirname, 'idle-clients.ts');
  const child = fork(file, { execArgv: ['--import', 'tsx'] });
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ask = (message: IdleTask | 'report') =>
    new Promise<IdleReport>((resolve, reject) => {
      const fail = () => reject(new Error('the idle clients ended'));
      child.once('exit', fail);
      child.once('message', (answer) => {
        child.off('exit', fail);
        resolve(answer as IdleReport);
      });
      child.send(message);
    });
  return {
    pid: child.pid as number,
    connect: ask,
    report: () => ask('report'),
    async stop() {
      if (child.connected) child.disconnect();
      await exit;
    },
  };
}
