// The one list of routes, in the order of the interface specification, and the general part of the OpenAPI document.

import type { Config } from '../config.ts';
import { type About, buildOpenApi } from '../http/documents/openapi.ts';
import type { Endpoint } from '../http/route/endpoint.ts';
import type { Route } from '../http/route/route.ts';
import { packageVersion } from '../package-folder.ts';
import type { ServiceContext } from './context.ts';
import {
  applyDefinition,
  getDefinition,
  getRevision,
  listRevisions,
  planDefinition,
} from './definitions/definition-routes.ts';
import { getObject, getWorkflow, listObjects } from './definitions/discovery-routes.ts';
import { workspaceDocument } from './definitions/workspace-openapi.ts';
import { listAudit } from './events/audit-routes.ts';
import { listChanges } from './events/change-routes.ts';
import {
  listDeliveries,
  replayWebhook,
  replayWebhookDelivery,
  testWebhook,
} from './events/delivery-routes.ts';
import { streamEvents } from './events/event-routes.ts';
import { followRecord, getFollow, unfollowRecord } from './events/follow-routes.ts';
import { mailLink, showUnsubscribe, unsubscribeFromMail } from './events/mail-routes.ts';
import { listNotifications, readNotification } from './events/notification-routes.ts';
import {
  getNotificationSettings,
  updateNotificationSettings,
} from './events/notification-settings-routes.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from './events/webhook-routes.ts';
import { WEBHOOK_MESSAGES } from './events/webhook-shapes.ts';
import { listDuplicates, startDuplicates } from './jobs/duplicate-routes.ts';
import { getExportFile, startExport } from './jobs/export-routes.ts';
import { sendFile } from './jobs/file-routes.ts';
import { getRejects, startImport } from './jobs/import-routes.ts';
import { cancelJob, getJob, listJobs } from './jobs/job-routes.ts';
import { readSentFile } from './jobs/reading-routes.ts';
import { createWorkspace } from './jobs/workspace-creation-routes.ts';
import { startWorkspaceExport } from './jobs/workspace-export-routes.ts';
import { METADATA_ENDPOINTS } from './oauth/metadata-endpoints.ts';
import {
  createGrant,
  createOauthClient,
  listOauthClients,
  readAuthorization,
  switchOauthClient,
} from './oauth/oauth-routes.ts';
import { TOKEN_ENDPOINTS } from './oauth/token-endpoints.ts';
import { getAccess } from './people/access-routes.ts';
import { createApiKey, listKeys, revokeApiKey, updateApiKey } from './people/key-routes.ts';
import { getMember, listMembers } from './people/member-routes.ts';
import { createUser, updateTeamsOfUser, updateUser } from './people/people-routes.ts';
import { createRole, deleteRole, listRoles, updateRole } from './people/role-routes.ts';
import {
  beginCodes,
  beginPasskeyRoute,
  beginPasskeySignIn,
  confirmCodes,
  createPasskey,
  deletePasskeyRoute,
  getSecondFactor,
  makeRecoveryCodes,
  removeCodes,
  resetSecondFactor,
} from './people/second-factor-routes.ts';
import { createSession, endSession, listSessions } from './people/session-routes.ts';
import {
  createSignInLink,
  listSignInLinks,
  revokeSignInLinkRoute,
} from './people/sign-in-link-routes.ts';
import {
  finishSignIn,
  listSignInMethods,
  setPassword,
  startSignIn,
} from './people/sign-in-method-routes.ts';
import { createTeam, deleteTeam, updateTeam } from './people/team-routes.ts';
import { startViewing, stopViewing } from './people/viewing-routes.ts';
import { getMe, getUser, listTeams, listUsers } from './people/workspace-routes.ts';
import { aggregateRecords } from './read/aggregate-routes.ts';
import { getBundle } from './read/bundle-routes.ts';
import {
  createDashboard,
  deleteDashboard,
  getDashboard,
  listDashboards,
  updateDashboard,
} from './read/dashboard-routes.ts';
import { createCalendarFeed, readCalendarFeed } from './read/feed-routes.ts';
import { listHistory, restoreRecordValues } from './read/history-routes.ts';
import { aggregateObjects, queryObjects } from './read/mixed-query-routes.ts';
import { queryAggregates, queryRecords } from './read/question-routes.ts';
import { getRecord, listRecords, searchRecords } from './read/record-read-routes.ts';
import { searchEverything } from './read/search-routes.ts';
import { listDeleted, purgeRecord, restoreRecord } from './read/trash-routes.ts';
import {
  copyView,
  createView,
  deleteView,
  getView,
  listViews,
  orderViews,
  updateView,
} from './read/view-routes.ts';
import { batchRecords } from './write/batch-routes.ts';
import { bulkRecords } from './write/bulk-routes.ts';
import { createComment, listComments, listMentionable } from './write/comment-routes.ts';
import { startErasure } from './write/erasure-routes.ts';
import { mergeRecord, unmergeRecord } from './write/merge-routes.ts';
import { batchObjects } from './write/mixed-batch-routes.ts';
import { getRecordFile } from './write/record-file-routes.ts';
import {
  changeStatus,
  createRecord,
  deleteRecord,
  updateRecord,
} from './write/record-write-routes.ts';
import {
  linkRecord,
  listLinkedRecords,
  listRelationships,
  unlinkRecord,
} from './write/relationship-routes.ts';
import {
  approveStatusRequest,
  createStatusRequest,
  getStatusRequest,
  listStatusRequests,
  rejectStatusRequest,
  withdrawStatusRequest,
} from './write/status-request-routes.ts';

export const ROUTES: readonly Route<ServiceContext>[] = Object.freeze([
  createWorkspace,
  getMe,
  listUsers,
  getUser,
  listTeams,
  listObjects,
  getObject,
  getWorkflow,
  workspaceDocument((config) => buildOpenApi(routesOf(config), ABOUT)),
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
  mergeRecord,
  unmergeRecord,
  startDuplicates,
  listDuplicates,
  getBundle,
  listComments,
  listMentionable,
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
  createCalendarFeed,
  readCalendarFeed,
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
  readAuthorization,
  createGrant,
  listOauthClients,
  createOauthClient,
  switchOauthClient,
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
  beginPasskeySignIn,
  getSecondFactor,
  beginCodes,
  confirmCodes,
  removeCodes,
  makeRecoveryCodes,
  beginPasskeyRoute,
  createPasskey,
  deletePasskeyRoute,
  resetSecondFactor,
  listSignInMethods,
  mailLink,
  startSignIn,
  finishSignIn,
  showUnsubscribe,
  unsubscribeFromMail,
]);

/** The routes of a service with these settings. */
export function routesOf({ oauth }: Pick<Config, 'oauth'>): readonly Route<ServiceContext>[] {
  return oauth ? ROUTES : ROUTES.filter((route) => route.oauth !== true);
}

/** Paths of other protocols. */
export function endpointsOf({ oauth }: Pick<Config, 'oauth'>): readonly Endpoint<ServiceContext>[] {
  return oauth ? [...METADATA_ENDPOINTS, ...TOKEN_ENDPOINTS] : [];
}

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
    Merge: 'Records that are the same thing: one stays, and gets what belongs to the others.',
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
    OAuth: 'Access of programs of others, to which a person agrees.',
    Sessions: 'Sign-in: sessions, passwords, one-time links, identity providers.',
    'Second factor': 'One-time codes, recovery codes and passkeys of people.',
  },
  webhooks: WEBHOOK_MESSAGES,
});
