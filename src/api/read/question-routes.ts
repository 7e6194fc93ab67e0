// Questions about records: conditions as a tree, fields behind references, expanded records, counts. Parsing and
// presenting only; plan/ decides which questions are valid, flow/records/read/read-flow.ts reads.

import Type from 'typebox';
import { readGroups, readPage } from '../../flow/records/read/read-flow.ts';
import { LIMITS } from '../../limits.ts';
import { parseGroupedQuestion, parseQuestion } from '../../plan/read/question.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import { defineRoute } from '../context.ts';
import { presentGroups, presentPage } from '../present.ts';
import { ObjectType } from '../record-shapes.ts';
import { closed, pageOf, questionErrors } from '../shapes.ts';
import { Group } from './aggregate-routes.ts';
import { CountedRecords, groupedBody, linkedBody, questionBody } from './question-shapes.ts';

export const queryRecords = defineRoute({
  method: 'POST',
  path: '/objects/{object_type}/records/query',
  operationId: 'queryRecords',
  tag: 'Records',
  summary: 'Query records',
  description: [
    'Lists records as the search endpoint does, with conditions as a tree, fields behind one reference',
    '(`company_id.name`) in `where` and `sort`, the records that references lead to, and the number of',
    'matches. A field behind a reference needs read access to all records of the other object. Read-only.',
  ].join(' '),
  scope: 'records:read',
  params: Type.Object({ object_type: ObjectType }, closed),
  query: Type.Object({}, closed),
  body: Type.Object({ ...questionBody, ...linkedBody }, closed),
  bodyOptional: true,
  status: 200,
  result: CountedRecords,
  errors: questionErrors,
  async handle({ caller, model, params, body, signal, now }, { db }) {
    const { object, query, counted, limit, cursor } = parseQuestion(body, '', () =>
      requireObject(model, caller, params.object_type),
    );
    const context = { db, model, caller, signal, now };
    const linked = body.linked_to;
    const request = { endpoint: 'query', query, counted, limit, cursor, linked };
    const page = await readPage(context, object, request);
    return { body: presentPage(page, caller) };
  },
});

export const queryAggregates = defineRoute({
  method: 'POST',
  path: '/objects/{object_type}/records/aggregate/query',
  operationId: 'queryAggregates',
  tag: 'Records',
  summary: 'Query aggregates',
  description: [
    'Aggregates as the aggregate endpoint does, with conditions as a tree, groups and metrics of fields behind one',
    'reference, and groups by days, weeks, months, quarters and years. A metric behind a reference counts once',
    'for each record that has the reference. The column of a period is named',
    '`<field>:<period>`, such as `created_at:month`; its values are the first days, such as `2026-11-01`;',
    'weeks begin on Monday. Read-only.',
  ].join(' '),
  scope: 'records:read',
  params: Type.Object({ object_type: ObjectType }, closed),
  query: Type.Object({}, closed),
  body: Type.Object(groupedBody, closed),
  status: 200,
  result: pageOf(Group),
  errors: questionErrors,
  async handle({ caller, model, params, body, signal, now }, { db }) {
    const { object, ...question } = parseGroupedQuestion(body, '', () =>
      requireObject(model, caller, params.object_type),
    );
    const { order_by, cursor } = body;
    const page = await readGroups({ db, model, caller, signal, now }, object, {
      ...{ endpoint: 'aggregate query', ...question, order_by },
      limit: body.limit ?? LIMITS.defaultPageSize.groups,
      cursor: cursor || undefined,
    });
    return { body: presentGroups(page) };
  },
});
