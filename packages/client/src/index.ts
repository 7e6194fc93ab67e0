// The exports of the package: the client, its errors, and the types of the interface.

export type {
  Administration,
  KeyQuery,
  Keys,
  PeopleChanges,
  Roles,
  TeamChanges,
} from './administration.ts';
export type { StatusRequests } from './approvals.ts';
export {
  type BatchOperation,
  type BatchOptions,
  type BulkChange,
  type BulkRehearsal,
  earlier,
  type ObjectBatchResult,
  type ObjectOperations,
} from './batches.ts';
export {
  type ChangePage,
  type ChangesOptions,
  type CursorExpired,
  isCursorExpired,
} from './changes.ts';
export {
  type Client,
  createClient,
  type ObjectsQuery,
  type UserQuery,
} from './client.ts';
export type { ClientOptions, Fetch, Wait } from './connection.ts';
export type { Dashboards } from './dashboards.ts';
export type { DefinitionApplication, DefinitionInput, Definitions } from './definition.ts';
export {
  type BatchResult,
  type ClientErrorCode,
  type ErrorDetails,
  isRecordsError,
  type ProblemDetail,
  type RecordsError,
  type RecordsErrorCode,
} from './errors.ts';
export type { LiveEvent, StreamOptions } from './events.ts';
export {
  FIELD_TYPES,
  FILTER_OPERATORS,
  type FieldType,
  type FieldTypeFacts,
  GATE_DEFAULTS,
  KEY_PATTERN,
  LIMITS,
  MAIL_LANGUAGES,
  OBJECT_ICONS,
  OBJECT_TYPE_PATTERN,
  type ObjectIcon,
  TINTS,
  TINTS_BY_POSITION,
  type Tint,
  WHERE_OPERATORS,
  WORKSPACE_SLUG_PATTERN,
} from './facts.ts';
export type {
  AnyFields,
  AnyObjects,
  Changes,
  Filters,
  ObjectFields,
  RecordIdentity,
  RecordWith,
} from './fields.ts';
export type { Filter, FilterOperators, FilterScalar } from './filters.ts';
export type { ListQuery, SearchQuery } from './lists.ts';
export type { MergedRecord, MergeRehearsal, MergeRequest, UnmergedRecord } from './merges.ts';
export { MESSAGES, type MessageId } from './messages.ts';
export type { NotificationQuery, Notifications } from './notifications.ts';
export type { Page } from './pages.ts';
export type {
  GroupedQuestion,
  ObjectAggregate,
  ObjectQuestion,
  Question,
  QuestionPage,
  Questions,
} from './questions.ts';
export type { EarlierValues } from './record-history.ts';
export type { CommentOptions, Comments, Link } from './record-parts.ts';
export type { AggregateQuery, Records, WriteOptions } from './records.ts';
export type { CallOptions } from './request.ts';
export type * from './schema.ts';
export type { SecondFactor } from './second-factor.ts';
export type { Sessions } from './sessions.ts';
export type { AuditQuery, FileOptions, JobsQuery, Transfers } from './transfers.ts';
export type { DeletedRecords, RestoredRecord } from './trash.ts';
export type { DownloadOptions, FilePlace, FileTransfers, UploadOptions } from './uploads.ts';
export type { Views, ViewWriteOptions } from './views.ts';
export type { Deliveries, Webhooks } from './webhooks.ts';
export { type RelativeTime, type WhereBuilder, type WherePath, whereOf } from './where.ts';
