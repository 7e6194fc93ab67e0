// The definition of the workspace over HTTP (D233 to D240): reading it and its revisions, planning another one,
// applying the plan.

import Type from 'typebox';
import {
  type AdministrativeActor,
  administrativeActor,
} from '../../control/workspace/administrative-audit.ts';
import {
  loadRevisionDocuments,
  loadRevisions,
} from '../../control/workspace/definition-revisions.ts';
import { requireWorkspace } from '../../control/workspace/workspaces.ts';
import { APPLY_JOBS, beginApply } from '../../definitions/apply/definition-job.ts';
import {
  applyPlanned,
  findPlanned,
  isLongToApply,
  loadPlanned,
  type Planned,
  planForRequest,
  problemsWithoutValues,
} from '../../definitions/apply/definition-requests.ts';
import { mergeOntoOwn } from '../../definitions/apply/own-document.ts';
import { readBase } from '../../definitions/document/definition-file.ts';
import type { DefinitionInput } from '../../definitions/document/definition-input.ts';
import { type Refusal, refusalOf } from '../../definitions/document/refusals.ts';
import { ApiError, errorFromProblems, isOperatorError, type Problem } from '../../errors.ts';
import type { Reply } from '../../http/route/route.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import {
  type Caller,
  mayReadRecords,
  requireAdministrator,
  requireDirectoryAdministrator,
} from '../../model/rights/access.ts';
import { entityTag } from '../../model/values/entity-tag.ts';
import { parseIfMatch } from '../../plan/write/precondition.ts';
import type { Queryable } from '../../postgres/db.ts';
import { type ApiContext, defineRoute } from '../context.ts';
import { loadPage } from '../listed-pages.ts';
import { CursorQuery, closed, limitQuery, pageOf, responseOf } from '../shapes.ts';
import {
  AppliedDefinition,
  Definition,
  DefinitionPlan,
  DefinitionRevision,
  DOCUMENT_INPUT,
  RevisionWithDocuments,
  revisionParams,
  StartedJob,
} from './definition-shapes.ts';
import { printDefinition } from './printed-definitions.ts';

const nothing = Type.Object({}, closed);
const TAG = 'Definition';

export const getDefinition = defineRoute({
  method: 'GET',
  path: '/definition',
  operationId: 'getDefinition',
  tag: TAG,
  summary: 'Retrieve the definition',
  description: [
    'The current document, merged over the base, or with `form=patch` the patch over the base',
    '(administrators only); with `form=base` the base. Other people see what they may read. People, teams and approvers need',
    'the scope `users:read`; without it the document is not complete, and there is no patch.',
  ].join(' '),
  scope: 'workspace:read',
  params: nothing,
  query: Type.Object(
    { form: Type.Enum(['document', 'patch', 'base'], { default: 'document' }) },
    closed,
  ),
  status: 200,
  result: responseOf(Definition),
  etag: true,
  errors: ['permission_denied'],
  async handle({ caller, model, query }, { db }) {
    if (query.form === 'base') return presentBase(model);
    if (query.form === 'patch') requireDirectoryAdministrator(caller);
    return printDefinition(db, { model, caller }, query.form);
  },
});

/** The base definition, the same for every workspace of a release. */
function presentBase({ revision }: WorkspaceModel): Reply {
  const body = { data: { revision, complete: true, document: readBase() } };
  return { body, headers: { ETag: entityTag(JSON.stringify(body), String(revision)) } };
}

export const planDefinition = defineRoute({
  method: 'POST',
  path: '/definition/plan',
  operationId: 'planDefinition',
  tag: TAG,
  summary: 'Plan another definition',
  description: [
    'Lists the changes that a document, a patch or an earlier revision would make, and everything that blocks',
    'them. The request changes and stores nothing. Send `plan_id` to apply the plan.',
  ].join(' '),
  scope: 'workspace:write',
  params: nothing,
  query: nothing,
  body: Type.Object(DOCUMENT_INPUT, closed),
  bodyLimit: 'batch',
  status: 200,
  result: responseOf(DefinitionPlan),
  errors: ['permission_denied', 'record_not_found'],
  async handle({ caller, model, body }, { db }) {
    requireAdministrator(caller);
    const input = await requireInput(db, model, body);
    return {
      body: { data: await planForRequest(db, model.workspace.id, input, mayReadRecords(caller)) },
    };
  },
});

export const applyDefinition = defineRoute({
  method: 'POST',
  path: '/definition/apply',
  operationId: 'applyDefinition',
  tag: TAG,
  summary: 'Apply a plan',
  description: [
    'Applies the plan with this `plan_id`, with the same document. `If-Match` names the revision that the',
    'plan starts from. Name data that may be deleted in `allow`. A job does changes that take long: 202.',
  ].join(' '),
  scope: 'workspace:write',
  fresh: true,
  params: nothing,
  query: nothing,
  body: Type.Object(
    {
      ...DOCUMENT_INPUT,
      plan_id: Type.String({ minLength: 1, maxLength: 100 }),
      allow: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
          maxItems: 1000,
          description: 'Names of the data that may be deleted, as the plan lists them.',
        }),
      ),
      background: Type.Optional(
        Type.Boolean({ description: 'True: in a job, however short it is.', default: false }),
      ),
    },
    closed,
  ),
  bodyLimit: 'batch',
  preconditions: true,
  status: 200,
  result: responseOf(AppliedDefinition),
  accepted: responseOf(StartedJob),
  errors: ['permission_denied', 'record_not_found', 'stale_record', 'invalid_write', 'conflict'],
  async handle({ caller, model, body, ifMatch, requestId }, context) {
    requireAdministrator(caller);
    const request = {
      input: await requireInput(context.db, model, body),
      plan_id: body.plan_id,
      allow: body.allow ?? [],
      revisions: requireRevisions(ifMatch),
    };
    const actor = administrativeActor(caller, requestId);
    const { db } = context;
    const planned = await findPlanned(
      db,
      await loadPlanned(db, model.workspace.id, request),
      actor,
    );
    const isLong = await isLongToApply(db, planned.found);
    return isLong || body.background === true
      ? applyInJob(context, planned, actor)
      : applyNow(context, planned, { actor, caller });
  },
});

/** Milliseconds to wait for another change of the same definition. */
const TURN_MS = 3000;

interface Applicant {
  readonly actor: AdministrativeActor;
  readonly caller: Caller;
}

async function applyNow(
  { db, config }: ApiContext,
  planned: Planned,
  { actor, caller }: Applicant,
): Promise<Reply> {
  const limits = { turn: TURN_MS, timeout: config.statementTimeout };
  const data = await applyPlanned(db, planned, { actor, ...limits }).catch((error: unknown) => {
    throw explainRefusal(error, mayReadRecords(caller));
  });
  return { body: { data } };
}

async function applyInJob(
  { db }: ApiContext,
  { workspace, request }: Planned,
  actor: AdministrativeActor,
): Promise<Reply> {
  const id = await beginApply(db, workspace.id, request, actor);
  if (id !== undefined) return { status: 202, body: { data: { job: { id, kind: APPLY_JOBS } } } };
  throw new ApiError('conflict', { message: say('definition_job_running') });
}

export const listRevisions = defineRoute({
  method: 'GET',
  path: '/definition/revisions',
  operationId: 'listDefinitionRevisions',
  tag: TAG,
  summary: 'List revisions',
  description:
    'The revisions with their time, person and changes, newest first. Needs the scope `users:read`, because it names people.',
  scope: 'workspace:read',
  params: nothing,
  query: Type.Object(
    { limit: limitQuery(LIMITS.defaultPageSize.revisions), cursor: CursorQuery },
    closed,
  ),
  status: 200,
  result: pageOf(DefinitionRevision),
  errors: ['permission_denied', 'invalid_cursor'],
  async handle({ caller, model, query: { limit, cursor } }, { db }) {
    requireDirectoryAdministrator(caller);
    const binding = JSON.stringify(['revisions', model.workspace.id, caller.user.id]);
    const { rows, pagination } = await loadPage(
      { secret: model.cursor_secret, binding, limit, cursor },
      {
        load: (before: number | undefined, most) =>
          loadRevisions(db, model.schema, { before, limit: most }),
        idOf: ({ revision }) => revision,
      },
    );
    return { body: { data: rows, pagination } };
  },
});

export const getRevision = defineRoute({
  method: 'GET',
  path: '/definition/revisions/{revision}',
  operationId: 'getDefinitionRevision',
  tag: TAG,
  summary: 'Retrieve a revision',
  description:
    'A revision with its documents. Needs the scope `users:read`, because it names people.',
  scope: 'workspace:read',
  params: revisionParams,
  query: nothing,
  status: 200,
  result: responseOf(RevisionWithDocuments),
  errors: ['permission_denied', 'record_not_found'],
  malformedPathIsNotFound: true,
  async handle({ caller, model, params }, { db }) {
    requireDirectoryAdministrator(caller);
    return { body: { data: await requireStored(db, model, params.revision) } };
  },
});

async function requireStored(db: Queryable, { schema }: WorkspaceModel, revision: number) {
  const stored = await loadRevisionDocuments(db, schema, revision);
  if (stored !== undefined) return stored;
  const message = say('revision_not_found', { revision });
  throw new ApiError('record_not_found', { param: 'revision', message });
}

interface InputBody {
  readonly document?: unknown;
  readonly patch?: unknown;
  readonly revision?: number;
  readonly merge?: boolean;
}

/** One of the three ways to say which document is meant. */
async function requireInput(
  db: Queryable,
  model: WorkspaceModel,
  { document, patch, revision, merge = false }: InputBody,
): Promise<DefinitionInput> {
  const given = [document, patch, revision].filter((one) => one !== undefined);
  if (given.length !== 1) {
    const message = say('document_patch_or_revision');
    throw new ApiError('validation_failed', { param: 'document', message });
  }
  if (merge) {
    if (patch !== undefined) return { patch: await mergeOntoPresent(db, model, patch) };
    throw new ApiError('validation_failed', { param: 'merge', message: say('only_patch_merges') });
  }
  if (document !== undefined) return { document };
  if (revision === undefined) return { patch };
  return { document: (await requireStored(db, model, revision)).document };
}

async function mergeOntoPresent(db: Queryable, { workspace }: WorkspaceModel, patch: unknown) {
  return mergeOntoOwn(db, await requireWorkspace(db, workspace.id), patch);
}

/** Revisions of which one must be in force; `*` leaves it to the plan (D236). */
function requireRevisions(ifMatch: string | undefined): readonly string[] | undefined {
  const precondition = parseIfMatch(ifMatch);
  if (precondition === 'exists') return undefined;
  if (precondition?.any_of !== undefined) return precondition.any_of;
  const message = say('plan_revision_missing');
  throw new ApiError('validation_failed', { param: 'If-Match', message });
}

/** The reasons to refuse a definition, as problems of the request. */
export function explainRefusal(error: unknown, showsRecords = false): unknown {
  const refusal = refusalOf(error);
  if (refusal !== undefined) {
    const problems = problemsWithoutValues(refusal.problems, showsRecords);
    return errorFromProblems(problemsOf({ ...refusal, problems }), error);
  }
  if (!isOperatorError(error)) return error;
  const message = say('service_refused', { reason: error.message });
  return new ApiError('service_unavailable', { message, cause: error });
}

function problemsOf({ problems, losses = [] }: Refusal): readonly Problem[] {
  const code = 'invalid_write';
  return [
    ...(problems.map(({ path, message, records, conflicts }) => ({
      param: path === '' ? 'document' : path,
      code: conflicts === true ? 'conflict' : code,
      message,
      ...(records === undefined ? {} : { records }),
    })) as Problem[]),
    ...losses.map((name): Problem => {
      const message = say('loss_not_allowed', { name: JSON.stringify(name) });
      return { param: 'allow', code, message, loss: name };
    }),
  ];
}
