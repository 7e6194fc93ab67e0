// Queries of one moment in one request (together.ts): columns of a board, or the queries of a record's page; and the
// aggregates of several reports.

import {
  type Group,
  LIMITS,
  type ObjectAggregate,
  type ObjectQuestion,
  type Page,
  type QuestionPage,
} from '@workspace-records/client';
import { askingTogether } from './together.ts';

/** Records. */
export const askTogether = askingTogether<ObjectQuestion, QuestionPage>({
  most: LIMITS.questions,
  alone: (client, { object_type, ...body }, signal) =>
    client.records(object_type).query(body, signal === undefined ? {} : { signal }),
  together: (client, questions, signal) => client.query(questions, { signal }),
});

/** Groups. */
export const askGroupsTogether = askingTogether<ObjectAggregate, Page<Group>>({
  most: LIMITS.aggregates,
  // Reports of a page are drawn one after the other.
  gather: 20,
  alone: (client, { object_type, ...body }, signal) =>
    client.records(object_type).aggregateQuery(body, signal === undefined ? {} : { signal }),
  together: (client, questions, signal) => client.aggregate(questions, { signal }),
});
