// A process that works at erasures, until it is killed:
// `node --import tsx erasure-job-child.mjs <database>`.

import { erasing } from '../../src/flow/jobs/erasure-job.ts';
import { startJobs } from '../../src/flow/jobs/job-runner.ts';
import { openConnections } from '../../src/postgres/connections.ts';

const [, , connectionString] = process.argv;
const { db, listeners } = openConnections({
  connection: { connectionString },
  poolSize: 5,
  statementTimeout: 0,
});
await startJobs({
  db,
  listeners,
  kinds: [erasing(db, { pause: 0 })],
  poll: 20,
  onError: (error) => console.error(error),
});
