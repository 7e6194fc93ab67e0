// A process that runs jobs of the kind `count`: each unit is a row in `units`, written with the report in one
// transaction, and waits in it until the table `gate` is as high; a job that `dies` kills the process. Ends in order on
// SIGTERM:
// `node --import tsx job-runner-child.mjs <database> <milliseconds of a lease>`.

import { setTimeout as sleep } from 'node:timers/promises';
import { startJobs } from '../../src/flow/jobs/job-runner.ts';
import { openConnections } from '../../src/postgres/connections.ts';

const [, , connectionString, lease] = process.argv;
const { db, listeners, close } = openConnections({
  connection: { connectionString },
  poolSize: 5,
  statementTimeout: 0,
});
const put = 'insert into units values ($1, $2, $3)';

async function isOpen(unit) {
  const [gate] = await db.query({ text: 'select open from gate', values: [] });
  return gate.open > unit;
}

async function run({ id, attempts, input, progress }, signal, report) {
  if (input.dies) process.kill(process.pid, 'SIGKILL');
  for (let unit = progress.done ?? 0; unit < input.units; unit += 1) {
    signal.throwIfAborted();
    await db.transaction(async (tx) => {
      await tx.query({ text: put, values: [id, unit, attempts] });
      while (!(await isOpen(unit)) && !signal.aborted) await sleep(5);
      await report({ done: unit + 1, of: input.units }, tx);
    });
  }
}

const runner = await startJobs({
  db,
  listeners,
  kinds: [{ kind: 'count', run }],
  lease: Number(lease),
  poll: 20,
  onError: (error) => console.error(error),
});
process.on('SIGTERM', async () => {
  await runner.stop();
  await close();
});
