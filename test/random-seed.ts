// Runs before each test file: random tests draw the same values on each commit, so that a commit that passed passes
// again. `npm run test:long` and a SEED of one's own draw others.

import fc from 'fast-check';
import { IS_LONG } from './until.ts';

const { SEED } = process.env;

if (SEED !== undefined) fc.configureGlobal({ seed: Number(SEED) });
else if (!IS_LONG) fc.configureGlobal({ seed: 20_261_126 });
