// The shapes of definitions, plans and revisions.

import Type from 'typebox';
import { closed, MESSAGE_IDS, nullable } from '../shapes.ts';

/** Its own schema is definitions/definition.schema.json: plans report its problems. */
const Document = Type.Record(Type.String(), Type.Unknown(), {
  description: 'A definition document: objects, relationships, workflows, roles and the rest.',
});
export const Patch = Type.Record(Type.String(), Type.Unknown(), {
  description: 'A JSON merge patch (RFC 7396) over the base, as in a definition file.',
});

export const Definition = Type.Object(
  {
    revision: Type.Integer({
      description: 'The revision, to send as `If-Match` when applying a plan.',
    }),
    complete: Type.Boolean({
      description: 'False: the document leaves out what the user may not read.',
    }),
    document: Type.Optional(Document),
    patch: Type.Optional(Patch),
  },
  { $id: 'Definition' },
);

const REVISION = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

/** The document in one of three forms. */
export const DOCUMENT_INPUT = Object.freeze({
  document: Type.Optional(Document),
  patch: Type.Optional(Patch),
  revision: Type.Optional({ ...REVISION, description: 'A revision to go back to.' }),
  merge: Type.Optional(
    Type.Boolean({
      description:
        'True: `patch` is merged into the current patch. False: it replaces the current patch.',
      default: false,
    }),
  ),
});

export const revisionParams = Type.Object({ revision: REVISION }, closed);

const change = Object.freeze({
  path: Type.String({
    description: 'The place in the document, such as `objects.deals.fields.amount`.',
  }),
  action: Type.Enum(['add', 'change', 'remove', 'rename']),
  summary: Type.String({ description: 'One line for people.' }),
  from: Type.Optional(Type.String({ description: 'The key before a rename.' })),
  ends: Type.Optional(
    Type.String({
      description: 'The field whose history ends; `*`: that of all fields of the object.',
    }),
  ),
  alters: Type.Optional(
    Type.Literal(true, {
      description: 'Records lose values, or get others for them, without a new version.',
    }),
  ),
});

export const DefinitionChange = Type.Object(change, { $id: 'DefinitionChange' });

const PlannedChange = Type.Object(
  {
    ...change,
    effect: Type.Enum(['none', 'rewrites', 'loses'], {
      description: '`rewrites`: rows are rewritten; `loses`: values are deleted.',
    }),
    rows: Type.Integer({
      description: 'Records that lose values, are rewritten, or block the change.',
    }),
    allow: nullable(
      Type.String({ description: 'The name in `allow` without which it is not applied.' }),
    ),
    expected_ms: Type.Integer({
      description: 'About how many milliseconds it takes; longer on a busy machine.',
    }),
  },
  { $id: 'PlannedChange' },
);

const DefinitionProblem = Type.Object(
  {
    path: Type.String({ description: 'The place in the document; empty for all of it.' }),
    message: Type.String(),
    ...MESSAGE_IDS,
    records: Type.Optional(
      Type.Array(Type.Object({ id: Type.String(), value: Type.Unknown() }), {
        description:
          'The first records whose values block the change. Only with the scope `records:read`.',
      }),
    ),
  },
  { $id: 'DefinitionProblem' },
);

export const DefinitionPlan = Type.Object(
  {
    revision: Type.Integer({ description: 'The revision in force, which the plan starts from.' }),
    plan_id: nullable(
      Type.String({ description: 'The id to apply the plan by; null when there are problems.' }),
    ),
    changes: Type.Array(PlannedChange),
    problems: Type.Array(DefinitionProblem),
    notes: Type.Array(Type.String(), {
      description: 'Parts that the document does not change, such as people it does not list.',
    }),
  },
  { $id: 'DefinitionPlan' },
);

export const AppliedDefinition = Type.Object(
  { revision: Type.Integer(), changes: Type.Array(DefinitionChange) },
  { $id: 'AppliedDefinition' },
);

export const StartedJob = Type.Object({
  job: Type.Object({ id: Type.String({ format: 'uuid' }), kind: Type.String() }),
});

const revision = Object.freeze({
  revision: Type.Integer(),
  applied_at: Type.String({ format: 'date-time' }),
  in_force: Type.Boolean(),
  source: nullable(Type.Enum(['api', 'import', 'cli'])),
  applied_by: nullable(
    Type.Object(
      {
        id: Type.Integer(),
        name: nullable(Type.String()),
        email: nullable(Type.String()),
      },
      { $id: 'RevisionAuthor' },
    ),
  ),
  changes: nullable(Type.Array(DefinitionChange)),
});

export const DefinitionRevision = Type.Object(
  {
    ...revision,
    more_changes: Type.Integer({
      description: 'The number of changes that `changes` omits. The revision itself has all.',
    }),
  },
  { $id: 'DefinitionRevision' },
);

export const RevisionWithDocuments = Type.Object(
  { ...revision, document: Document, patch: Patch },
  { $id: 'DefinitionRevisionWithDocuments' },
);
