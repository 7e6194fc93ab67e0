// Answers that are stored under an `Idempotency-Key`: the key stays, so that a repeated request does not write again.

import { answersOf } from '../../../sql/erase-sql.ts';
import { sql } from '../../../sql/sql.ts';
import { emptiedPlace } from './record-place.ts';

export const answerPlace = emptiedPlace(
  'stored_answers',
  answersOf,
  sql`body = 'null'::json, etag = null`,
);
