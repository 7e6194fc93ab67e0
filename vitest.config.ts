// Four kinds of tests, because they need different things: `pure` ones nothing, `database` ones a
// PostgreSQL, `process` ones the compiled commands as well, `browser` ones a browser. The files of a kind share processes, so the
// sources are loaded once for each process and not for each file; test/fresh-state.ts keeps them apart.

import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { findChromium } from './packages/app/test/chromium.ts';

const PURE = [
  'test/{model,plan}/**/*.test.ts',
  'test/sql/{comment-sql,read-sql,sql,write-sql}.test.ts',
  'test/postgres/{batch-requests,fair-queue,shards}.test.ts',
  'test/definitions/{check-definition,ddl-sql,definition-file,definition-work,diff,merge-patches}.test.ts',
  'test/import/{made-text,mapping,parallel-writers,progress}.test.ts',
  'test/client/where.test.ts',
  'test/{config,connection-budget,http/load-shedder,flow/event-stream,faults/reliability-document,linear-text,tidy}.test.ts',
  'packages/app/test/*.test.ts',
];
const BROWSER = ['packages/app/test/journeys/*.test.ts'];
const PROCESS = [
  'test/{cli,long,package}/**/*.test.ts',
  'test/{guide,demo}.test.ts',
  'test/faults/kill.test.ts',
  'test/jobs/*-processes.test.ts',
  'test/import/resumed-import.test.ts',
  'test/embedded/embedded-postgres.test.ts',
];

/** Files that take longest, longest first; what is not here follows in the order of size. */
const LONG = [
  ...[
    'board',
    'content',
    'record-parts',
    'changing',
    'views',
    'records',
    'accessibility',
    'filters',
  ].map((name) => `packages/app/test/journeys/${name}.test.ts`),
  'test/guide.test.ts',
  'test/embedded/embedded-postgres.test.ts',
  'test/demo.test.ts',
  'test/jobs/bulk-processes.test.ts',
  'test/cli/workspaces.test.ts',
  'test/jobs/search-build-processes.test.ts',
  'test/cli/npm-start.test.ts',
  'test/cli/workers.test.ts',
  'test/cli/start.test.ts',
  'test/faults/kill.test.ts',
  'test/api/non-interference-writes.test.ts',
  'test/api/non-interference.test.ts',
  'test/access/timing.test.ts',
  'test/import/bulk-import.test.ts',
  'test/access/matrix.test.ts',
  'test/definitions/index-builds.test.ts',
  'test/faults/crash-points.test.ts',
  'test/faults/database-crash.test.ts',
  'test/races/write-races.test.ts',
  'test/workspaces/workspace-file.test.ts',
  'test/http/unread.test.ts',
  'test/api/events.test.ts',
  'test/http/framing.test.ts',
  'test/access/keys-and-people.test.ts',
  'test/api/event-delivery.test.ts',
  'test/api/injection.test.ts',
  'test/import/read-rows.test.ts',
  'test/flow/write-flow.test.ts',
  'test/flow/question-property.test.ts',
  'test/definitions/apply-definition.test.ts',
  'test/bench/peers.test.ts',
  'test/access/key-fixpoint.test.ts',
  'test/flow/writes-together.test.ts',
  'test/flow/batch-objects.test.ts',
];
const PROJECTS = ['browser', 'process', 'database', 'pure'];

/** Long ones first, so that no process works alone at the end; the files of a project side by side. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    const rank = ({ project, moduleId }: TestSpecification) => {
      const place = LONG.indexOf(relative(this.ctx.config.root, moduleId));
      return PROJECTS.indexOf(project.name) * 1000 + (place === -1 ? LONG.length : place);
    };
    return bySize.sort((one, other) => rank(one) - rank(other));
  }
}

const postgres = 'test/postgres-for-tests.ts';
/**
 * What takes longer than that hangs; nothing fails by how fast the machine is, so tests name no shorter times. With
 * every case (`npm run test:long`) a test takes many minutes.
 */
const HANGS = process.env.LONGER === undefined ? 300_000 : 3_600_000;
const shared = {
  isolate: false,
  testTimeout: HANGS,
  hookTimeout: HANGS,
  expect: { poll: { timeout: 60_000 } },
};

export default defineConfig({
  test: {
    maxWorkers: 3,
    // A PostgreSQL that stops slowly leaves its files otherwise, and they are in memory.
    teardownTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...shared, name: 'pure', include: PURE } },
      {
        test: {
          ...shared,
          name: 'database',
          include: ['test/**/*.test.ts'],
          exclude: [...PURE, ...PROCESS],
          globalSetup: [postgres],
          setupFiles: ['test/fresh-state.ts'],
        },
      },
      // Elsewhere than in continuous integration, whoever has no browser tests the rest.
      ...(process.env.CI === undefined && findChromium() === undefined
        ? []
        : [
            {
              test: {
                ...shared,
                name: 'browser',
                include: BROWSER,
                globalSetup: [
                  postgres,
                  'test/commands-for-tests.ts',
                  'packages/app/test/browser-for-tests.ts',
                ],
                setupFiles: ['test/fresh-state.ts'],
              },
            },
          ]),
      {
        test: {
          ...shared,
          name: 'process',
          include: PROCESS,
          globalSetup: [postgres, 'test/commands-for-tests.ts'],
          setupFiles: ['test/fresh-state.ts'],
        },
      },
    ],
  },
});
