// The one list of routes, in the order of the interface specification, and the general part of the OpenAPI document.

import { type About, buildOpenApi } from '../http/openapi.ts';
import type { Route } from '../http/route.ts';
import { packageVersion } from '../package-folder.ts';
import { getAccess } from './access-routes.ts';
import { aggregateRecords } from './aggregate-routes.ts';
import { listAudit } from './audit-routes.ts';
import { batchRecords } from './batch-routes.ts';
import { bulkRecords } from './bulk-routes.ts';
import { getBundle } from './bundle-routes.ts';
import { listChanges } from './change-routes.ts';
import { createComment, listComments } from './comment-routes.ts';
import type { ServiceContext } from './context.ts';
import {
  createDashboard,
  deleteDashboard,
  getDashboard,
  listDashboards,
  updateDashboard,
} from './dashboard-routes.ts';
import {
  applyDefinition,
  getDefinition,
  getRevision,
  listRevisions,
  planDefinition,
} from './definition-routes.ts';
import {
  listDeliveries,
  replayWebhook,
  replayWebhookDelivery,
  testWebhook,
} from './delivery-routes.ts';
import { getObject, getWorkflow, listObjects } from './discovery-routes.ts';
import { startErasure } from './erasure-routes.ts';
import { streamEvents } from './event-routes.ts';
import { getExportFile, startExport } from './export-routes.ts';
import { sendFile } from './file-routes.ts';
import { followRecord, getFollow, unfollowRecord } from './follow-routes.ts';
import { listHistory, restoreRecordValues } from './history-routes.ts';
import { getRejects, startImport } from './import-routes.ts';
import { cancelJob, getJob, listJobs } from './job-routes.ts';
import { createApiKey, listKeys, revokeApiKey, updateApiKey } from './key-routes.ts';
import { mailLink, showUnsubscribe, unsubscribeFromMail } from './mail-routes.ts';
import { getMember, listMembers } from './member-routes.ts';
import { batchObjects } from './mixed-batch-routes.ts';
import { aggregateObjects, queryObjects } from './mixed-query-routes.ts';
import { listNotifications, readNotification } from './notification-routes.ts';
import {
  getNotificationSettings,
  updateNotificationSettings,
} from './notification-settings-routes.ts';
import { createUser, updateTeamsOfUser, updateUser } from './people-routes.ts';
import { queryAggregates, queryRecords } from './question-routes.ts';
import { readSentFile } from './reading-routes.ts';
import { getRecordFile } from './record-file-routes.ts';
import { getRecord, listRecords, searchRecords } from './record-read-routes.ts';
import { changeStatus, createRecord, deleteRecord, updateRecord } from './record-write-routes.ts';
import {
  linkRecord,
  listLinkedRecords,
  listRelationships,
  unlinkRecord,
} from './relationship-routes.ts';
import { createRole, deleteRole, listRoles, updateRole } from './role-routes.ts';
import { searchEverything } from './search-routes.ts';
import { createSession, endSession, listSessions } from './session-routes.ts';
import { createSignInLink, listSignInLinks, revokeSignInLinkRoute } from './sign-in-link-routes.ts';
import {
  finishSignIn,
  listSignInMethods,
  setPassword,
  startSignIn,
} from './sign-in-method-routes.ts';
import {
  approveStatusRequest,
  createStatusRequest,
  getStatusRequest,
  listStatusRequests,
  rejectStatusRequest,
  withdrawStatusRequest,
} from './status-request-routes.ts';
import { createTeam, deleteTeam, updateTeam } from './team-routes.ts';
import { listDeleted, purgeRecord, restoreRecord } from './trash-routes.ts';
import {
  copyView,
  createView,
  deleteView,
  getView,
  listViews,
  orderViews,
  updateView,
} from './view-routes.ts';
import { startViewing, stopViewing } from './viewing-routes.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from './webhook-routes.ts';
import { WEBHOOK_MESSAGES } from './webhook-shapes.ts';
import { createWorkspace } from './workspace-creation-routes.ts';
import { startWorkspaceExport } from './workspace-export-routes.ts';
import { workspaceDocument } from './workspace-openapi.ts';
import { getMe, getUser, listTeams, listUsers } from './workspace-routes.ts';

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
  aggregateObjects,
  createRecord,
  getRecord,
  updateRecord,
  deleteRecord,
  changeStatus,
  getRecordFile,
  listDeleted,
  restoreRecord,
  purgeRecord,
  createStatusRequest,
  listStatusRequests,
  getStatusRequest,
  approveStatusRequest,
  rejectStatusRequest,
  withdrawStatusRequest,
  batchRecords,
  batchObjects,
  bulkRecords,
  listRelationships,
  listLinkedRecords,
  linkRecord,
  unlinkRecord,
  listHistory,
  restoreRecordValues,
  getBundle,
  listComments,
  createComment,
  listNotifications,
  readNotification,
  getNotificationSettings,
  updateNotificationSettings,
  getFollow,
  followRecord,
  unfollowRecord,
  streamEvents,
  listChanges,
  searchEverything,
  listViews,
  getView,
  createView,
  copyView,
  orderViews,
  updateView,
  deleteView,
  listDashboards,
  getDashboard,
  createDashboard,
  updateDashboard,
  deleteDashboard,
  listMembers,
  getMember,
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
  startViewing,
  stopViewing,
  listKeys,
  createApiKey,
  updateApiKey,
  revokeApiKey,
  listWebhooks,
  getWebhook,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  rotateWebhookSecret,
  listDeliveries,
  replayWebhookDelivery,
  replayWebhook,
  listAudit,
  listJobs,
  getJob,
  cancelJob,
  startErasure,
  startWorkspaceExport,
  sendFile,
  startImport,
  readSentFile,
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
  listSignInLinks,
  revokeSignInLinkRoute,
  listSignInMethods,
  mailLink,
  startSignIn,
  finishSignIn,
  showUnsubscribe,
  unsubscribeFromMail,
]);

export const ABOUT: About = Object.freeze({
  title: 'Workspace Records',
  version: packageVersion(),
  description: [
    'One surface over every object of a workspace: CRM objects, work items, catalogs and custom',
    'objects. `GET /objects` lists the objects and fields; the records of all of them are',
    'read and written at `/objects/{object_type}/records`. `GET /openapi.json?workspace=true` returns',
    'this document with the objects and fields that the user of the key may see.',
    '',
    'Responses may gain new properties at any time; clients ignore properties they do not know.',
  ].join('\n'),
  tags: {
    Workspace: 'The key itself, people and teams.',
    Schema: 'Objects, fields and workflows.',
    Records: 'Records of any object: list, create, retrieve, update, delete, change status.',
    Approvals: 'Moves that need approval: asking for them, deciding about them.',
    Relationships: 'Links between records: references, associations, custom links.',
    History: 'Earlier values of records, and their restore.',
    'Deleted records': 'Records in the trash: restore them, or delete them for good.',
    Comments: 'Comments on records.',
    Notifications:
      'What concerns you, the records that you follow, and how you want to hear of it.',
    Events: 'Live events of the workspace.',
    Search: 'Search across the records of all objects.',
    Views: 'Saved queries that people can share, and dashboards of them.',
    Files: 'Files of records: upload and download.',
    Imports: 'Import and export of files, as jobs.',
    Webhooks: 'Events that are sent to other systems.',
    Administration: 'People, teams, roles, keys, access, the audit log and jobs.',
    Definition: 'The definition of the workspace: plan changes, apply them, go back.',
    Sessions: 'Sign-in: sessions, passwords, one-time links, identity providers.',
  },
  webhooks: WEBHOOK_MESSAGES,
});
