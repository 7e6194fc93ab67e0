// The places that an erasure empties for each record, besides the record itself. The trash is the first: a restore
// that is under way holds its row.

import { answerPlace } from './answer-place.ts';
import { commentPlace } from './comment-place.ts';
import { deliveryPlace } from './delivery-place.ts';
import { historyPlace } from './history-place.ts';
import { linkPlace } from './link-place.ts';
import type { RecordPlace } from './record-place.ts';
import { refusalPlace } from './refusal-place.ts';
import { requestPlace } from './request-place.ts';
import { searchPlace } from './search-place.ts';
import { trashPlace } from './trash-place.ts';

export const RECORD_PLACES: readonly RecordPlace[] = Object.freeze([
  trashPlace,
  historyPlace,
  commentPlace,
  linkPlace,
  requestPlace,
  answerPlace,
  deliveryPlace,
  searchPlace,
  refusalPlace,
]);
