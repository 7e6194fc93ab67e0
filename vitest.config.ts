// The names of test files decide which command runs them (test/tiers.ts). `npm test` runs the projects `pure`, which needs
// nothing, and `database`, which needs a PostgreSQL; `npm run test:full` runs `full`, which may need the compiled commands as
// well, and `browser`; `npm run test:nightly` runs `nightly`, which needs all of that. The files of a project share processes,
// so the sources are loaded once for each process and not for each file; test/fresh-state.ts keeps them apart.

import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node';
import { findChromium } from './packages/app/test/chromium.ts';
import { fileBudgets } from './test/file-budgets.ts';
import { FULL, JOURNEYS, NIGHTLY } from './test/tiers.ts';

const PURE = [
  'test/{model,plan}/**/*.test.ts',
  'test/sql/{comment-sql,read-sql,sql,write-sql}.test.ts',
  'test/postgres/{batch-requests,fair-queue,shards}.test.ts',
  'test/definitions/{check-definition,ddl-sql,definition-file,definition-work,diff,merge-patches}.test.ts',
  'test/import/{made-text,mapping,parallel-writers,progress}.test.ts',
  'test/client/{verify-webhook,where}.test.ts',
  'test/webhooks/{addresses,proxy-tunnel,receiver-health,refused-connections,schedule,send,signature,webhook-rules}.test.ts',
  'test/mail/{compose-mail,mail-schedule,mail-sender,mail-settings,unsubscribe-token}.test.ts',
  'test/{config,connection-budget,release/versions,http/load-shedder,flow/{event-stream,webhook-parts},tidy}.test.ts',
  'test/tables/*.test.ts',
  'packages/app/test/*.test.ts',
];

/** Files that take longest, longest first; the others follow in the order of size. */
const LONG = [
  ...[
    'rebuilt.nightly',
    'model.nightly',
    'webhooks',
    'people',
    'reports',
    'imports',
    'accessibility',
  ].map((name) => `packages/app/test/journeys/${name}.test.ts`),
  'test/api/followed-definitions.nightly.test.ts',
  'test/mcp/matrix.nightly.test.ts',
  'test/deploy/proxies.nightly.test.ts',
  'test/guide.full.test.ts',
  'test/access/matrix.full.test.ts',
  'test/demo.full.test.ts',
  'test/embedded/embedded-postgres.test.ts',
  'test/cli/start.full.test.ts',
  'test/api/non-interference.full.test.ts',
  'test/flow/webhook-rights.full.test.ts',
];
const PROJECTS = ['nightly', 'browser', 'full', 'database', 'pure'];

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

/** Adds the files with failed tests to the file FAILED_FILES, so that .ci/run can test them once more (D633). */
const failedFiles: Reporter = {
  onTestRunEnd(modules, unhandledErrors) {
    const { FAILED_FILES } = process.env;
    if (FAILED_FILES === undefined) return;
    const failed = modules.filter((module) => module.state() === 'failed');
    const names = failed.map(({ relativeModuleId }) => relativeModuleId);
    // An error of no test says nothing of the file that caused it.
    if (unhandledErrors.length > 0) names.push('an unhandled error');
    appendFileSync(FAILED_FILES, names.map((name) => `${name}\n`).join(''));
  },
};

const postgres = 'test/postgres-for-tests.ts';
const commands = [postgres, 'test/commands-for-tests.ts'];
const browser = 'packages/app/test/browser-for-tests.ts';
/** Elsewhere than in continuous integration, whoever has no browser tests the rest. */
const hasBrowser = process.env.CI !== undefined || findChromium() !== undefined;
const setupFiles = ['test/random-seed.ts', 'test/fresh-state.ts', 'test/messages-as-texts.ts'];
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

/** The sources of the client, which pages import by the name of its package: tests need nothing that is built. */
const client = join(import.meta.dirname, 'packages', 'client', 'src', 'index.ts');
const resolve = { alias: { '@workspace-records/client': client } };

export default defineConfig({
  test: {
    maxWorkers: 3,
    reporters: ['default', failedFiles, fileBudgets],
    // A PostgreSQL that stops slowly leaves its files otherwise, and they are in memory.
    teardownTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve,
        test: {
          ...shared,
          name: 'pure',
          include: PURE,
          exclude: [...FULL, ...NIGHTLY],
          setupFiles: ['test/random-seed.ts', 'test/messages-as-texts.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'database',
          include: ['test/**/*.test.ts'],
          exclude: [...PURE, ...FULL, ...NIGHTLY],
          globalSetup: [postgres],
          setupFiles,
        },
      },
      {
        resolve,
        test: {
          ...shared,
          name: 'full',
          include: FULL,
          exclude: NIGHTLY,
          globalSetup: commands,
          setupFiles,
        },
      },
      ...(hasBrowser
        ? [
            {
              test: {
                ...shared,
                name: 'browser',
                include: JOURNEYS,
                exclude: NIGHTLY,
                globalSetup: [...commands, browser],
                setupFiles,
              },
            },
          ]
        : []),
      {
        resolve,
        test: {
          ...shared,
          name: 'nightly',
          include: NIGHTLY,
          exclude: hasBrowser ? [] : JOURNEYS,
          globalSetup: hasBrowser ? [...commands, browser] : commands,
          setupFiles,
        },
      },
    ],
  },
});
