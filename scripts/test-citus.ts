// Tests that everything that works on one PostgreSQL works on a cluster of Citus: the tests of the interface, of
// flows and of races, and the matrix of rights, each with databases of its own on all servers of the cluster whose
// coordinator `--url` names.

import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: { url: { type: 'string' } },
  allowPositionals: true,
});
if (values.url === undefined) {
  process.stderr.write(
    'Usage: npm run test:citus -- --url postgres://superuser@coordinator:5432/database [test files]\n',
  );
  process.exit(2);
}
const ALL = [
  ...['test/citus', 'test/api', 'test/flow', 'test/races', 'test/access/matrix.nightly.test.ts'],
  'test/definitions/index-builds.nightly.test.ts',
];
const files = positionals.length > 0 ? positionals : ALL;
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--project', 'test', '--project', 'full', ...files],
  {
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE_URL: values.url },
  },
);
process.exit(status ?? 1);
