// Questions about records of any objects in one request, each answered as it is alone (D349).

import Type, { type Static } from 'typebox';
import { placedError } from '../../errors.ts';
import { readGroups, readPage } from '../../flow/records/read/read-flow.ts';
import type { ReadContext } from '../../flow/records/read/read-statement.ts';
import { LIMITS } from '../../limits.ts';
import type { AnswerSize } from '../../model/values/value-size.ts';
import { sharedAnswer } from '../../plan/read/answer-size.ts';
import type { LinkedToInput } from '../../plan/read/linked-plan.ts';
import { parseGroupedQuestion, parseQuestion, type Question } from '../../plan/read/question.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import { defineRoute } from '../context.ts';
import { presentGroups, presentPage } from '../present.ts';
import { ObjectType } from '../record-shapes.ts';
import { closed, pageOf, questionErrors, responseOf } from '../shapes.ts';
import { Group } from './aggregate-routes.ts';
import { CountedRecords, groupedBody, linkedBody, questionBody } from './question-shapes.ts';

interface ObjectQuestion extends Question {
  readonly object_type: string;
  readonly linked_to?: LinkedToInput;
}

export const queryObjects = defineRoute({
  method: 'POST',
  path: '/query',
  operationId: 'queryObjects',
  tag: 'Records',
  summary: `Send up to ${LIMITS.questions} queries on records of any objects`,
  description: [
    'Runs each query as the query endpoint of its object does, and returns the results in the same order. The',
    'queries run side by side, not as of one moment. If one is refused, no results are returned, and `param`',
    'starts with its position, such as `queries[1]`. Read-only; counts as one request.',
  ].join(' '),
  scope: 'records:read',
  params: Type.Object({}, closed),
  query: Type.Object({}, closed),
  body: Type.Object(
    {
      queries: Type.Array(
        Type.Object({ object_type: ObjectType, ...questionBody, ...linkedBody }, closed),
        {
          minItems: 1,
          maxItems: LIMITS.questions,
        },
      ),
    },
    closed,
  ),
  status: 200,
  result: responseOf(Type.Array(CountedRecords)),
  errors: questionErrors,
  async handle({ caller, model, body, signal, now }, { db }) {
    const context = { db, model, caller, signal, now };
    const size = sharedAnswer(body.queries.length);
    const asked = await Promise.allSettled(
      body.queries.map((one) => answerOne(context, one, size)),
    );
    return { body: { data: asked.map(answerAt) } };
  },
});

const ObjectAggregate = Type.Object({ object_type: ObjectType, ...groupedBody }, closed);

export const aggregateObjects = defineRoute({
  method: 'POST',
  path: '/aggregate',
  operationId: 'aggregateObjects',
  tag: 'Records',
  summary: `Send up to ${LIMITS.aggregates} aggregate queries on records of any objects`,
  description: [
    'Runs each query as the aggregate query endpoint of its object does, and returns the results in the same',
    'order. The queries run side by side, not as of one moment. If one is refused, no results are returned, and',
    '`param` starts with its position, such as `queries[1]`. Read-only; counts as one request.',
  ].join(' '),
  scope: 'records:read',
  params: Type.Object({}, closed),
  query: Type.Object({}, closed),
  body: Type.Object(
    { queries: Type.Array(ObjectAggregate, { minItems: 1, maxItems: LIMITS.aggregates }) },
    closed,
  ),
  status: 200,
  result: responseOf(Type.Array(pageOf(Group))),
  errors: questionErrors,
  async handle({ caller, model, body, signal, now }, { db }) {
    const context = { db, model, caller, signal, now };
    const size = sharedAnswer(body.queries.length);
    const asked = await Promise.allSettled(body.queries.map((one) => groupsOf(context, one, size)));
    return { body: { data: asked.map(answerAt) } };
  },
});

async function groupsOf(
  context: ReadContext,
  { object_type, ...body }: Static<typeof ObjectAggregate>,
  size: AnswerSize,
) {
  const { model, caller } = context;
  const { object, ...asked } = parseGroupedQuestion(body, '', () =>
    requireObject(model, caller, object_type),
  );
  const { order_by, cursor, limit = LIMITS.defaultPageSize.groups } = body;
  const request = { ...asked, order_by, limit, cursor: cursor || undefined, size };
  return presentGroups(
    await readGroups(context, object, { endpoint: 'aggregate query', ...request }),
  );
}

async function answerOne(
  context: ReadContext,
  { object_type, ...question }: ObjectQuestion,
  size: AnswerSize,
) {
  const { model, caller } = context;
  const { object, query, counted, limit, cursor } = parseQuestion(question, '', () =>
    requireObject(model, caller, object_type),
  );
  const linked = question.linked_to;
  const request = { endpoint: 'query', query, counted, limit, cursor, size, linked };
  return presentPage(await readPage(context, object, request), caller);
}

function answerAt<Answer>(settled: PromiseSettledResult<Answer>, index: number): Answer {
  if (settled.status === 'fulfilled') return settled.value;
  throw placedError(settled.reason, `queries[${index}]`);
}
