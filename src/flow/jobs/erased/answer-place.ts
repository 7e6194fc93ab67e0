// Answers that are stored under an `Idempotency-Key`: the key stays, so that a repeated request does not write again.

import { answersOf, EMPTY_ANSWER } from '../../../sql/write/erase-sql.ts';
import { emptiedPlace } from './record-place.ts';

export const answerPlace = emptiedPlace('stored_answers', answersOf, EMPTY_ANSWER);
