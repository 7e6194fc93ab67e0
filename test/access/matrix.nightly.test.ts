// The access matrix of everybody: people with every combination of grants and field access.

import { IS_LONG } from '../until.ts';
import { PERSONAS } from './definition.ts';
import { tryMatrix } from './matrix.ts';

// A part of similar cases, all of them when there is time.
tryMatrix({
  people: PERSONAS,
  ...(IS_LONG ? { nth: 1, least: 15_000 } : { nth: 19, least: 5000 }),
});
