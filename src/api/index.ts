// The one list of routes, in the order of the interface specification, and what the OpenAPI document
// says about them as a whole.

import { type About, buildOpenApi } from '../http/openapi.ts';
import type { Route } from '../http/route.ts';
import { aggregateRecords } from './aggregate.ts';
import { listAudit } from './audit-routes.ts';
import { batchRecords } from './batch.ts';
import { batchObjects } from './batch-objects.ts';
import { bulkRecords } from './bulk.ts';
import { createComment, listComments } from './comments.ts';
import type { ServiceContext } from './context.ts';
import {
  applyDefinition,
  getDefinition,
  getRevision,
  listRevisions,
  planDefinition,
} from './definition-routes.ts';
import { getObject, getWorkflow, listObjects } from './discovery.ts';
import { streamEvents } from './events.ts';
import { getAccess } from './explained-access.ts';
import { getExportFile, startExport } from './exports.ts';
import { sendFile } from './file-routes.ts';
import { getRejects, startImport } from './imports.ts';
import { cancelJob, getJob, listJobs } from './job-routes.ts';
import { createApiKey, listKeys, revokeApiKey, updateApiKey } from './key-administration.ts';
import { listNotifications, readNotification } from './notifications.ts';
import { createUser, updateTeamsOfUser, updateUser } from './people.ts';
import { queryObjects } from './query-objects.ts';
import { queryAggregates, queryRecords } from './record-questions.ts';
import { getRecord, listRecords, searchRecords } from './records-read.ts';
import { changeStatus, createRecord, deleteRecord, updateRecord } from './records-write.ts';
import { linkRecord, listLinkedRecords, listRelationships, unlinkRecord } from './relationships.ts';
import { createRole, deleteRole, listRoles, updateRole } from './roles.ts';
import { searchEverything } from './search.ts';
import { createSession, endSession, listSessions } from './sessions.ts';
import {
  createSignInLink,
  finishSignIn,
  listSignInMethods,
  setPassword,
  startSignIn,
} from './sign-in-methods.ts';
import { createTeam, deleteTeam, updateTeam } from './teams.ts';
import {
  copyView,
  createView,
  deleteView,
  getView,
  listViews,
  orderViews,
  updateView,
} from './views.ts';
import { getMe, getUser, listTeams, listUsers } from './workspace.ts';
import { createWorkspace } from './workspace-creation.ts';
import { workspaceDocument } from './workspace-openapi.ts';

export const ROUTES: readonly Route<ServiceContext>[] = Object.freeze([
  createWorkspace,
  getMe,
  listUsers,
  getUser,
  listTeams,
  listObjects,
  getObject,
  getWorkflow,
  workspaceDocument(() => buildOpenApi(ROUTES, ABOUT)),
  listRecords,
  searchRecords,
  aggregateRecords,
  queryRecords,
  queryAggregates,
  queryObjects,
  createRecord,
  getRecord,
  updateRecord,
  deleteRecord,
  changeStatus,
  batchRecords,
  batchObjects,
  bulkRecords,
  listRelationships,
  listLinkedRecords,
  linkRecord,
  unlinkRecord,
  listComments,
  createComment,
  listNotifications,
  readNotification,
  streamEvents,
  searchEverything,
  listViews,
  getView,
  createView,
  copyView,
  orderViews,
  updateView,
  deleteView,
  createUser,
  updateUser,
  updateTeamsOfUser,
  createTeam,
  updateTeam,
  deleteTeam,
  listRoles,
  createRole,
  updateRole,
  deleteRole,
  getAccess,
  listKeys,
  createApiKey,
  updateApiKey,
  revokeApiKey,
  listAudit,
  listJobs,
  getJob,
  cancelJob,
  sendFile,
  startImport,
  getRejects,
  startExport,
  getExportFile,
  getDefinition,
  planDefinition,
  applyDefinition,
  listRevisions,
  getRevision,
  createSession,
  listSessions,
  endSession,
  setPassword,
  createSignInLink,
  listSignInMethods,
  startSignIn,
  finishSignIn,
]);

export const ABOUT: About = Object.freeze({
  title: 'Workspace Records',
  version: '1.0.0',
  description: [
    'One surface over every object of a workspace: CRM objects, work items, catalogs and custom',
    'objects. `GET /objects` tells which objects and fields there are; records of all of them are',
    'read and written at `/objects/{object_type}/records`. `GET /openapi.json?workspace=true` answers',
    'this document with the objects and fields that the user of the key may see.',
    '',
    'Answers may gain new properties at any time; clients ignore those they do not know.',
  ].join('\n'),
  tags: {
    Workspace: 'The key itself, people and teams.',
    Schema: 'Which objects, fields and workflows there are.',
    Records: 'Records of any object: list, create, retrieve, update, delete, change status.',
    Relationships: 'What records are linked to: references, associations, custom links.',
    Comments: 'What people say about records, and the notifications of those they mention.',
    Events: 'What happens in the workspace, as it happens.',
    Search: 'Finding records of every object at once.',
    Views: 'Questions about records that people keep and share; who opens one asks it.',
    Imports: 'Files that come in and go out; jobs do the work.',
    Administration:
      'People, teams, roles and keys; what somebody may do and why, what was done, and jobs.',
    Definition: 'What the workspace is made of, and changing it: plan, apply, go back.',
    Sessions: 'People who sign in: sessions, passwords, one-time links, identity providers.',
  },
});
