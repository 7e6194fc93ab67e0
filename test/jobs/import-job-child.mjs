// A process that works at imports, until it is killed:
// `node --import tsx import-job-child.mjs <database>`.

import { startJobs } from '../../src/flow/jobs/job-runner.ts';
import { importing } from '../../src/import/import-job.ts';
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
  kinds: [importing(db)],
  poll: 20,
  onError: (error) => console.error(error),
});
