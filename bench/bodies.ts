// `npm run bench:bodies`: what hostile bodies cost the event loop. Bodies of each shape, as large as a
// single write (1 MiB) and a batch (8 MiB) may be, pass everything a request passes before its first
// statement: reading, shape, fields, filters. It prints milliseconds of processor time, the best of some
// rounds, because other processes share the machine.
//   --rounds N  (5)

import { parseArgs } from 'node:util';
import { aggregateRecords } from '../src/api/aggregate.ts';
import { batchRecords } from '../src/api/batch.ts';
import { searchRecords } from '../src/api/records-read.ts';
import { createRecord } from '../src/api/records-write.ts';
import { ApiError } from '../src/errors.ts';
import { parseJson } from '../src/http/body.ts';
import { compileShape } from '../src/http/validate.ts';
import { LIMITS } from '../src/limits.ts';
import { planFields } from '../src/plan/write-fields.ts';
import { planWrites, type WriteOperation } from '../src/plan/write-plan.ts';
import { bodyScope, HOSTILE_FIELDS } from './bodies-model.ts';
import { HOSTILE_SHAPES } from './bodies-shapes.ts';

