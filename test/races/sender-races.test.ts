// Readers of tables outside of requests while an object is added, renamed, retyped and dropped: webhooks, streams and
// exports. Nothing is lost and nothing ends, because a statement of the definition before is compiled again.

import { expect, test } from 'vitest';
import { exporting } from '../../src/export/export-job.ts';
import { openJobs } from '../api/job-world.ts';
import { PATIENCE } from '../cli/command-process.ts';
import { openEvents } from '../event-client.ts';
import { timesOf, until } from '../until.ts';
import { ALLOWED, makeWebhook, openReceiver, startSending } from '../webhook-world.ts';
import { openWorld } from '../world.ts';
import { STEPS } from './coming-objects.ts';

const ROUNDS = timesOf(4);

test('webhooks, streams and exports lose nothing while objects come, change and go', {
  timeout: PATIENCE,
}, async () => {
  const world = await openWorld(ALLOWED);
  const ada = await world.as('ada');
  const receiver = await openReceiver();
  const sending = await startSending(world);
  const stream = await openEvents({ port: world.port, secret: ada.secret });
  const jobs = openJobs(() => world);
  const ended = new AbortController();
  const exported: string[] = [];
  try {
    await makeWebhook(ada, receiver, { payload: 'record' });
    await jobs.work(exporting(world.database.db));
    const exports = ['things', 'items'].map(async (object_type) => {
      while (!ended.signal.aborted) {
        const started = await ada.post('/exports', { object_type });
        if (started.status !== 202) continue;
        const { state, error } = await jobs.ended(ada, started.body.data.id);
        exported.push(`${state} ${error}`);
      }
    });
    const made: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { document, key, drops } of STEPS) {
        await world.apply(document, drops);
        for (let index = 0; index < 3; index += 1) {
          const fields = { name: `round ${round}`, code: key === 'things' ? index : `${index}` };
          if (key !== undefined) await ada.post(`/objects/${key}/records`, { fields });
          const company = await ada.post('/objects/companies/records', {
            fields: { name: 'Kept' },
          });
          made.push(company.body.data.id);
        }
      }
    }
    ended.abort();
    await Promise.all(exports);
    const sent = () => receiver.events().map(({ body }) => body.data.record_id);
    const shown = () => stream.events.map(({ data }) => data.record_id);
    await until(() => made.every((id) => sent().includes(id) && shown().includes(id)));
    expect(stream.isOpen()).toBe(true);
    expect(stream.events.filter(({ name }) => name === 'reset')).toEqual([]);
    expect(exported.filter((one) => one.includes('internal error'))).toEqual([]);
    expect(exported.some((one) => one.startsWith('done'))).toBe(true);
    const { data } = (await ada.get('/webhooks')).body;
    expect(data.map(({ state }: { state: string }) => state)).toEqual(['active']);
  } finally {
    ended.abort();
    stream.close();
    await jobs.stop();
    await sending.stop();
    await receiver.close();
    await world.close();
  }
});
