// The names of test files decide which command runs them (test/tiers.ts), and each tier is a project: `test` needs a
// PostgreSQL, `full` and `nightly` the compiled commands and a browser as well. The files of a project share processes, so the
// sources are loaded once for each process and not for each file; test/fresh-state.ts keeps them apart.

import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node';
import { findChromium } from './packages/app/test/chromium.ts';
import { fileBudgets } from './test/file-budgets.ts';
import { FULL, JOURNEYS, NIGHTLY } from './test/tiers.ts';

/** Files that take longest, longest first; the others follow in the order of size. */
const LONG = [
  ...[
    'rebuilt.nightly',
    'model.nightly',
    'reports.nightly',
    'renames.nightly',
    'webhooks',
    'people',
    'imports',
    'accessibility',
  ].map((name) => `packages/app/test/journeys/${name}.test.ts`),
  'test/guide.nightly.test.ts',
  'test/api/followed-definitions.nightly.test.ts',
  'test/mcp/matrix.nightly.test.ts',
  'test/deploy/proxies.nightly.test.ts',
  'test/access/matrix.nightly.test.ts',
  'test/api/non-interference.full.test.ts',
  'test/flow/webhook-rights.full.test.ts',
];
const PROJECTS = ['nightly', 'full', 'test'];

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
const browser = 'packages/app/test/browser-for-tests.ts';
/** Elsewhere than in continuous integration, whoever has no browser tests the rest. */
const hasBrowser = process.env.CI !== undefined || findChromium() !== undefined;
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
  setupFiles: ['test/random-seed.ts', 'test/fresh-state.ts', 'test/messages-as-texts.ts'],
};

/** The sources of the client, which pages import by the name of its package: tests need nothing that is built. */
const client = join(import.meta.dirname, 'packages', 'client', 'src', 'index.ts');
const resolve = { alias: { '@workspace-records/client': client } };

const withoutBrowser = hasBrowser ? [] : JOURNEYS;
const usingCommands = [postgres, 'test/commands-for-tests.ts', ...(hasBrowser ? [browser] : [])];

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
          name: 'test',
          include: ['{test,packages/app/test}/**/*.test.ts'],
          exclude: [...FULL, ...JOURNEYS, ...NIGHTLY],
          globalSetup: [postgres],
        },
      },
      {
        resolve,
        test: {
          ...shared,
          name: 'full',
          include: [...FULL, ...JOURNEYS],
          exclude: [...NIGHTLY, ...withoutBrowser],
          globalSetup: usingCommands,
        },
      },
      {
        resolve,
        test: {
          ...shared,
          name: 'nightly',
          include: NIGHTLY,
          exclude: withoutBrowser,
          globalSetup: usingCommands,
        },
      },
    ],
  },
});
