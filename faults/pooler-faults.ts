// X13: the service behind PgBouncer in transaction mode with five connections, which is restarted and made to
// reconnect while clients of two workspaces write.

import { setTimeout as sleep } from 'node:timers/promises';
import { makePooler, PGBOUNCER, type Pooler } from '../test/faults/pooler.ts';
import type { Fault } from './fault.ts';
import { requireAlive } from './kill-faults.ts';
import { urlOf } from './site.ts';

let pooler: Pooler;

export const pooled: Fault = {
  name: 'X13',
  title: `behind PgBouncer in transaction mode, restarted and reconnected in turn`,
  cycles: 20,
  skipped: () => (PGBOUNCER === undefined ? 'PgBouncer is not installed' : undefined),
  async prepare(site) {
    pooler = makePooler(site.connection);
    await pooler.start();
    site.place.databaseUrl = urlOf(pooler.connection);
    site.place.settings = { DATABASE_POOLER: 'transaction' };
    site.place.remove = () => pooler.remove();
  },
  async inflict(scene, cycles) {
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await sleep(500 + scene.random() * 1500);
      if (cycle % 2 === 0) {
        await pooler.stop();
        await pooler.start();
      } else {
        await pooler.reconnect();
      }
      await scene.recovered(performance.now());
    }
    requireAlive(scene);
  },
};
