// Compares the time of each file of `npm test` with its share of the run, so that no file grows unseen. The comparison is with
// the other files of the same run, so it is the same on fast and on slow machines.

import type { Reporter, TestModule } from 'vitest/node';

/** Hundredths of a run that a file may take; measured shares, tripled, as machines of CI have neighbours. */
const BUDGETS: Readonly<Record<string, number>> = {
  'test/access/matrix.test.ts': 9,
  'test/flow/write-flow.test.ts': 11,
  'test/api/record-files.test.ts': 9,
  'test/api/links.test.ts': 6,
  'test/tidy.test.ts': 10,
  'test/access/keys-and-people.test.ts': 9,
  'test/api/preconditions.test.ts': 6,
  'packages/app/test/unchanged.test.ts': 5,
  'test/api/viewing.test.ts': 6,
  'test/api/exports.test.ts': 5,
};
/** Of every other file. */
const USUAL = 3.5;
/** A run of fewer files is of some that were named, and their shares say nothing. */
const WHOLE_RUN = 200;

const ofTests = ({ project }: TestModule) => project.name === 'test';

export const fileBudgets: Reporter = {
  onTestRunEnd(all) {
    const modules = all.filter(ofTests);
    if (modules.length < WHOLE_RUN) return;
    const timeOf = (module: TestModule) => module.diagnostic().duration;
    const sum = modules.reduce((total, module) => total + timeOf(module), 0);
    for (const module of modules) {
      const name = module.relativeModuleId;
      const share = (100 * timeOf(module)) / sum;
      const budget = BUDGETS[name] ?? USUAL;
      if (share <= budget) continue;
      const taken = `${name} took ${share.toFixed(1)} hundredths of the run, and may take ${budget}`;
      process.stderr.write(`${taken}: make it faster, or move it to npm run test:full.\n`);
      process.exitCode = 1;
    }
    const absent = Object.keys(BUDGETS).filter((name) =>
      modules.every(({ relativeModuleId }) => relativeModuleId !== name),
    );
    if (absent.length === 0) return;
    process.stderr.write(
      `test/file-budgets.ts names files that did not run: ${absent.join(', ')}\n`,
    );
    process.exitCode = 1;
  },
};
