// Questions about the records of an object: conditions as a tree, fields behind references, expanded records,
// periods. Keys and values are typed as the interface has them.

import { itemsFrom, type Page } from './pages.ts';
import type { CallOptions, Send } from './request.ts';
import type { Endpoints, Group, RecordData } from './schema.ts';

export type Question = NonNullable<Endpoints['queryRecords']['body']>;
export type GroupedQuestion = Endpoints['queryAggregates']['body'];
/** A question with the object whose records it is about. */
export type ObjectQuestion = Endpoints['queryObjects']['body']['queries'][number];
/** A question for figures, with the object whose records it counts. */
export type ObjectAggregate = Endpoints['aggregateObjects']['body']['queries'][number];
export type QuestionPage = Endpoints['queryRecords']['result'];

export interface Questions {
  /** One page of records; `count: 'exact'` also counts them. */
  query(body?: Question, options?: CallOptions): Promise<QuestionPage>;
  /** The records of all pages. */
  queryAll(body?: Question, options?: CallOptions): AsyncGenerator<RecordData, void, undefined>;
  /** One page of groups. */
  aggregateQuery(body: GroupedQuestion, options?: CallOptions): Promise<Page<Group>>;
  aggregateQueryAll(
    body: GroupedQuestion,
    options?: CallOptions,
  ): AsyncGenerator<Group, void, undefined>;
}

export function questions(send: Send, object_type: string): Questions {
  const params = { object_type };
  const query = async (body: Question = {}, options?: CallOptions) =>
    send('queryRecords', { params, body }, options);
  const aggregateQuery = async (body: GroupedQuestion, options?: CallOptions) =>
    send('queryAggregates', { params, body }, options);
  return {
    query,
    aggregateQuery,
    queryAll: (body = {}, options) => itemsFrom(body, (page) => query(page, options)),
    aggregateQueryAll: (body, options) => itemsFrom(body, (page) => aggregateQuery(page, options)),
  };
}

/** Up to ten questions about records of any objects; their pages in the same order. */
export function objectQuestions(send: Send) {
  return async (
    queries: readonly ObjectQuestion[],
    options?: CallOptions,
  ): Promise<QuestionPage[]> =>
    (await send('queryObjects', { body: { queries: [...queries] } }, options)).data;
}

/** Up to twelve aggregates of records of any objects; their groups in the same order. */
export function objectAggregates(send: Send) {
  return async (
    queries: readonly ObjectAggregate[],
    options?: CallOptions,
  ): Promise<Page<Group>[]> =>
    (await send('aggregateObjects', { body: { queries: [...queries] } }, options)).data;
}
