// A record with its comments, history and links as one document, for people who ask for their data. Parsing and
// presenting only; the way there is flow/records/read/read-bundle.ts.

import Type from 'typebox';
import { type Bundle, type BundlePart, readBundle } from '../../flow/records/read/read-bundle.ts';
import type { Caller } from '../../model/rights/access.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import { defineRoute } from '../context.ts';
import { presentRecord } from '../present.ts';
import { ObjectType, RecordId, RecordSchema } from '../record-shapes.ts';
import { closed, nullable, responseOf } from '../shapes.ts';
import { CommentShape, presentComment } from '../write/comment-shapes.ts';
import { HistoryEntry, presentEntry } from './history-routes.ts';

const HasMore = Type.Boolean({
  description: 'True: there are others; list them at the path of the record.',
});

function partOf<Item extends Type.TSchema>(item: Item) {
  return Type.Object({ data: Type.Array(item), has_more: HasMore });
}

const LinkedRecord = Type.Object({ id: Type.String(), display: nullable(Type.String()) });

export const getBundle = defineRoute({
  method: 'GET',
  path: '/objects/{object_type}/records/{record_id}/bundle',
  operationId: 'getRecordBundle',
  tag: 'Records',
  summary: 'Retrieve everything about a record',
  description: [
    'The record with its comments, history and linked records in one document, as far as the user may read them now:',
    'comments with the scope `comments:read`, links where the user may read all records on the other side. It has at',
    'most 2,000 items and about 8 MiB; `complete` is false when a list has more, which `has_more` marks.',
  ].join(' '),
  scope: 'records:read',
  params: Type.Object({ object_type: ObjectType, record_id: RecordId }, closed),
  query: Type.Object({}, closed),
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(
    Type.Object(
      {
        complete: Type.Boolean(),
        made_at: Type.String({ format: 'date-time' }),
        record: RecordSchema,
        comments: nullable(partOf(CommentShape)),
        history: nullable(partOf(HistoryEntry)),
        links: Type.Array(
          Type.Object({
            id: Type.String({ description: 'The id of the relationship.' }),
            label: nullable(Type.String()),
            object_type: Type.String(),
            data: Type.Array(LinkedRecord),
            has_more: HasMore,
          }),
        ),
      },
      { $id: 'RecordBundle' },
    ),
  ),
  errors: ['validation_failed', 'permission_denied', 'object_not_available', 'record_not_found'],
  async handle({ caller, model, params, signal, now }, { db }) {
    const object = requireObject(model, caller, params.object_type);
    const bundle = await readBundle({ db, model, caller, signal }, object, params.record_id);
    const made_at = new Date(now()).toISOString();
    return { body: { data: { ...presentBundle(bundle, caller), made_at } } };
  },
});

function presentBundle({ plan, row, comments, history, links }: Bundle, caller: Caller) {
  const id = String(row.id);
  const parts = [comments, history, ...links];
  return {
    complete: parts.every((part) => part?.has_more !== true),
    record: presentRecord(plan, row, caller),
    comments: comments && presentPart(comments, presentComment),
    history: history && presentPart(history, (entry) => presentEntry(id, entry)),
    links: links.map(({ relationship, plan: shown, ...part }) => ({
      ...{ id: relationship.id, label: relationship.label, object_type: relationship.object_type },
      ...presentPart(part, (linked) => {
        const { id: other, display } = presentRecord(shown, linked, caller);
        return { id: other, display };
      }),
    })),
  };
}

function presentPart<Item>(
  { items, has_more }: BundlePart<Item>,
  present: (item: Item) => unknown,
) {
  return { data: items.map(present), has_more };
}
