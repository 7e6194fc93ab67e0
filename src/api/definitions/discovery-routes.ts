// Discovery: which objects there are for the caller, how they are made, and how their records move
// (specification §4.2). Answers come from the model in memory and carry an ETag (D28).

import Type from 'typebox';
import { type ApproverRow, loadApprovers } from '../../control/people/approver-rows.ts';
import { directoryView } from '../../control/people/directory.ts';
import { ApiError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import {
  type ObjectModel,
  WORK_ITEMS,
  type Workflow,
  type WorkspaceModel,
} from '../../model/definition/model.ts';
import { parseAcceptLanguage, type Say, sayIn, sayPlain } from '../../model/definition/texts.ts';
import { type Caller, objectAccess } from '../../model/rights/access.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import type { Queryable } from '../../postgres/db.ts';
import { defineRoute } from '../context.ts';
import { presentDefinition, presentLook, presentObject, presentTypesOf } from '../present.ts';
import {
  ObjectDefinitionShape,
  ObjectSummary,
  ObjectType,
  WorkflowShape,
} from '../record-shapes.ts';
import { closed, listOf, responseOf } from '../shapes.ts';
import { presentWorkflow } from './present-workflow.ts';

const IncludeAppearance = Type.Optional(
  Type.Enum(['appearance'], {
    description:
      'Also answer the tints of options and statuses, the sections of fields, and the history of the object.',
  }),
);

const Localized = Type.Optional(
  Type.Enum(['true', 'false'], {
    default: 'false',
    description: 'Names in the best language of `Accept-Language` that the definition has.',
  }),
);

export const listObjects = defineRoute({
  method: 'GET',
  path: '/objects',
  operationId: 'listObjects',
  tag: 'Schema',
  summary: 'List object types',
  description: 'Lists the object types the user can read.',
  scope: 'records:read',
  params: Type.Object({}, closed),
  query: Type.Object(
    {
      include_unreadable: Type.Optional(
        Type.Enum(['true', 'false'], {
          default: 'false',
          description: 'Also return objects the user cannot read.',
        }),
      ),
      include: Type.Optional(
        Type.Enum(['work_item_types', 'appearance'], {
          description:
            'work_item_types: also answer the types of work items, as their definition does. ' +
            'appearance: also those, the icons of objects, and whether applications list them.',
        }),
      ),
      localized: Localized,
    },
    closed,
  ),
  status: 200,
  result: listOf(ObjectSummary),
  etag: true,
  errors: ['validation_failed'],
  async handle({ caller, model, query, acceptLanguage }) {
    const say = sayFor(model, query, acceptLanguage);
    const all = query.include_unreadable === 'true';
    const shown = [...model.objects.values()].filter((object) => all || isReadable(caller, object));
    const { include } = query;
    const data = shown.map((object) => ({
      ...presentObject(object, caller, say),
      ...(include === 'appearance' ? presentLook(object) : {}),
      ...(include === undefined ? {} : presentTypesOf(model, object, say)),
    }));
    return { body: { data } };
  },
});

export const getObject = defineRoute({
  method: 'GET',
  path: '/objects/{object_type}',
  operationId: 'getObject',
  tag: 'Schema',
  summary: 'Retrieve an object definition',
  description:
    'The fields the user may read, the relationships and the workflow of an object type.',
  scope: 'records:read',
  params: Type.Object({ object_type: ObjectType }, closed),
  query: Type.Object(
    {
      work_item_type_id: Type.Optional(
        Type.String({
          maxLength: LIMITS.workItemTypeIdLength,
          description: 'Work items only: include the fields placed on this type.',
        }),
      ),
      include: IncludeAppearance,
      localized: Localized,
    },
    closed,
  ),
  status: 200,
  result: responseOf(ObjectDefinitionShape),
  etag: true,
  errors: ['validation_failed', 'object_not_available'],
  async handle({ caller, model, params, query, acceptLanguage }) {
    const object = requireObject(model, caller, params.object_type);
    const typeId = query.work_item_type_id ?? null;
    if (typeId !== null) requireWorkItemType(model, object, typeId);
    const appearance = query.include === 'appearance';
    const say = sayFor(model, query, acceptLanguage);
    const view = { caller, workItemTypeId: typeId, appearance, say };
    return { body: { data: presentDefinition(model, object, view) } };
  },
});

export const getWorkflow = defineRoute({
  method: 'GET',
  path: '/workflows/{workflow_id}',
  operationId: 'getWorkflow',
  tag: 'Schema',
  summary: 'Retrieve a workflow',
  description: [
    'The statuses of a workflow and the moves it allows. Of a move that needs approval: whether the caller is an',
    'approver, and which approvers there are, as far as the caller may read people and teams.',
  ].join(' '),
  scope: 'records:read',
  params: Type.Object({ workflow_id: Type.String({ minLength: 1, maxLength: 200 }) }, closed),
  query: Type.Object({ include: IncludeAppearance, localized: Localized }, closed),
  status: 200,
  result: responseOf(WorkflowShape),
  etag: true,
  errors: ['workflow_not_found'],
  async handle({ caller, model, params, query, acceptLanguage }, { db }) {
    const workflow = model.workflows.get(params.workflow_id);
    const used = workflow !== undefined && isUsedByReadable(model, caller, workflow.id);
    if (!used) throw new ApiError('workflow_not_found', { param: 'workflow_id' });
    const approvers = await approversOf(db, { model, caller, workflow });
    const appearance = query.include === 'appearance';
    const view = { appearance, say: sayFor(model, query, acceptLanguage) };
    return { body: { data: presentWorkflow(workflow, caller, approvers, view) } };
  },
});

/** Clients that do not ask for a language get names as ever. */
function sayFor(
  { texts }: WorkspaceModel,
  { localized }: { readonly localized?: string },
  acceptLanguage: string | undefined,
): Say {
  if (localized !== 'true') return sayPlain;
  return sayIn(texts, parseAcceptLanguage(acceptLanguage));
}

interface Asked {
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  readonly workflow: Workflow;
}

/**
 * The approvers that the caller may see. The caller's own teams are always among them, because they decide their
 * rights.
 */
async function approversOf(
  db: Queryable,
  { model, caller, workflow }: Asked,
): Promise<readonly ApproverRow[]> {
  const gates = [...workflow.statuses.values()].flatMap((status) => [...status.gates.values()]);
  if (gates.length === 0) return [];
  return loadApprovers(db, model.schema, gates, directoryView(caller));
}

function isReadable(caller: Caller, object: ObjectModel): boolean {
  return objectAccess(caller, object).reach.read !== null;
}

/** A workflow shows only to those who may read an object that uses it. */
function isUsedByReadable(model: WorkspaceModel, caller: Caller, workflowId: string): boolean {
  const ofTypes = [...model.work_item_types.values()].some(
    (type) => type.workflow.id === workflowId,
  );
  return [...model.objects.values()].some((object) => {
    const uses = object.workflow?.id === workflowId;
    return (uses || (ofTypes && object.object_type === WORK_ITEMS)) && isReadable(caller, object);
  });
}

function requireWorkItemType(model: WorkspaceModel, object: ObjectModel, typeId: string): void {
  if (object.object_type === WORK_ITEMS && model.work_item_types.has(typeId)) return;
  const message =
    object.object_type === WORK_ITEMS
      ? say('work_item_type_not_found')
      : say('only_work_items_have_types');
  throw new ApiError('validation_failed', { param: 'work_item_type_id', message });
}
