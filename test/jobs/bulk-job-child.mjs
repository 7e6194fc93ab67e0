// A process that works at bulk changes, until it is killed:
// `node --import tsx bulk-job-child.mjs <database>`.

import { changingMany } from '../../src/flow/jobs/bulk-job.ts';
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
  kinds: [changingMany(db)],
  poll: 20,
  onError: (error) => console.error(error),
});
