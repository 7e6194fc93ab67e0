// The common part of the batch endpoints: their operations by `action`, their answers, the scopes they need, and how
// problems name their operation (specification §4.3).

import Type from 'typebox';
import type { Problem } from '../../errors.ts';
import type { WriteResult } from '../../flow/records/write-flow.ts';
import { LIMITS } from '../../limits.ts';
import { type Caller, lacksScope, type Scope } from '../../model/rights/access.ts';
import { versionToken } from '../../plan/write/precondition.ts';
import { presentCleared } from '../present.ts';
import {
  AssociationId,
  ClearedReferences,
  ObjectType,
  RecordId,
  StatusId,
  WrittenFields,
} from '../record-shapes.ts';
import { closed } from '../shapes.ts';
import { commentBody } from './comment-shapes.ts';

const Match = Type.Record(Type.String(), Type.Unknown(), {
  description: 'One to three keys of editable fields with the values a record is recognised by.',
  examples: [{ email: 'jo@acme.example' }],
});

const target = Type.String({
  minLength: 1,
  maxLength: 100,
  format: 'plain-text',
  description: 'The object type; for work items the slug of a type as well.',
});

const id = RecordId;

/** The seven operations of one object. */
const OPERATIONS = {
  create: { fields: WrittenFields },
  update: { id, fields: WrittenFields },
  status: { id, status_id: StatusId },
  delete: { id },
  upsert: { target, match: Match, fields: Type.Optional(WrittenFields) },
  link: { id, association_id: AssociationId, target_id: RecordId },
  unlink: { id, association_id: AssociationId, target_id: RecordId },
} as const;

/** The record of an earlier operation. */
const EarlierRecord = Type.Object(
  { $op: Type.Integer({ minimum: 0, description: 'Index of an earlier operation.' }) },
  { ...closed, $id: 'EarlierRecord' },
);

const NamedRecord = Type.Union([RecordId, EarlierRecord]);

const expected_version = Type.Optional(
  Type.String({
    maxLength: LIMITS.versionLength,
    description: 'The version the record must have before the request.',
  }),
);

const ReferringFields = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'Field key → value; fields of storage `jsonb` under `custom_fields`. A reference may be `{"$op": 0}`.',
  examples: [{ name: 'Acme Corporation' }],
});

/** The eight operations over objects. */
const OBJECT_OPERATIONS = {
  create: { fields: ReferringFields },
  update: { id: NamedRecord, fields: ReferringFields, expected_version },
  status: { id: NamedRecord, status_id: StatusId, expected_version },
  delete: { id, expected_version },
  upsert: {
    target: Type.Optional(target),
    match: Match,
    fields: Type.Optional(ReferringFields),
  },
  link: {
    id: NamedRecord,
    association_id: AssociationId,
    target_id: NamedRecord,
    expected_version,
  },
  unlink: {
    id: NamedRecord,
    association_id: AssociationId,
    target_id: NamedRecord,
    expected_version,
  },
  comment: { id: NamedRecord, ...commentBody },
} as const;

type Shapes = Readonly<Record<string, Readonly<Record<string, Type.TSchema>>>>;

/** One of these, by its `action`. */
function operationOf<Operation>(shapes: Shapes, ending: string) {
  return Type.Unsafe<Operation>({
    type: 'object',
    discriminator: { propertyName: 'action' },
    required: ['action'],
    oneOf: Object.entries(shapes).map(([action, properties]) =>
      Type.Object(
        { action: Type.Enum([action]), ...properties },
        { ...closed, $id: `${action.charAt(0).toUpperCase()}${action.slice(1)}${ending}` },
      ),
    ),
  });
}

function operationsOf<Operation>(shapes: Shapes, ending: string) {
  const items = operationOf<Operation>(shapes, ending);
  return Type.Array(items, { minItems: 1, maxItems: LIMITS.batchOperations });
}

const ofObject = Object.fromEntries(
  Object.entries(OBJECT_OPERATIONS).map(([action, properties]) => [
    action,
    { object_type: ObjectType, ...properties },
  ]),
);

/** `operations` of one object. */
export const Operations = <Operation>() => operationsOf<Operation>(OPERATIONS, 'Operation');

/** `operations` that name their objects. */
export const ObjectOperations = <Operation>() =>
  operationsOf<Operation>(ofObject, 'ObjectOperation');

const outcome = {
  id: Type.String({ description: 'The record that was written.' }),
  status: Type.Literal('succeeded'),
  version: Type.Optional(
    Type.String({ description: 'The version after the request; not of a delete.' }),
  ),
  created: Type.Optional(
    Type.Boolean({ description: 'True: the upsert made the record. False: it updated one.' }),
  ),
  cleared_references: Type.Optional(ClearedReferences),
};

export const OperationResult = Type.Object(
  { action: Type.Enum(Object.keys(OPERATIONS)), ...outcome },
  { $id: 'OperationResult' },
);

export const ObjectOperationResult = Type.Object(
  {
    action: Type.Enum(Object.keys(OBJECT_OPERATIONS)),
    object_type: Type.String(),
    ...outcome,
    comment_id: Type.Optional(
      Type.String({ description: 'The id of the comment that was written.' }),
    ),
  },
  { $id: 'ObjectOperationResult' },
);

/** A problem of an operation with its index, and its action when there is such a one. */
export function labelOperation(problem: Problem, body: unknown): Problem {
  const index = /^operations\[(\d+)\]/.exec(problem.param ?? '')?.[1];
  if (index === undefined) return problem;
  const { operations } = body as { readonly operations: readonly unknown[] };
  const { action } = Object(operations[Number(index)]) as { readonly action?: unknown };
  const isKnown = typeof action === 'string' && Object.hasOwn(OBJECT_OPERATIONS, action);
  return { ...problem, operation_index: Number(index), ...(isKnown ? { action } : {}) };
}

export function presentResult(result: WriteResult) {
  const { action, id: record, created, row } = result;
  return {
    action,
    id: record,
    status: 'succeeded',
    ...(row === undefined ? {} : { version: versionToken(row) }),
    ...(action === 'upsert' ? { created } : {}),
    ...presentCleared(result),
  };
}

/** Scopes that some of the operations need besides the scope of the route (specification §5). */
const NEEDED = { delete: 'records:delete', comment: 'comments:write' } as const;

/** The key may lack what only some of the operations need. */
export function requireScopes(
  { scopes }: Caller,
  operations: readonly { readonly action: string }[],
): void {
  operations.forEach(({ action }, index) => {
    const needed = NEEDED[action as keyof typeof NEEDED];
    if (needed !== undefined) requireScope({ scopes }, needed, `operations[${index}]`);
  });
}

/** Errors: `insufficient_scope`; `param` is the part that needs it. */
export function requireScope(
  { scopes }: Pick<Caller, 'scopes'>,
  needed: Scope,
  param: string,
): void {
  if (scopes.has(needed)) return;
  throw lacksScope([needed], param);
}
