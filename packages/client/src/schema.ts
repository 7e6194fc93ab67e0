// Made from the routes of the service by scripts/generate.ts; changes here are lost. One type for each
// named schema; for each route what it takes and answers, and how it is called.

export type Access = {
  user: {
    id: number;
    name: string | null;
    email: string;
    kind: 'user' | 'agent';
    /** False: none of this can be used. */
    active: boolean;
    roles: string[];
  };
  administrator: GrantedRight;
  developer: GrantedRight;
  directory: GrantedRight;
  assign_owner: GrantedRight;
  objects: {
    object_type: string;
    name: string;
    actions: {
      create: GrantedAction;
      read: GrantedAction;
      update: GrantedAction;
      delete: GrantedAction;
    };
    fields: {
      key: string;
      name: string;
      access: 'none' | 'read' | 'write';
      /** Keys of the roles that grant it. */
      roles: string[];
    }[];
  }[];
};

export type AppliedDefinition = { revision: number; changes: DefinitionChange[] };

export type AuditEntry = {
  /** Opaque and in no order; the order is that of the pages. */
  id: string;
  at: string;
  user: { id: number; email: string | null } | null;
  api_key: { id: string; prefix: string | null } | null;
  session: { id: string } | null;
  source: 'api' | 'import' | 'cli' | 'bulk' | 'mcp';
  object_type: string | null;
  record_id: string | null;
  subject_type: string | null;
  subject_id: string | null;
  action: string;
  /** Keys of the changed fields, never values. */
  changed_fields: string[];
  /** The status request that the entry is about, or that led to the move. */
  status_request_id?: string;
  /** The person who asked for the move. */
  requested_by?: number;
  /** The approvers of the move, in their order. */
  approved_by?: number[] | null;
  request_id: string | null;
  batch_id: string | null;
};

export type Author = {
  /** `user`, or `agent` for a service user. */
  kind: string;
  id: number | null;
  name: string | null;
};

export type Authorization = {
  client: {
    id: string;
    /** The name that the client gives itself. */
    name: string;
    /** `document`: its id is the address of its metadata, which the service has read. */
    kind: 'document' | 'registered' | 'entered';
    host: string | null;
  };
  returns_to: string | null;
  /** The scopes that the client asks for and may get. */
  scopes: (
    | 'users:read'
    | 'records:read'
    | 'records:write'
    | 'records:delete'
    | 'comments:read'
    | 'comments:write'
    | 'workspace:read'
    | 'audit:read'
    | 'webhooks:write'
  )[];
  /** The digest of the request, to send with the consent. */
  digest: string;
  refusal: string | null;
  /** The address that tells the client of a refusal. */
  declined_url: string;
};

export type BulkDelete = {
  action: 'delete';
  where: Where;
  /** A name of the IANA time zone database; UTC when left out. */
  timezone?: string;
  /** How many records it must be; only a dry run can do without. */
  expected_count?: number;
  /** True: says how many records it is about, and changes none. */
  dry_run?: boolean;
};

export type BulkStatus = {
  action: 'status';
  status_id: string;
  where: Where;
  /** A name of the IANA time zone database; UTC when left out. */
  timezone?: string;
  /** How many records it must be; only a dry run can do without. */
  expected_count?: number;
  /** True: says how many records it is about, and changes none. */
  dry_run?: boolean;
};

export type BulkUpdate = {
  action: 'update';
  /** Field key → value; fields of storage `jsonb` under `custom_fields`. */
  fields: { [key: string]: unknown };
  where: Where;
  /** A name of the IANA time zone database; UTC when left out. */
  timezone?: string;
  /** How many records it must be; only a dry run can do without. */
  expected_count?: number;
  /** True: says how many records it is about, and changes none. */
  dry_run?: boolean;
};

export type CalendarFeed = {
  id: string;
  user: KeyUser | null;
  type: 'personal' | 'operational';
  name: string;
  /** The beginning of the secret. */
  prefix: string;
  scopes: string[];
  requests_per_minute: number | null;
  /**
   * False: the key asks for moves that need approval, and neither makes nor approves
   * them.
   */
  gates: boolean;
  expires_at: string | null;
  revoked_at: string | null;
  created_at: string;
  last_used_at: string | null;
  /** The client that has the key by a grant of OAuth. */
  client_id?: string;
  /** The view that a calendar feed reads. */
  view_id?: string;
  /** The part of the address that identifies the feed. */
  secret: string;
  /** The address to subscribe to. It is not shown again. */
  url: string;
};

export type ChangeEvent =
  | RecordEvent
  | RecordLeftEvent
  | CommentEvent
  | StatusRequestEvent
  | DefinitionChangedEvent
  | ReachChangedEvent;

export type ChangedValue = {
  /** The present key of the field. */
  field: string;
  /** The value before, as a record has it; null: none. */
  old: unknown;
  new: unknown;
};

export type ChangedValues = {
  /** The number of the file in an import of several, from 1. */
  file?: number;
  field: string;
  /**
   * The kind of change: values have an exponent in place of digits (`exponents`),
   * have zeros in place of their last digits (`digits`), are days, and may have been
   * codes (`dates`), are errors of a spreadsheet (`errors`), may have lost the zeros
   * before their digits (`zeros`).
   */
  change: 'exponents' | 'digits' | 'dates' | 'errors' | 'zeros';
  /** The number of such values. */
  values: number;
  /** The first of these values. */
  example: string;
};

export type CommentEvent = {
  type: 'comment.created';
  /**
   * The id of the event, the same in stream, feed and webhooks, and each time it is
   * sent.
   */
  id: string;
  object_type: string;
  record_id: string;
  comment: RecordComment;
  user: { id: number } | null;
  source: 'api' | 'application' | 'mcp' | 'import' | 'bulk' | 'cli';
  batch_id: string | null;
  occurred_at: string;
};

export type CommentObjectOperation = {
  action: 'comment';
  /** Object type, such as `companies` or the slug of a custom object. */
  object_type: string;
  id: string | EarlierRecord;
  /** Plain text, kept as it is; not white space only. */
  body: string;
  /** Active members of the workspace; a repeated id counts once. */
  mention_user_ids?: number[];
};

export type CountedRecordList = {
  data: RecordData[];
  pagination: Pagination;
  /** The number of all records that the query finds, where `count` is `exact`. */
  count?: { value: number; relation: 'exact' | 'at_least' };
};

export type CreateObjectOperation = {
  action: 'create';
  /** Object type, such as `companies` or the slug of a custom object. */
  object_type: string;
  /**
   * Field key → value; fields of storage `jsonb` under `custom_fields`. A reference
   * may be `{"$op": 0}`.
   */
  fields: { [key: string]: unknown };
};

export type CreateOperation = {
  action: 'create';
  /** Field key → value; fields of storage `jsonb` under `custom_fields`. */
  fields: { [key: string]: unknown };
};

export type Dashboard = {
  id: string;
  name: string;
  /**
   * The people who see the view: its owner, people who share a team with the owner,
   * or everyone.
   */
  shared: 'private' | 'team' | 'workspace';
  owner_user_id: number;
  /** Views of the kind `report`, in their order on the page. */
  tiles: {
    view_id: string;
    /** Columns of the page, which has four. */
    width: number;
  }[];
  can_change: boolean;
  /** Opaque; send it back as `If-Match` or `expected_version`. */
  version: string;
  created_at: string;
  updated_at: string;
};

export type Definition = {
  /** The revision, to send as `If-Match` when applying a plan. */
  revision: number;
  /** False: the document leaves out what the user may not read. */
  complete: boolean;
  /** A definition document: objects, relationships, workflows, roles and the rest. */
  document?: { [key: string]: unknown };
  /** A JSON merge patch (RFC 7396) over the base, as in a definition file. */
  patch?: { [key: string]: unknown };
};

export type DefinitionChange = {
  /** The place in the document, such as `objects.deals.fields.amount`. */
  path: string;
  action: 'add' | 'change' | 'remove' | 'rename';
  /** One line for people. */
  summary: string;
  /** The key before a rename. */
  from?: string;
  /** The field whose history ends; `*`: that of all fields of the object. */
  ends?: string;
  /** Records lose values, or get others for them, without a new version. */
  alters?: true;
};

/**
 * The names of one revision. Without names: another definition is in force. Values
 * that have changed in another way follow in `reach.changed`.
 */
export type DefinitionChangedEvent = {
  type: 'definition.changed';
  /**
   * The id of the event, the same in stream, feed and webhooks, and each time it is
   * sent.
   */
  id: string;
  /** The revision of the definition. */
  revision: number;
  renamed: {
    of: 'object' | 'field' | 'status' | 'relationship';
    /** The key of the object since this revision. */
    object_type: string;
    from: string;
    /** The key or id since this revision. */
    to: string;
    /**
     * The work-item types that have the status; of other objects there is no such
     * list.
     */
    work_item_types?: string[];
  }[];
  removed: { object_type: string; field: string | null }[];
  occurred_at: string;
};

export type DefinitionPlan = {
  /** The revision in force, which the plan starts from. */
  revision: number;
  plan_id: string | null;
  changes: PlannedChange[];
  problems: DefinitionProblem[];
  /** Parts that the document does not change, such as people it does not list. */
  notes: string[];
};

export type DefinitionProblem = {
  /** The place in the document; empty for all of it. */
  path: string;
  message: string;
  message_id?: string;
  params?: { [key: string]: unknown };
  /**
   * The first records whose values block the change. Only with the scope
   * `records:read`.
   */
  records?: { id: string; value: unknown }[];
};

export type DefinitionRevision = {
  revision: number;
  applied_at: string;
  in_force: boolean;
  source: 'api' | 'import' | 'cli' | null;
  applied_by: RevisionAuthor | null;
  changes: DefinitionChange[] | null;
  /** The number of changes that `changes` omits. The revision itself has all. */
  more_changes: number;
};

export type DefinitionRevisionWithDocuments = {
  revision: number;
  applied_at: string;
  in_force: boolean;
  source: 'api' | 'import' | 'cli' | null;
  applied_by: RevisionAuthor | null;
  changes: DefinitionChange[] | null;
  /** A definition document: objects, relationships, workflows, roles and the rest. */
  document: { [key: string]: unknown };
  /** A JSON merge patch (RFC 7396) over the base, as in a definition file. */
  patch: { [key: string]: unknown };
};

export type DeleteObjectOperation = {
  action: 'delete';
  /** Object type, such as `companies` or the slug of a custom object. */
  object_type: string;
  id: string;
  /** The version the record must have before the request. */
  expected_version?: string;
};

export type DeleteOperation = { action: 'delete'; id: string };

export type DeletedRecord = {
  object_type: string;
  id: string;
  /** The name that people use, a prefix and a number; work items only. */
  public_id?: string;
  display: string | null;
  owner_user_id: number | null;
  deleted_at: string;
  deleted_by_user_id: number;
  restorable_until: string;
};

export type DoubleRow = {
  /** The number of the file in an import of several, from 1. */
  file?: number;
  line: number;
  /** The line of the first row with the same match values. */
  first_line: number;
  /** The match values. */
  value: string;
};

export type Duplicates = {
  /** Keys of the fields that are equal. */
  fields: string[];
  records: RecordData[];
};

export type EarlierRecord = {
  /** Index of an earlier operation. */
  $op: number;
};

export type EmptiedValues = {
  /** The number of the file in an import of several, from 1. */
  file?: number;
  field: string;
  /** The number of such values. */
  values: number;
  /** The first of these values, each once. */
  names: string[];
};

export type Field = {
  key: string;
  name: string | null;
  description?: string;
  /**
   * One of text, long_text, number, integer, currency, percent, boolean, date,
   * datetime, select, multi_select, email, phone, url, reference, user, json, file;
   * more may come.
   */
  type: string;
  required: boolean;
  editable: boolean;
  storage: 'physical' | 'jsonb';
  storage_key: string;
  section?: string | null;
  /** With include=appearance: the expression that computes the field. */
  formula?: string;
  /** With include=appearance: the records and values that the field is computed from. */
  rollup?: {
    /** The records: those of this object whose field refers to the record. */
    reference: { object_type: string; field: string };
    /** last: the value of the record that was created last. */
    op: 'count' | 'sum' | 'min' | 'max' | 'last';
    /** The field of those records; `count` has none. */
    field?: string;
    where?: {
      field: string;
      op:
        | 'eq'
        | 'ne'
        | 'lt'
        | 'lte'
        | 'gt'
        | 'gte'
        | 'in'
        | 'is_null'
        | 'not_in'
        | 'between'
        | 'has_any'
        | 'has_all'
        | 'has_none';
      /** The value to compare with, as in a query; a list for in, between and the like. */
      value: unknown;
    }[];
  };
  options?: {
    value: unknown;
    label?: string;
    /**
     * With include=appearance: the tint, one of gray, red, orange, yellow, green,
     * teal, blue, indigo, purple, pink.
     */
    color?: string;
  }[];
  /** JSON-Schema words, `unique`, `reference_object_type`, `on_delete`, `currency`. */
  constraints?: { [key: string]: unknown };
};

export type FileOfImport = {
  file_id: string;
  /** Only with the scope `records:read`. */
  file_name?: string;
  object_type?: string;
  comments_on?: string;
  links_of?: string;
  mapping?: ImportMapping;
  progress: { done: number; total: number | null };
  /**
   * Of an import: created, updated, unchanged, rejected and others; of a bulk
   * change: changed, unchanged, refused; of an erasure: what it has removed, by
   * place; of a workspace: records, files, bytes and others.
   */
  counts: { [key: string]: number };
};

export type FilledDashboard = {
  id: string;
  name: string;
  /**
   * The people who see the view: its owner, people who share a team with the owner,
   * or everyone.
   */
  shared: 'private' | 'team' | 'workspace';
  owner_user_id: number;
  /** Views of the kind `report`, in their order on the page. */
  tiles: {
    view_id: string;
    /** Columns of the page, which has four. */
    width: number;
  }[];
  can_change: boolean;
  /** Opaque; send it back as `If-Match` or `expected_version`. */
  version: string;
  created_at: string;
  updated_at: string;
  /** The views that you see; a tile without one has a deleted or private view. */
  views: View[];
};

export type Follow = { following: boolean };

export type GrantedAction = {
  reach: 'own' | 'team' | 'organisation' | null;
  /** False: the object does not support the action. */
  supported: boolean;
  /** Keys of the roles that grant it. */
  roles: string[];
};

export type GrantedRight = {
  allowed: boolean;
  /** Keys of the roles that grant it. */
  roles: string[];
};

/**
 * The `group_by` values and one column per metric. Numbers are exact: one that a
 * JSON number would not keep (beyond 2^53, or with too many digits) is a decimal
 * string. `avg` is the nearest double.
 */
export type Group = { [key: string]: unknown };

export type HistoryEntry = {
  /** The counter of the record after the change. */
  revision: number;
  /** The version that belongs to `revision`. */
  version: string;
  at: string;
  user_id: number;
  /** One of api, application, mcp, import, bulk, cli; more may come. */
  source: string;
  /** `update`, `status`, `link`, `unlink` or `restore`. */
  action: string;
  changes: ChangedValue[];
};

export type ImportColumn = {
  /**
   * A field key, custom_fields.<key>, id, status, owner_user_id, created_at,
   * updated_at, created_by_user_id; for work items public_id. Of comments: id,
   * record_id, body, author_user_id, created_at, updated_at, mention_user_ids.
   */
  field: string;
  /** Value in the file → value to use instead; of a list, also for each item. */
  values?: { [key: string]: string | number | boolean | null };
  /** References: find the record that has the value. */
  lookup?: {
    object_type: string;
    /** The field whose value the file has; exact match. */
    field: string;
  };
  /** Users: find the person or agent, somebody active first. */
  user?: 'email' | 'name';
  /** For users and lookups: the value when there is no match; null: no value. */
  fallback?: string | number | boolean | null;
  /** Text in the file → other text, one after the other, before `values`. */
  replace?: { text: string; with: string }[];
  /** Dates and times: the file has the number of these since 1970, in UTC. */
  time?: 'seconds' | 'milliseconds';
  /** Dates and times: how the file writes them, such as DD.MM.YYYY or M/D/YY h:mm A. */
  format?: string;
  /**
   * Dates and times of a format with YY: the first of the hundred years that two
   * digits mean, such as 1930; 1970 by default.
   */
  first_year?: number;
  /** Times: whose times those without an offset are, such as Europe/Berlin. */
  timezone?: string;
  /** Numbers: to the decimals of the field, a half away from zero. */
  round?: boolean;
  /**
   * multi_select and mention_user_ids: between values, ";" by default. A list for a
   * text field is joined with it, "; " by default.
   */
  separator?: string;
};

export type ImportMapping = {
  $schema?: string;
  object_type?: string;
  /** Instead of object_type: each row is a comment on a record of this type. */
  comments_on?: string;
  /** Instead of object_type: each row is a link, record_id and target_id. */
  links_of?: string;
  /** The id of the relationship of links_of, such as assoc.contacts_deals. */
  relationship?: string;
  /** Fields that identify a record: found records are updated, others created. */
  match?: string[];
  /** CSV: the column separator. */
  delimiter?: string;
  /**
   * The encoding of the file, when it is neither UTF-8 nor marked by its first
   * bytes.
   */
  encoding?:
    | 'utf-8'
    | 'utf-16le'
    | 'utf-16be'
    | 'utf-32le'
    | 'utf-32be'
    | 'windows-1252'
    | 'macintosh'
    | 'iso-8859-15'
    | 'windows-1250'
    | 'iso-8859-2'
    | 'windows-1254'
    | 'windows-1257'
    | 'windows-1253'
    | 'iso-8859-7'
    | 'windows-1251'
    | 'koi8-r'
    | 'koi8-u'
    | 'ibm866'
    | 'x-mac-cyrillic'
    | 'iso-8859-5'
    | 'windows-1255'
    | 'windows-1256'
    | 'windows-1258'
    | 'windows-874'
    | 'shift_jis'
    | 'euc-jp'
    | 'iso-2022-jp'
    | 'gb18030'
    | 'big5'
    | 'euc-kr'
    | 'iso-8859-3'
    | 'iso-8859-4'
    | 'iso-8859-6'
    | 'iso-8859-8'
    | 'iso-8859-10'
    | 'iso-8859-13'
    | 'iso-8859-14';
  /** CSV: lines before the header, such as notes. */
  skip_lines?: number;
  /**
   * The sheet of a workbook, or the list of a JSON object; the first one with rows
   * by default.
   */
  sheet?: string;
  /** CSV: what becomes of rows with more or fewer cells than the header. */
  uneven_rows?: 'reject' | 'skip';
  /**
   * Rows of records with values that do not fit are rejected, or written without
   * these values. Values of required fields and of match always reject their row.
   */
  unfit_values?: 'reject' | 'leave_out';
  /**
   * Rows with the match values of another row of the file: all are written one after
   * the other, or the first or the last one alone.
   */
  doubles?: 'both' | 'first' | 'last';
  /** Field → a value made for it. */
  fields?: { [key: string]: unknown };
  /** Column of the file → field. Without it, columns go to their namesakes. */
  columns?: { [key: string]: string | ImportColumn | (string | ImportColumn)[] };
};

export type JobDetails = {
  id: string;
  /**
   * `import`, `export`, `bulk`, `duplicates`, `erasure`, `webhook_replay`,
   * `workspace_export`, or work of the service itself.
   */
  kind: string;
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  asked_by_user_id: number | null;
  /** True: the job is to end; one that runs ends soon. */
  cancel_requested: boolean;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  /** The parameters of the job: `object_type`, `format`, `dry_run` and others. */
  about: { [key: string]: unknown };
  progress: { done: number; total: number | null } | null;
  /**
   * Of an import: created, updated, unchanged, rejected and others; of a bulk
   * change: changed, unchanged, refused; of an erasure: what it has removed, by
   * place; of a workspace: records, files, bytes and others.
   */
  counts: { [key: string]: number };
  /** Notes for the person who started the job. Only with the scope `records:read`. */
  notes: string[];
  /**
   * Of an export: `GET /changes` continues from here. Once the job runs, exactly the
   * moment that the file shows.
   */
  changes_cursor?: string;
  error: string | null;
  /** Of an import, once its files are read: how far each of them is, in their order. */
  files: FileOfImport[];
  /**
   * The first rows that were not imported, or records that were not changed. Only
   * with the scope `records:read`.
   */
  problems: RowProblem[];
  /**
   * The problems of an import, the most frequent first. Only with the scope
   * `records:read`.
   */
  problem_groups: ProblemGroup[];
  /**
   * Of a dry run: the first rows with the match values of an earlier row, for the
   * person who started it. Only with the scope `records:read`.
   */
  doubles: DoubleRow[];
  /**
   * Of a dry run: values that a spreadsheet may have changed, by field, for the
   * person who started it. Only with the scope `records:read`.
   */
  changed_values: ChangedValues[];
  /**
   * Of an import: values that name no record or person (`fallback: null`) or do not
   * fit (`unfit_values: leave_out`), without which rows are written, for the person
   * who started it. Only with the scope `records:read`.
   */
  emptied_values: EmptiedValues[];
  /** True: there are others; those of an import are in its file of rejects. */
  more_problems: boolean;
};

export type JobSummary = {
  id: string;
  /**
   * `import`, `export`, `bulk`, `duplicates`, `erasure`, `webhook_replay`,
   * `workspace_export`, or work of the service itself.
   */
  kind: string;
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  asked_by_user_id: number | null;
  /** True: the job is to end; one that runs ends soon. */
  cancel_requested: boolean;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  /** The parameters of the job: `object_type`, `format`, `dry_run` and others. */
  about: { [key: string]: unknown };
  progress: { done: number; total: number | null } | null;
  /**
   * Of an import: created, updated, unchanged, rejected and others; of a bulk
   * change: changed, unchanged, refused; of an erasure: what it has removed, by
   * place; of a workspace: records, files, bytes and others.
   */
  counts: { [key: string]: number };
  /** Notes for the person who started the job. Only with the scope `records:read`. */
  notes: string[];
  /**
   * Of an export: `GET /changes` continues from here. Once the job runs, exactly the
   * moment that the file shows.
   */
  changes_cursor?: string;
  error: string | null;
};

export type Key = {
  id: string;
  user: KeyUser | null;
  type: 'personal' | 'operational';
  name: string;
  /** The beginning of the secret. */
  prefix: string;
  scopes: string[];
  requests_per_minute: number | null;
  /**
   * False: the key asks for moves that need approval, and neither makes nor approves
   * them.
   */
  gates: boolean;
  expires_at: string | null;
  revoked_at: string | null;
  created_at: string;
  last_used_at: string | null;
  /** The client that has the key by a grant of OAuth. */
  client_id?: string;
  /** The view that a calendar feed reads. */
  view_id?: string;
};

export type KeyIdentity = {
  user: PersonIdentity;
  workspace: WorkspaceIdentity;
  api_key: {
    id: string;
    name: string;
    type: 'personal' | 'operational';
    prefix: string;
    scopes: string[];
    expires_at: string | null;
  };
  rate_limit: { requests_per_minute: number };
};

export type KeyUser = {
  id: number;
  name: string | null;
  email: string | null;
  kind: 'user' | 'agent';
  active: boolean;
};

export type LinkObjectOperation = {
  action: 'link';
  /** Object type, such as `companies` or the slug of a custom object. */
  object_type: string;
  id: string | EarlierRecord;
  /** Id of a relationship, such as `ref.company_id`. */
  association_id: string;
  target_id: string | EarlierRecord;
  /** The version the record must have before the request. */
  expected_version?: string;
};

export type LinkOperation = {
  action: 'link';
  id: string;
  /** Id of a relationship, such as `ref.company_id`. */
  association_id: string;
  target_id: string;
};

export type LinkResult = {
  id: string;
  association_id: string;
  target_id: string;
  linked: boolean;
  /** The version of the record after the request. */
  version: string;
};

export type ListedMember = {
  id: number;
  name: string | null;
  email: string;
  title: string | null;
  kind: 'user' | 'agent';
  active: boolean;
  roles: string[];
  teams: { id: number; name: string | null }[];
  sign_in: SignInFacts;
};

export type ListedSession = {
  id: string;
  /** When the person signed in. */
  created_at: string;
  last_used_at: string;
  expires_at: string;
  user_id: number;
  /** How the person signed in. */
  method: 'password' | 'link' | 'oidc' | 'passkey';
  /** True for the session of this request. */
  current: boolean;
  /** The browser, as it named itself at the sign-in. */
  user_agent: string | null;
};

export type Member = {
  id: number;
  name: string | null;
  email: string;
  title: string | null;
  kind: 'user' | 'agent';
  active: boolean;
  roles: string[];
  teams: { id: number; name: string | null }[];
};

export type MentionablePerson = { id: number; name: string };

export type NewKey = {
  id: string;
  user: KeyUser | null;
  type: 'personal' | 'operational';
  name: string;
  /** The beginning of the secret. */
  prefix: string;
  scopes: string[];
  requests_per_minute: number | null;
  /**
   * False: the key asks for moves that need approval, and neither makes nor approves
   * them.
   */
  gates: boolean;
  expires_at: string | null;
  revoked_at: string | null;
  created_at: string;
  last_used_at: string | null;
  /** The client that has the key by a grant of OAuth. */
  client_id?: string;
  /** The view that a calendar feed reads. */
  view_id?: string;
  /** The secret, to send as `Bearer`. The service returns it only once. */
  secret: string;
};

export type NewWebhook = {
  id: string;
  owner_user_id: number;
  api_key: { id: string; prefix: string | null } | null;
  url: string;
  events: string[];
  object_types: string[];
  changed_fields: string[];
  where: Where | null;
  timezone: string | null;
  status_to: string[];
  except: { own: boolean; sources: string[] };
  payload: 'thin' | 'record';
  header_names: string[];
  /**
   * `failing`: the last deliveries failed and are retried. `disabled`: it failed for
   * 5 days, or the receiver is gone. `broken`: its owner may no longer read what it
   * asks for, or the definition no longer has it.
   */
  state: 'active' | 'paused' | 'failing' | 'disabled' | 'broken';
  reason: { code: string; message: string } | null;
  failing_since: string | null;
  stopped_at: string | null;
  verified_at: string | null;
  position_at: string | null;
  last_delivery: {
    /**
     * `pending`: it waits, or is retried at `next_attempt_at`. `failed`: no attempt is
     * left. `dropped`: the record was deleted, or its owner may no longer read it.
     */
    state: 'pending' | 'delivered' | 'failed' | 'dropped';
    status: number | null;
    error: string | null;
    attempted_at: string;
  } | null;
  /**
   * `overlapping`: the secret before is valid until `previous_secret_until`.
   * `missing`: after a restore.
   */
  secret_state: 'set' | 'overlapping' | 'missing';
  previous_secret_until: string | null;
  /** Opaque; send it back as `If-Match` or `expected_version`. */
  version: string;
  created_at: string;
  updated_at: string;
  /** Verifies signatures: `whsec_…`. The service returns it only once. */
  secret: string;
};

export type NotRestored = {
  /** Links whose other record is gone, in the trash, or linked otherwise. */
  links: number;
  /** Other records that referred to this one and refer to another one now. */
  references: number;
  /** Fields whose value no longer exists: a record, an option or a status. */
  fields: string[];
};

export type NotificationSettings = {
  /**
   * When unread notifications are sent by mail: `at_once` after 5 minutes, `hourly`
   * at the full hour, `daily` at 8 in the morning.
   */
  mail: 'off' | 'at_once' | 'hourly' | 'daily';
  language: 'en' | 'de' | null;
  /** The time zone of due dates and daily mails. */
  time_zone: string;
  kinds: {
    mention: {
      /** True: in the list and the stream of events. */
      list: boolean;
      /** By mail, where the service sends mail. */
      mail: boolean;
    };
    comment: {
      /** True: in the list and the stream of events. */
      list: boolean;
      /** By mail, where the service sends mail. */
      mail: boolean;
    };
    assignment: {
      /** True: in the list and the stream of events. */
      list: boolean;
      /** By mail, where the service sends mail. */
      mail: boolean;
    };
    due: {
      /** True: in the list and the stream of events. */
      list: boolean;
      /** By mail, where the service sends mail. */
      mail: boolean;
    };
    approval_requested: {
      /** True: in the list and the stream of events. */
      list: boolean;
      /** By mail, where the service sends mail. */
      mail: boolean;
    };
    request_decided: {
      /** True: in the list and the stream of events. */
      list: boolean;
      /** By mail, where the service sends mail. */
      mail: boolean;
    };
    webhook_failed: {
      /** True: in the list and the stream of events. */
      list: boolean;
      /** By mail, where the service sends mail. */
      mail: boolean;
    };
    job_failed: {
      /** True: in the list and the stream of events. */
      list: boolean;
      /** By mail, where the service sends mail. */
      mail: boolean;
    };
  };
  /** True when the service sends mail. */
  sends_mail: boolean;
};

export type OauthClient = {
  client_id: string;
  name: string | null;
  /** True: an administrator has entered it. */
  entered: boolean;
  redirect_uris: string[];
  enabled: boolean;
  /** The number of grants in force. */
  grants: number;
};

export type ObjectCapabilities = {
  search: boolean;
  create: boolean;
  update: boolean;
  delete: boolean;
};

export type ObjectDefinition = {
  object_type: string;
  name: string | null;
  singular_name: string | null;
  description: string | null;
  kind: 'built_in' | 'work_item' | 'default';
  category: string;
  display_field: string | null;
  capabilities: ObjectCapabilities;
  permissions: ObjectPermissions;
  /** Whether `GET /search` finds records of this type. */
  searched: boolean;
  /** Moves of its records can need approval. */
  approvals?: true;
  icon?: string | null;
  /** With include=appearance: whether applications list the object by default. */
  listed?: boolean;
  fields: Field[];
  relationships: {
    object: { key: string; name: string | null };
    labels: string[];
    /** The id of the association. */
    id: string;
    cardinality: 'one_to_one' | 'many_to_one' | 'one_to_many' | 'many_to_many';
    /** Whether the API can link and unlink. */
    can_link: boolean;
    source_field: string | null;
  }[];
  workflow: WorkflowReference | null;
  history?: { keep_days: number | null } | null;
  work_item_types?: {
    id: string;
    slug: string;
    key: string | null;
    name: string | null;
    workflow: WorkflowReference | null;
  }[];
  /** With include=appearance: whether its records have comments and followers. */
  comments?: boolean;
  trash?: { days: number } | null;
};

export type ObjectOperationResult = {
  action: 'create' | 'update' | 'status' | 'delete' | 'upsert' | 'link' | 'unlink' | 'comment';
  object_type: string;
  /** The record that was written. */
  id: string;
  status: 'succeeded';
  /** The version after the request; not of a delete. */
  version?: string;
  /** True: the upsert made the record. False: it updated one. */
  created?: boolean;
  /**
   * How many records that the user may read lost a reference to the deleted record,
   * by object type.
   */
  cleared_references?: { [key: string]: number };
  /** The id of the comment that was written. */
  comment_id?: string;
};

/** Advisory; every request is authorised on its own. */
export type ObjectPermissions = {
  create: Permission;
  read: Permission;
  update: Permission;
  delete: Permission;
};

export type ObjectSummary = {
  object_type: string;
  name: string | null;
  singular_name: string | null;
  description: string | null;
  kind: 'built_in' | 'work_item' | 'default';
  category: string;
  display_field: string | null;
  capabilities: ObjectCapabilities;
  permissions: ObjectPermissions;
  /** Whether `GET /search` finds records of this type. */
  searched: boolean;
  /** Moves of its records can need approval. */
  approvals?: true;
  icon?: string | null;
  /** With include=appearance: whether applications list the object by default. */
  listed?: boolean;
  work_item_types?: {
    id: string;
    slug: string;
    key: string | null;
    name: string | null;
    workflow: WorkflowReference | null;
  }[];
};

export type OperationResult = {
  action: 'create' | 'update' | 'status' | 'delete' | 'upsert' | 'link' | 'unlink';
  /** The record that was written. */
  id: string;
  status: 'succeeded';
  /** The version after the request; not of a delete. */
  version?: string;
  /** True: the upsert made the record. False: it updated one. */
  created?: boolean;
  /**
   * How many records that the user may read lost a reference to the deleted record,
   * by object type.
   */
  cleared_references?: { [key: string]: number };
};

export type Pagination = {
  /** Page size used for this response. */
  limit: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type Passkey = {
  id: string;
  name: string;
  /** The host at which the passkey works. */
  host: string;
  created_at: string;
  last_used_at: string | null;
};

export type Permission = {
  allowed: boolean;
  scopes: ('owned_by_user' | 'owned_by_team' | 'org_wide')[];
};

export type PersonIdentity = {
  id: number;
  name: string | null;
  email: string | null;
  title: string | null;
};

export type PingEvent = { type: 'ping'; id: string; webhook_id: string; occurred_at: string };

export type PlannedChange = {
  /** The place in the document, such as `objects.deals.fields.amount`. */
  path: string;
  action: 'add' | 'change' | 'remove' | 'rename';
  /** One line for people. */
  summary: string;
  /** The key before a rename. */
  from?: string;
  /** The field whose history ends; `*`: that of all fields of the object. */
  ends?: string;
  /** Records lose values, or get others for them, without a new version. */
  alters?: true;
  /** `rewrites`: rows are rewritten; `loses`: values are deleted. */
  effect: 'none' | 'rewrites' | 'loses';
  /** Records that lose values, are rewritten, or block the change. */
  rows: number;
  allow: string | null;
  /** About how many milliseconds it takes; longer on a busy machine. */
  expected_ms: number;
};

export type ProblemGroup = {
  /** The number of the file in an import of several, from 1. */
  file?: number;
  /** Empty: the row as a whole. */
  field: string;
  reason: string;
  /** The number of rows that have the problem. */
  rows: number;
  /** The line of the first of these rows. */
  line: number;
  /** The text of the cell; only for the person who started the import. */
  example?: string;
};

export type ReachChangedEvent = {
  type: 'reach.changed';
  /**
   * The id of the event, the same in stream, feed and webhooks, and each time it is
   * sent.
   */
  id: string;
  /**
   * The objects to list again, in order to drop the records that are no longer
   * there.
   */
  object_types: string[];
  occurred_at: string;
};

export type RecordBundle = {
  complete: boolean;
  made_at: string;
  record: RecordData;
  comments: {
    data: RecordComment[];
    /** True: there are others; list them at the path of the record. */
    has_more: boolean;
  } | null;
  history: {
    data: HistoryEntry[];
    /** True: there are others; list them at the path of the record. */
    has_more: boolean;
  } | null;
  links: {
    /** The id of the relationship. */
    id: string;
    label: string | null;
    object_type: string;
    data: { id: string; display: string | null }[];
    /** True: there are others; list them at the path of the record. */
    has_more: boolean;
  }[];
};

export type RecordComment = {
  id: string;
  /** Plain text, exactly as it was sent. */
  body: string;
  author: Author;
  created_at: string | null;
  updated_at: string | null;
};

export type RecordData = {
  object_type: string;
  id: string;
  /** The name that people use, a prefix and a number; work items only. */
  public_id?: string;
  /** The type of the work item; work items only. */
  work_item_type_id?: string;
  display: string | null;
  status: string | null;
  owner_user_id: number | null;
  created_at: string | null;
  updated_at: string | null;
  /** Opaque; send it back as `If-Match` or `expected_version`. */
  version?: string;
  /** Readable fields by key; fields of storage `jsonb` under `custom_fields`. */
  fields?: { [key: string]: unknown };
  /**
   * The records and people that `expand` requests, by the key of the reference or
   * user field. Null: there is none that the user may read.
   */
  expanded?: { [key: string]: unknown };
};

export type RecordEvent = {
  type:
    | 'record.created'
    | 'record.updated'
    | 'record.status_changed'
    | 'record.deleted'
    | 'record.linked'
    | 'record.unlinked'
    | 'record.entered'
    | 'record.restored'
    | 'record.merged'
    | 'record.erased';
  /**
   * The id of the event, the same in stream, feed and webhooks, and each time it is
   * sent.
   */
  id: string;
  object_type: string;
  record_id: string;
  /**
   * Counter of the record after the change. Drop an event with a lower one than you
   * know.
   */
  revision: number;
  /** The version that belongs to `revision`; absent if the record is gone. */
  version?: string;
  /** Keys of fields, or ids of relationships, that the user may read. */
  changed_fields: string[];
  /** `record.merged`: the record that this one has become, if the user may read it. */
  into?: string;
  user: { id: number } | null;
  source: 'api' | 'application' | 'mcp' | 'import' | 'bulk' | 'cli';
  batch_id: string | null;
  occurred_at: string;
  record?: RecordData;
};

export type RecordLeftEvent = {
  type: 'record.left';
  /**
   * The id of the event, the same in stream, feed and webhooks, and each time it is
   * sent.
   */
  id: string;
  object_type: string;
  record_id: string;
  occurred_at: string;
};

export type RecordList = { data: RecordData[]; pagination: Pagination };

export type RecordResponse = { data: RecordData };

export type Relationship = {
  /** The id of the association. */
  id: string;
  cardinality: 'one_to_one' | 'many_to_one' | 'one_to_many' | 'many_to_many';
  /** Whether the API can link and unlink. */
  can_link: boolean;
  source_field: string | null;
  label: string | null;
  /** The related object type. */
  object_type: string;
};

export type RequestPerson = { id: number; name: string | null };

export type ResetEvent = { reason: 'too_far_behind' | 'database_recovered'; message: string };

export type RevisionAuthor = { id: number; name: string | null; email: string | null };

export type Role = {
  key: string;
  name: string;
  /** Every right on every object. */
  administrator: boolean;
  /** May have API keys. */
  developer: boolean;
  /** May read all people and teams. */
  directory: boolean;
  /** May make someone else the owner. */
  assign_owner: boolean;
  /** required: people with the role have to set up a second factor. */
  second_factor: 'optional' | 'required';
  objects: {
    [key: string]: {
      create?: 'own' | 'team' | 'organisation';
      read?: 'own' | 'team' | 'organisation';
      update?: 'own' | 'team' | 'organisation';
      delete?: 'own' | 'team' | 'organisation';
      /** Fields with another access than `write`. */
      fields: { [key: string]: 'none' | 'read' | 'write' };
    };
  };
  people: number | null;
};

export type RowProblem = {
  /** The number of the file in an import of several, from 1. */
  file?: number;
  /** Of an import: the first line of the row in the file, from 1. */
  line?: number;
  /** The record of a bulk change or an erasure. */
  record_id?: string;
  /** Empty: the row or record as a whole. */
  field: string;
  reason: string;
};

export type SearchHit = {
  object_type: string;
  id: string;
  display: string | null;
  subtitle: string | null;
  url: string | null;
  /**
   * The records and people that `expand` requests, by the key of the reference or
   * user field. Null: there is none that the user may read.
   */
  expanded?: { [key: string]: unknown };
};

export type Session = {
  id: string;
  /** When the person signed in. */
  created_at: string;
  last_used_at: string;
  expires_at: string;
};

export type SessionIdentity = {
  user: PersonIdentity;
  workspace: WorkspaceIdentity;
  api_key: null;
  session: Session;
  rate_limit: { requests_per_minute: number };
  /** With `X-View-As`: the administrator who views as this user. */
  viewing?: { viewer: { id: number; name: string | null }; ends_at: string };
  /** A role requires a second factor: the session can only set it up. */
  set_up?: 'second_factor';
  /** The id of the moment of this answer, to send as `Last-Event-ID`. */
  last_event_id: string;
  /**
   * With `include=favorite_views`: your favorite views of all objects, but none of
   * the kind `report`.
   */
  favorite_views?: { id: string; object_type: string; name: string }[];
  /** With `include=links`: the newest 100 dashboards. */
  dashboards?: { id: string; name: string }[];
};

/** Times are of the sessions that are kept: those in use, and others for a week. */
export type SignInFacts = {
  /** True: the person has set a password. */
  password: boolean;
  /** True: a second factor is set up or begun; an administrator can reset it. */
  second_factor: boolean;
  /** Accounts at identity providers. */
  identities: { issuer: string; created_at: string }[];
  last_sign_in_at: string | null;
  last_seen_at: string | null;
};

export type SignInLink = {
  id: string;
  /** An invitation is valid for days, a link to sign in with for 30 minutes. */
  purpose: 'sign_in' | 'invitation';
  created_at: string;
  expires_at: string;
};

export type StatusDecision = {
  decision: 'approved' | 'rejected';
  user: RequestPerson;
  comment: string | null;
  at: string;
};

export type StatusObjectOperation = {
  action: 'status';
  /** Object type, such as `companies` or the slug of a custom object. */
  object_type: string;
  id: string | EarlierRecord;
  status_id: string;
  /** The version the record must have before the request. */
  expected_version?: string;
};

export type StatusOperation = { action: 'status'; id: string; status_id: string };

export type StatusRequest = {
  id: string;
  object_type: string;
  record_id: string;
  display: string | null;
  from_status: string;
  to_status: string;
  comment: string | null;
  state: 'pending' | 'approved' | 'rejected' | 'withdrawn' | 'expired';
  requested_by: RequestPerson;
  requested_at: string;
  expires_at: string;
  decided_at: string | null;
  /** The decisions in the order in which they were made. */
  decisions: StatusDecision[];
  /** How many approvals the move needs by the present definition. */
  approvals: {
    /** Approvals that count at this moment. */
    given: number;
    required: number;
  };
  /** True when you may approve and reject it, with the scope `approvals:write`. */
  can_decide: boolean;
  version: string | null;
  /**
   * While it is pending: the fields that have changed since it was made, as far as
   * you may read them.
   */
  changed_fields: string[];
};

export type StatusRequestEvent = {
  type: 'status_request.created' | 'status_request.decided';
  /**
   * The id of the event, the same in stream, feed and webhooks, and each time it is
   * sent.
   */
  id: string;
  object_type: string;
  record_id: string;
  /** The status request as it is now. */
  status_request: {
    id: string;
    from_status: string;
    to_status: string;
    state: 'pending' | 'approved' | 'rejected' | 'withdrawn' | 'expired';
    requested_by: { id: number };
  };
  user: { id: number } | null;
  source: 'api' | 'application' | 'mcp' | 'import' | 'bulk' | 'cli';
  batch_id: string | null;
  occurred_at: string;
};

export type StoredFile = {
  id: string;
  name: string;
  format: 'csv' | 'tsv' | 'jsonl' | 'xlsx' | 'json' | 'vcf' | 'ldif';
  bytes: number;
  created_at: string;
  /** An import of the file extends this to one day after the import ends. */
  expires_at: string;
};

export type TableReading = {
  encoding: string;
  /** False: check the letters of the examples. */
  encoding_sure: boolean;
  likely_encodings: string[];
  delimiter: string;
  /** Lines before the header. */
  skip_lines: number;
  /** The form of the file: text with delimiters, or a table in another form. */
  format: 'text' | 'workbook' | 'json' | 'cards' | 'ldif';
  /** The sheets of a workbook, or the lists of a JSON object. */
  sheets: string[];
  /** The sheet or list that is read. */
  sheet?: string;
  /** The number of rows with as many cells as the header has. */
  rows: number;
  columns: {
    /** The name for mappings. */
    heading: string;
    /** Rows with a value. */
    filled: number;
    examples: string[];
    guess: {
      /** A type of fields that takes every value of the column. */
      type: string;
      /** A key for the field. */
      key: string;
      reason: string;
      explanation: string;
      /** A value that is the reason. */
      example?: string;
      /** How the file writes the values: `format`, `first_year`, `timezone`, `replace`. */
      mapping: { [key: string]: unknown };
      /** Other forms of numbers and times that all values have as well. */
      other_mappings: { [key: string]: unknown }[];
      decided_by: string | null;
      /** The options of a list. */
      options?: { value: string; label: string }[];
      currency?: string;
      /** The values identify records in the program of `preset`. */
      unique: boolean;
    };
  }[];
  preset: { product: string; subject: string } | null;
  mapping: { [key: string]: unknown } | null;
  /** Columns that `mapping` leaves out, because their values can mean two things. */
  undecided: string[];
  doubles: { count: number; first: { line: number; first_line: number; value: string }[] } | null;
  /** Rows with more or fewer cells than the header. */
  uneven_rows: { count: number; first: { line: number; cells: number; text: string }[] };
  /** Content that is in no row, such as the comments of a board of Trello. */
  left_out: { name: string; count: number }[];
};

export type Team = {
  id: number;
  name: string | null;
  description: string | null;
  /** Active people only. */
  member_ids: number[];
};

export type Transition = {
  /** The status that the move leads to. */
  id: string;
  name: string | null;
  /** Only approvers may make the move. */
  requires_approval?: true;
  /**
   * With `requires_approval`: whether the approval of the caller alone is enough,
   * for records of others.
   */
  can_approve?: boolean;
  /** Whether it is enough for records that the caller owns, created or last changed. */
  can_approve_own?: boolean;
  /** With `requires_approval`, of a gate that one approval does not always open. */
  approval?: {
    required: number;
    from: 'any' | 'each';
    /** True: only some records need the approval, by the values of a field. */
    conditional: boolean;
  };
  /** With `requires_approval`, for `users:read`: those that the caller may read. */
  approvers?: {
    users: { id: number; name: string | null }[];
    teams: { id: number; name: string | null }[];
  };
};

export type UnlinkObjectOperation = {
  action: 'unlink';
  /** Object type, such as `companies` or the slug of a custom object. */
  object_type: string;
  id: string | EarlierRecord;
  /** Id of a relationship, such as `ref.company_id`. */
  association_id: string;
  target_id: string | EarlierRecord;
  /** The version the record must have before the request. */
  expected_version?: string;
};

export type UnlinkOperation = {
  action: 'unlink';
  id: string;
  /** Id of a relationship, such as `ref.company_id`. */
  association_id: string;
  target_id: string;
};

export type UpdateObjectOperation = {
  action: 'update';
  /** Object type, such as `companies` or the slug of a custom object. */
  object_type: string;
  id: string | EarlierRecord;
  /**
   * Field key → value; fields of storage `jsonb` under `custom_fields`. A reference
   * may be `{"$op": 0}`.
   */
  fields: { [key: string]: unknown };
  /** The version the record must have before the request. */
  expected_version?: string;
};

export type UpdateOperation = {
  action: 'update';
  id: string;
  /** Field key → value; fields of storage `jsonb` under `custom_fields`. */
  fields: { [key: string]: unknown };
};

export type UploadedFile = {
  id: string;
  name: string;
  /** The media type with which the file was sent. */
  type: string;
  /** The size in bytes. */
  size: number;
  /** The SHA-256 of the bytes, in hexadecimal digits. */
  sha256: string;
};

export type UpsertObjectOperation = {
  action: 'upsert';
  /** Object type, such as `companies` or the slug of a custom object. */
  object_type: string;
  /** The object type; for work items the slug of a type as well. */
  target?: string;
  /** One to three keys of editable fields with the values a record is recognised by. */
  match: { [key: string]: unknown };
  /**
   * Field key → value; fields of storage `jsonb` under `custom_fields`. A reference
   * may be `{"$op": 0}`.
   */
  fields?: { [key: string]: unknown };
};

export type UpsertOperation = {
  action: 'upsert';
  /** The object type; for work items the slug of a type as well. */
  target: string;
  /** One to three keys of editable fields with the values a record is recognised by. */
  match: { [key: string]: unknown };
  /** Field key → value; fields of storage `jsonb` under `custom_fields`. */
  fields?: { [key: string]: unknown };
};

export type User = {
  id: number;
  name: string | null;
  email: string | null;
  title: string | null;
  active: boolean;
  teams: { id: number; name: string | null }[];
};

export type UserNotification = {
  id: string;
  /**
   * `mention`, `comment`, `assignment`, `due`, `approval_requested`,
   * `request_decided`, `webhook_failed`, `job_failed`; more may come.
   */
  kind: string;
  object_type: string | null;
  record_id: string | null;
  comment_id: string | null;
  /** The due date of `due`. */
  due_on?: string;
  /** The webhook of `webhook_failed`. */
  webhook_id?: string;
  /** The job of `job_failed`. */
  job_id?: string;
  /** The status request that it is about, as it is now. */
  status_request?: {
    id: string;
    from_status: string;
    to_status: string;
    state: 'pending' | 'approved' | 'rejected' | 'withdrawn' | 'expired';
  };
  author: Author;
  created_at: string | null;
  read_at: string | null;
  /**
   * The beginning of the comment, also of a status request or its decision, with
   * `include=excerpt`.
   */
  excerpt?: string;
};

export type View = {
  id: string;
  object_type: string;
  name: string;
  /** How the view is shown. The query of a report is an aggregate query. */
  kind: 'table' | 'board' | 'calendar' | 'report';
  /**
   * The people who see the view: its owner, people who share a team with the owner,
   * or everyone.
   */
  shared: 'private' | 'team' | 'workspace';
  owner_user_id: number;
  /**
   * The body of `POST …/records/query`, or for a report of `POST
   * …/records/aggregate/query`, without `limit` and `cursor`.
   */
  query: { [key: string]: unknown };
  columns: {
    field: string;
    width?: number;
    total?: 'sum' | 'avg' | 'min' | 'max' | 'filled' | 'empty';
  }[];
  group_by: string | null;
  metrics: { op: 'sum'; field: string }[] | null;
  chart: 'table' | 'bars' | 'lines' | 'funnel' | 'number' | null;
  /**
   * True: the view uses fields that you cannot see. `{"hidden": true}` in `where`
   * stands for conditions, groups, metrics and sort keys of such fields; columns are
   * omitted. Running the query is 403 `permission_denied`. `POST
   * /views/{view_id}/copy` creates a view of your own from the rest.
   */
  hidden: boolean;
  /** True: the view opens first for you. */
  is_default: boolean;
  /** True: the view is one of your favorites. */
  is_favorite: boolean;
  can_change: boolean;
  /**
   * Parts of the view that cannot be used: fields that no longer exist, or that you
   * may not read.
   */
  problems: {
    param: string;
    code: string;
    message: string;
    message_id?: string;
    params?: { [key: string]: unknown };
  }[];
  /** Opaque; send it back as `If-Match` or `expected_version`. */
  version: string;
  created_at: string;
  updated_at: string;
};

export type Webhook = {
  id: string;
  owner_user_id: number;
  api_key: { id: string; prefix: string | null } | null;
  url: string;
  events: string[];
  object_types: string[];
  changed_fields: string[];
  where: Where | null;
  timezone: string | null;
  status_to: string[];
  except: { own: boolean; sources: string[] };
  payload: 'thin' | 'record';
  header_names: string[];
  /**
   * `failing`: the last deliveries failed and are retried. `disabled`: it failed for
   * 5 days, or the receiver is gone. `broken`: its owner may no longer read what it
   * asks for, or the definition no longer has it.
   */
  state: 'active' | 'paused' | 'failing' | 'disabled' | 'broken';
  reason: { code: string; message: string } | null;
  failing_since: string | null;
  stopped_at: string | null;
  verified_at: string | null;
  position_at: string | null;
  last_delivery: {
    /**
     * `pending`: it waits, or is retried at `next_attempt_at`. `failed`: no attempt is
     * left. `dropped`: the record was deleted, or its owner may no longer read it.
     */
    state: 'pending' | 'delivered' | 'failed' | 'dropped';
    status: number | null;
    error: string | null;
    attempted_at: string;
  } | null;
  /**
   * `overlapping`: the secret before is valid until `previous_secret_until`.
   * `missing`: after a restore.
   */
  secret_state: 'set' | 'overlapping' | 'missing';
  previous_secret_until: string | null;
  /** Opaque; send it back as `If-Match` or `expected_version`. */
  version: string;
  created_at: string;
  updated_at: string;
};

export type WebhookDelivery = {
  id: string;
  /** The header `webhook-id`, the same for all attempts. */
  event_id: string;
  type: string;
  object_type: string | null;
  record_id: string | null;
  /**
   * `pending`: it waits, or is retried at `next_attempt_at`. `failed`: no attempt is
   * left. `dropped`: the record was deleted, or its owner may no longer read it.
   */
  state: 'pending' | 'delivered' | 'failed' | 'dropped';
  attempts: number;
  next_attempt_at: string | null;
  attempted_at: string | null;
  status: number | null;
  error: string | null;
  answer: string | null;
  request_id: string | null;
  duration_ms: number | null;
  created_at: string;
};

/**
 * Conditions on records: all of some, any of some, not one, or a condition on a
 * field. At most 32 conditions, all, any and not at most 5 levels deep. `not` is
 * true of every record that its condition does not find.
 */
export type Where =
  | { all: Where[] }
  | { any: Where[] }
  | { not: Where }
  | {
      /** A field key, or one of the record that a reference leads to: `company_id.name`. */
      field: string;
      op:
        | 'eq'
        | 'ne'
        | 'lt'
        | 'lte'
        | 'gt'
        | 'gte'
        | 'in'
        | 'is_null'
        | 'not_in'
        | 'between'
        | 'contains'
        | 'starts_with'
        | 'ends_with'
        | 'has_any'
        | 'has_all'
        | 'has_none';
      /**
       * A value of the type of the field, a list for `in`, `not_in` and `has_…`, two
       * values for `between`, a boolean for `is_null`. In place of a date or time:
       * `{"relative": "-30d"}`; of a user: `{"me": true}`, and `{"my_teams": true}` in
       * place of a list.
       */
      value: unknown;
    };

export type Workflow = {
  id: string;
  key: string | null;
  name: string | null;
  statuses: {
    id: string;
    name: string | null;
    /**
     * With include=appearance: the tint, one of gray, red, orange, yellow, green,
     * teal, blue, indigo, purple, pink.
     */
    color?: string;
    transitions: Transition[];
  }[];
};

export type WorkflowReference = { id: string; key: string | null; name: string | null };

export type WorkspaceIdentity = { id: number; slug: string; name: string };

export type Problem = {
  param?: string;
  code: string;
  message: string;
  /**
   * Stable: the message in other languages. Without it the message is that of the
   * code.
   */
  message_id?: string;
  /** The values in the message, by name. */
  params?: { [key: string]: unknown };
};

export type ErrorEnvelope = {
  error: {
    type:
      | 'invalid_request_error'
      | 'authentication_error'
      | 'permission_error'
      | 'not_found_error'
      | 'conflict_error'
      | 'idempotency_error'
      | 'rate_limit_error'
      | 'api_error';
    /** Stable and machine-readable. */
    code: string;
    /** The problem in words for people; they may change. */
    message: string;
    /** Where the error is, for example `fields.name`. */
    param?: string;
    details?: {
      errors?: Problem[];
      /**
       * Stable: the message in other languages. Without it the message is that of the
       * code.
       */
      message_id?: string;
      /** The values in the message, by name. */
      params?: { [key: string]: unknown };
    };
    /** Same as the header X-Request-Id. */
    request_id: string;
  };
};

/** Every code that the service answers. */
export type ErrorCode =
  | 'invalid_json'
  | 'validation_failed'
  | 'invalid_filter'
  | 'invalid_cursor'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'api_key_expired'
  | 'invalid_credentials'
  | 'second_factor_required'
  | 'developer_access_revoked'
  | 'tenant_host_mismatch'
  | 'insufficient_scope'
  | 'cross_site_request'
  | 'fresh_sign_in_required'
  | 'second_factor_missing'
  | 'viewing_ended'
  | 'permission_denied'
  | 'search_not_supported'
  | 'write_not_supported'
  | 'route_not_found'
  | 'object_not_available'
  | 'record_not_found'
  | 'user_not_found'
  | 'workflow_not_found'
  | 'history_not_supported'
  | 'comments_not_supported'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'conflict'
  | 'idempotency_key_in_use'
  | 'cursor_expired'
  | 'stale_record'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'range_not_satisfiable'
  | 'invalid_write'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'too_many_streams'
  | 'headers_too_large'
  | 'internal_error'
  | 'service_unavailable';

export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'idempotency_error'
  | 'rate_limit_error'
  | 'api_error';

export interface Endpoints {
  /** Create a workspace: POST /workspaces */
  createWorkspace: {
    params: undefined;
    query: undefined;
    body: {
      slug: string;
      name?: string | undefined;
      /** A JSON merge patch (RFC 7396) over the base, as in a definition file. */
      definition?: { [key: string]: unknown } | undefined;
      admin?:
        | {
            /** The address in lower case, which identifies the person at the sign-in. */
            email: string;
            name: string;
          }
        | undefined;
    };
    result: {
      data: {
        id: number;
        slug: string;
        name: string;
        revision: number;
        sign_in_link: { url: string; expires_at: string } | null;
      };
    };
  };
  /** Identify the API key or session: GET /me */
  getMe: {
    params: undefined;
    query: {
      /**
       * favorite_views: also answer the favorite views of the user, for a session.
       * links: also those, and the newest 100 dashboards.
       */
      include?: 'favorite_views' | 'links' | undefined;
    };
    body: undefined;
    result: { data: KeyIdentity | SessionIdentity };
  };
  /** List users: GET /users */
  listUsers: {
    params: undefined;
    query: {
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
      /** Case-insensitive match on name or email. */
      q?: string | undefined;
      include_inactive?: 'true' | 'false' | undefined;
      /**
       * Only the users with these ids, at most 100 with commas between them: people,
       * inactive people and agents. Those that do not exist or that the caller may not
       * see are left out.
       */
      ids?: string | undefined;
    };
    body: undefined;
    result: { data: User[]; pagination: Pagination };
  };
  /** Retrieve a user: GET /users/{user_id} */
  getUser: {
    params: { user_id: number };
    query: undefined;
    body: undefined;
    result: { data: User };
  };
  /** List teams: GET /teams */
  listTeams: {
    params: undefined;
    query: undefined;
    body: undefined;
    result: { data: Team[] };
  };
  /** List object types: GET /objects */
  listObjects: {
    params: undefined;
    query: {
      /** Also return objects the user cannot read. */
      include_unreadable?: 'true' | 'false' | undefined;
      /**
       * work_item_types: also answer the types of work items, as their definition does.
       * appearance: also those, the icons of objects, and whether applications list
       * them.
       */
      include?: 'work_item_types' | 'appearance' | undefined;
      /** Names in the best language of `Accept-Language` that the definition has. */
      localized?: 'true' | 'false' | undefined;
    };
    body: undefined;
    result: { data: ObjectSummary[] };
  };
  /** Retrieve an object definition: GET /objects/{object_type} */
  getObject: {
    params: { object_type: string };
    query: {
      /** Work items only: include the fields placed on this type. */
      work_item_type_id?: string | undefined;
      /**
       * Also answer the tints of options and statuses, the sections of fields, and the
       * history of the object.
       */
      include?: 'appearance' | undefined;
      /** Names in the best language of `Accept-Language` that the definition has. */
      localized?: 'true' | 'false' | undefined;
    };
    body: undefined;
    result: { data: ObjectDefinition };
  };
  /** Retrieve a workflow: GET /workflows/{workflow_id} */
  getWorkflow: {
    params: { workflow_id: string };
    query: {
      /**
       * Also answer the tints of options and statuses, the sections of fields, and the
       * history of the object.
       */
      include?: 'appearance' | undefined;
      /** Names in the best language of `Accept-Language` that the definition has. */
      localized?: 'true' | 'false' | undefined;
    };
    body: undefined;
    result: { data: Workflow };
  };
  /** Retrieve the OpenAPI document of the workspace: GET /openapi.json */
  getOpenApi: {
    params: undefined;
    query: { workspace: 'true' };
    body: undefined;
    result: { [key: string]: unknown };
  };
  /** List records: GET /objects/{object_type}/records */
  listRecords: {
    params: { object_type: string };
    query: {
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
      /** Case-insensitive match on the display field. */
      q?: string | undefined;
      /** Comma-separated field keys, at most 20. */
      fields?: string | undefined;
      /** Comma-separated field keys, at most 3; `-` before a key sorts descending. */
      sort?: string | undefined;
      /**
       * Comma-separated keys of references and user fields, at most 4. The records and
       * people are under `expanded`.
       */
      expand?: string | undefined;
    };
    body: undefined;
    result: RecordList;
  };
  /** Search records: POST /objects/{object_type}/records/search */
  searchRecords: {
    params: { object_type: string };
    query: undefined;
    body: {
      /** Case-insensitive match on the display field. */
      query?: string | undefined;
      /** Field key → filter; all are combined with AND, at most 16. */
      filters?: { [key: string]: unknown } | undefined;
      /** Field keys; identity properties only when left out. */
      fields?: readonly string[] | undefined;
      sort?: readonly { field: string; direction?: 'asc' | 'desc' | undefined }[] | undefined;
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
    };
    result: RecordList;
  };
  /** Aggregate records: POST /objects/{object_type}/records/aggregate */
  aggregateRecords: {
    params: { object_type: string };
    query: undefined;
    body: {
      /** Case-insensitive match on the display field. */
      query?: string | undefined;
      /** Field key → filter; all are combined with AND, at most 16. */
      filters?: { [key: string]: unknown } | undefined;
      group_by?: readonly string[] | undefined;
      metrics: readonly {
        /** Column of the result. */
        name: string;
        op: 'count' | 'count_distinct' | 'sum' | 'avg' | 'min' | 'max';
        /** Field to measure; left out, `count` counts records. */
        field?: string | undefined;
      }[];
      order_by?:
        | {
            /** A metric or a column of `group_by`. */
            name: string;
            direction: 'asc' | 'desc';
          }
        | undefined;
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
    };
    result: { data: Group[]; pagination: Pagination };
  };
  /** Query records: POST /objects/{object_type}/records/query */
  queryRecords: {
    params: { object_type: string };
    query: undefined;
    body: {
      /** Case-insensitive match on the display field. */
      query?: string | undefined;
      /** Field key → filter; all are combined with AND, at most 16. */
      filters?: { [key: string]: unknown } | undefined;
      where?: Where | undefined;
      /** A name of the IANA time zone database; UTC when left out. */
      timezone?: string | undefined;
      /**
       * Field keys; identity properties only when left out. `company_id.name` is a field
       * of the record under `expanded`, where `expand` has `company_id`.
       */
      fields?: readonly string[] | undefined;
      sort?: readonly { field: string; direction?: 'asc' | 'desc' | undefined }[] | undefined;
      /**
       * Keys of references and user fields. The records and users they refer to are
       * under `expanded`.
       */
      expand?: readonly string[] | undefined;
      /** `exact` says how many records there are, up to 10000. */
      count?: 'none' | 'exact' | undefined;
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
      /**
       * Only records that this record is linked to by a relationship of its object, such
       * as `inv.deals.company_id`; none where the user may not read the record. A
       * relationship that is not a reference of the other records to it needs the right
       * to read all of them.
       */
      linked_to?:
        | {
            /** Object type, such as `companies` or the slug of a custom object. */
            object_type: string;
            record_id: string;
            /** Id of a relationship, such as `ref.company_id`. */
            association_id: string;
          }
        | undefined;
    };
    result: CountedRecordList;
  };
  /** Query aggregates: POST /objects/{object_type}/records/aggregate/query */
  queryAggregates: {
    params: { object_type: string };
    query: undefined;
    body: {
      /** Case-insensitive match on the display field. */
      query?: string | undefined;
      /** Field key → filter; all are combined with AND, at most 16. */
      filters?: { [key: string]: unknown } | undefined;
      where?: Where | undefined;
      /** A name of the IANA time zone database; UTC when left out. */
      timezone?: string | undefined;
      group_by?:
        | readonly (
            | string
            | {
                field: string;
                by: 'day' | 'week' | 'month' | 'quarter' | 'year';
                /** A name of the IANA time zone database; UTC when left out. */
                timezone?: string | undefined;
              }
          )[]
        | undefined;
      metrics: readonly {
        /** Column of the result. */
        name: string;
        op: 'count' | 'count_distinct' | 'sum' | 'avg' | 'min' | 'max';
        /** Field to measure; left out, `count` counts records. */
        field?: string | undefined;
      }[];
      order_by?:
        | {
            /** A metric or a column of `group_by`. */
            name: string;
            direction: 'asc' | 'desc';
          }
        | undefined;
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
    };
    result: { data: Group[]; pagination: Pagination };
  };
  /** Send up to 10 queries on records of any objects: POST /query */
  queryObjects: {
    params: undefined;
    query: undefined;
    body: {
      queries: readonly {
        /** Object type, such as `companies` or the slug of a custom object. */
        object_type: string;
        /** Case-insensitive match on the display field. */
        query?: string | undefined;
        /** Field key → filter; all are combined with AND, at most 16. */
        filters?: { [key: string]: unknown } | undefined;
        where?: Where | undefined;
        /** A name of the IANA time zone database; UTC when left out. */
        timezone?: string | undefined;
        /**
         * Field keys; identity properties only when left out. `company_id.name` is a field
         * of the record under `expanded`, where `expand` has `company_id`.
         */
        fields?: readonly string[] | undefined;
        sort?: readonly { field: string; direction?: 'asc' | 'desc' | undefined }[] | undefined;
        /**
         * Keys of references and user fields. The records and users they refer to are
         * under `expanded`.
         */
        expand?: readonly string[] | undefined;
        /** `exact` says how many records there are, up to 10000. */
        count?: 'none' | 'exact' | undefined;
        /** Items on a page. */
        limit?: number | undefined;
        /** The `next_cursor` of the page before, with an otherwise equal request. */
        cursor?: string | undefined;
        /**
         * Only records that this record is linked to by a relationship of its object, such
         * as `inv.deals.company_id`; none where the user may not read the record. A
         * relationship that is not a reference of the other records to it needs the right
         * to read all of them.
         */
        linked_to?:
          | {
              /** Object type, such as `companies` or the slug of a custom object. */
              object_type: string;
              record_id: string;
              /** Id of a relationship, such as `ref.company_id`. */
              association_id: string;
            }
          | undefined;
      }[];
    };
    result: { data: CountedRecordList[] };
  };
  /** Send up to 12 aggregate queries on records of any objects: POST /aggregate */
  aggregateObjects: {
    params: undefined;
    query: undefined;
    body: {
      queries: readonly {
        /** Object type, such as `companies` or the slug of a custom object. */
        object_type: string;
        /** Case-insensitive match on the display field. */
        query?: string | undefined;
        /** Field key → filter; all are combined with AND, at most 16. */
        filters?: { [key: string]: unknown } | undefined;
        where?: Where | undefined;
        /** A name of the IANA time zone database; UTC when left out. */
        timezone?: string | undefined;
        group_by?:
          | readonly (
              | string
              | {
                  field: string;
                  by: 'day' | 'week' | 'month' | 'quarter' | 'year';
                  /** A name of the IANA time zone database; UTC when left out. */
                  timezone?: string | undefined;
                }
            )[]
          | undefined;
        metrics: readonly {
          /** Column of the result. */
          name: string;
          op: 'count' | 'count_distinct' | 'sum' | 'avg' | 'min' | 'max';
          /** Field to measure; left out, `count` counts records. */
          field?: string | undefined;
        }[];
        order_by?:
          | {
              /** A metric or a column of `group_by`. */
              name: string;
              direction: 'asc' | 'desc';
            }
          | undefined;
        /** Items on a page. */
        limit?: number | undefined;
        /** The `next_cursor` of the page before, with an otherwise equal request. */
        cursor?: string | undefined;
      }[];
    };
    result: { data: { data: Group[]; pagination: Pagination }[] };
  };
  /** Create a record: POST /objects/{object_type}/records */
  createRecord: {
    params: { object_type: string };
    query: undefined;
    body: {
      /** Field key → value; fields of storage `jsonb` under `custom_fields`. */
      fields: { [key: string]: unknown };
    };
    result: RecordResponse;
  };
  /** Retrieve a record: GET /objects/{object_type}/records/{record_id} */
  getRecord: {
    params: { object_type: string; record_id: string };
    query: {
      /** Comma-separated field keys, at most 20. */
      fields?: string | undefined;
    };
    body: undefined;
    result: RecordResponse;
  };
  /** Update a record: PATCH /objects/{object_type}/records/{record_id} */
  updateRecord: {
    params: { object_type: string; record_id: string };
    query: undefined;
    body: {
      /** Field key → value; fields of storage `jsonb` under `custom_fields`. */
      fields: { [key: string]: unknown };
      /** The version the record must still have; an alternative to `If-Match`. */
      expected_version?: string | undefined;
    };
    result: RecordResponse;
  };
  /** Delete a record: DELETE /objects/{object_type}/records/{record_id} */
  deleteRecord: {
    params: { object_type: string; record_id: string };
    query: undefined;
    body: undefined;
    result: {
      data: {
        id: string;
        object_type: string;
        deleted: true;
        /**
         * How many records that the user may read lost a reference to the deleted record,
         * by object type.
         */
        cleared_references?: { [key: string]: number };
      };
    };
  };
  /**
   * Change the status of a record: POST
   * /objects/{object_type}/records/{record_id}/status
   */
  changeStatus: {
    params: { object_type: string; record_id: string };
    query: undefined;
    body: { status_id: string };
    result: RecordResponse;
  };
  /**
   * Download a file of a record: GET
   * /objects/{object_type}/records/{record_id}/files/{field}/{file_id}
   */
  getRecordFile: {
    params: { object_type: string; record_id: string; field: string; file_id: string };
    query: { redirect?: 'true' | 'false' | undefined };
    body: undefined;
    result: string | string;
  };
  /** List deleted records: GET /objects/{object_type}/deleted */
  listDeletedRecords: {
    params: { object_type: string };
    query: {
      /** Text in the display field. */
      q?: string | undefined;
      /** Id of a user. */
      deleted_by?: number | undefined;
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
    };
    body: undefined;
    result: { data: DeletedRecord[]; pagination: Pagination };
  };
  /**
   * Restore a deleted record: POST
   * /objects/{object_type}/deleted/{record_id}/restore
   */
  restoreRecord: {
    params: { object_type: string; record_id: string };
    query: undefined;
    body: undefined;
    result: { data: { record: RecordData; not_restored: NotRestored } };
  };
  /**
   * Remove a deleted record for good: DELETE
   * /objects/{object_type}/deleted/{record_id}
   */
  purgeRecord: {
    params: { object_type: string; record_id: string };
    query: undefined;
    body: undefined;
    result: { data: { id: string; object_type: string; purged: true } };
  };
  /**
   * Ask for approval of a move: POST
   * /objects/{object_type}/records/{record_id}/status_requests
   */
  createStatusRequest: {
    params: { object_type: string; record_id: string };
    query: undefined;
    body: {
      status_id: string;
      /** Plain text, shown to everybody who may read the record. */
      comment?: string | undefined;
    };
    result: { data: StatusRequest };
  };
  /** List status requests: GET /status_requests */
  listStatusRequests: {
    params: undefined;
    query: {
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
      state?: 'pending' | 'approved' | 'rejected' | 'withdrawn' | 'expired' | undefined;
      /** Only those that wait for your decision. */
      approver?: 'me' | undefined;
      requested_by?: 'me' | undefined;
      /** Object type, such as `companies` or the slug of a custom object. */
      object_type?: string | undefined;
      record_id?: string | undefined;
    };
    body: undefined;
    result: { data: StatusRequest[]; pagination: Pagination };
  };
  /** Retrieve a status request: GET /status_requests/{request_id} */
  getStatusRequest: {
    params: { request_id: string };
    query: undefined;
    body: undefined;
    result: { data: StatusRequest };
  };
  /** Approve a status request: POST /status_requests/{request_id}/approve */
  approveStatusRequest: {
    params: { request_id: string };
    query: undefined;
    body: {
      /** Plain text, shown to everybody who may read the record. */
      comment?: string | undefined;
      /** The `version` of the record that you have seen. */
      expected_version?: string | undefined;
    };
    result: { data: StatusRequest };
  };
  /** Reject a status request: POST /status_requests/{request_id}/reject */
  rejectStatusRequest: {
    params: { request_id: string };
    query: undefined;
    body: {
      /** Plain text, shown to everybody who may read the record. */
      comment?: string | undefined;
    };
    result: { data: StatusRequest };
  };
  /** Withdraw a status request: POST /status_requests/{request_id}/withdraw */
  withdrawStatusRequest: {
    params: { request_id: string };
    query: undefined;
    body: undefined;
    result: { data: StatusRequest };
  };
  /**
   * Apply up to 100 operations, all or none: POST
   * /objects/{object_type}/records/batch
   */
  batchRecords: {
    params: { object_type: string };
    query: undefined;
    body: {
      operations: readonly (
        | CreateOperation
        | UpdateOperation
        | StatusOperation
        | DeleteOperation
        | UpsertOperation
        | LinkOperation
        | UnlinkOperation
      )[];
    };
    result: {
      data: {
        status: 'completed';
        object_type: string;
        count: number;
        atomic: true;
        results: OperationResult[];
      };
    };
  };
  /** Apply up to 100 operations on records of any objects, all or none: POST /batch */
  batchObjects: {
    params: undefined;
    query: undefined;
    body: {
      operations: readonly (
        | CreateObjectOperation
        | UpdateObjectOperation
        | StatusObjectOperation
        | DeleteObjectOperation
        | UpsertObjectOperation
        | LinkObjectOperation
        | UnlinkObjectOperation
        | CommentObjectOperation
      )[];
      /** True: only check; no record changes, and no answer is stored. */
      dry_run?: boolean | undefined;
    };
    result: {
      data: {
        status: 'completed';
        count: number;
        atomic: true;
        /** True: nothing was written, and ids of new records are of no use. */
        dry_run?: true;
        results: ObjectOperationResult[];
      };
    };
  };
  /**
   * Change all records that a condition finds: POST
   * /objects/{object_type}/records/bulk
   */
  bulkRecords: {
    params: { object_type: string };
    query: undefined;
    body: BulkUpdate | BulkStatus | BulkDelete;
    result:
      | {
          data: {
            dry_run: true;
            count: number;
            /** The newest of the records that match. */
            records: RecordData[];
          };
        }
      | { data: JobSummary };
  };
  /**
   * List the relationships of a record: GET
   * /objects/{object_type}/records/{record_id}/relationships
   */
  listRelationships: {
    params: { object_type: string; record_id: string };
    query: undefined;
    body: undefined;
    result: { data: Relationship[] };
  };
  /**
   * List linked records: GET
   * /objects/{object_type}/records/{record_id}/relationships/{association_id}
   */
  listLinkedRecords: {
    params: { object_type: string; record_id: string; association_id: string };
    query: {
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
      /**
       * Comma-separated keys of references and user fields, at most 4. The records and
       * people are under `expanded`.
       */
      expand?: string | undefined;
    };
    body: undefined;
    result: {
      /** The related object type. */
      object_type: string;
      data: RecordData[];
      pagination: Pagination;
    };
  };
  /**
   * Link a record: POST
   * /objects/{object_type}/records/{record_id}/relationships/{association_id}
   */
  linkRecord: {
    params: { object_type: string; record_id: string; association_id: string };
    query: undefined;
    body: { target_id: string };
    result: { data: LinkResult };
  };
  /**
   * Unlink a record: DELETE
   * /objects/{object_type}/records/{record_id}/relationships/{association_id}/{target_id}
   */
  unlinkRecord: {
    params: { object_type: string; record_id: string; association_id: string; target_id: string };
    query: undefined;
    body: undefined;
    result: { data: LinkResult };
  };
  /**
   * List the earlier values of a record: GET
   * /objects/{object_type}/records/{record_id}/history
   */
  listHistory: {
    params: { object_type: string; record_id: string };
    query: {
      field?: string | undefined;
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
    };
    body: undefined;
    result: { data: HistoryEntry[]; pagination: Pagination };
  };
  /**
   * Restore earlier values of a record: POST
   * /objects/{object_type}/records/{record_id}/restore
   */
  restoreRecordValues: {
    params: { object_type: string; record_id: string };
    query: undefined;
    body: {
      /** The values are those after this revision, and before the next one. */
      revision: number;
      /** Keys of fields. */
      fields: readonly string[];
      dry_run?: boolean | undefined;
    };
    result: RecordResponse | { data: { dry_run: true; changes: ChangedValue[] } };
  };
  /**
   * Merge records into another one: POST
   * /objects/{object_type}/records/{record_id}/merge
   */
  mergeRecords: {
    params: { object_type: string; record_id: string };
    query: undefined;
    body: {
      from: readonly {
        id: string;
        /** The version that the record must still have. */
        expected_version: string;
      }[];
      /** Keys of fields, each with the id of the record whose value it gets. */
      take?: { [key: string]: string } | undefined;
      dry_run?: boolean | undefined;
    };
    result:
      | {
          data: {
            record: RecordData;
            /** The id of the merge, the `batch_id` of its events. */
            merge: string;
            /** The ids of the others. */
            merged: string[];
            /**
             * Records whose references lead to the record then, by object type, as far as the
             * user may read them.
             */
            references: { [key: string]: number };
          };
        }
      | {
          data: {
            dry_run: true;
            changes: ChangedValue[];
            /**
             * Records whose references lead to the record then, by object type, as far as the
             * user may read them.
             */
            references: { [key: string]: number };
          };
        };
  };
  /**
   * Undo the last merge into a record: POST
   * /objects/{object_type}/records/{record_id}/unmerge
   */
  unmergeRecord: {
    params: { object_type: string; record_id: string };
    query: undefined;
    body: {
      /** The id of the merge; a `conflict` when it is not the last one. */
      merge?: string | undefined;
    };
    result: { data: { record: RecordData; restored: string[]; not_restored: NotRestored } };
  };
  /** Find duplicates: POST /objects/{object_type}/duplicates */
  startDuplicates: {
    params: { object_type: string };
    query: undefined;
    body: undefined;
    result: { data: JobSummary };
  };
  /** List the duplicates that a job has found: GET /jobs/{job_id}/duplicates */
  listDuplicates: {
    params: { job_id: string };
    query: {
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
    };
    body: undefined;
    result: { data: Duplicates[]; pagination: Pagination };
  };
  /**
   * Retrieve everything about a record: GET
   * /objects/{object_type}/records/{record_id}/bundle
   */
  getRecordBundle: {
    params: { object_type: string; record_id: string };
    query: undefined;
    body: undefined;
    result: { data: RecordBundle };
  };
  /**
   * List the comments of a record: GET
   * /objects/{object_type}/records/{record_id}/comments
   */
  listComments: {
    params: { object_type: string; record_id: string };
    query: {
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
      /** `desc`: newest first; `asc`: oldest first. */
      order?: 'desc' | 'asc' | undefined;
    };
    body: undefined;
    result: { data: RecordComment[]; pagination: Pagination };
  };
  /**
   * Find people to mention in a comment: GET
   * /objects/{object_type}/records/{record_id}/mentionable
   */
  listMentionable: {
    params: { object_type: string; record_id: string };
    query: {
      /** Case-insensitive match on the name. */
      q?: string | undefined;
    };
    body: undefined;
    result: { data: MentionablePerson[] };
  };
  /** Comment on a record: POST /objects/{object_type}/records/{record_id}/comments */
  createComment: {
    params: { object_type: string; record_id: string };
    query: undefined;
    body: {
      /** Plain text, kept as it is; not white space only. */
      body: string;
      /** Active members of the workspace; a repeated id counts once. */
      mention_user_ids?: readonly number[] | undefined;
    };
    result: { data: RecordComment };
  };
  /** List your notifications: GET /notifications */
  listNotifications: {
    params: undefined;
    query: {
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
      /** `true`: only those that were not marked as read. */
      unread?: 'true' | 'false' | undefined;
      /**
       * Also answer the first 280 characters of each comment, and of that of a request
       * or a decision.
       */
      include?: 'excerpt' | undefined;
    };
    body: undefined;
    result: { data: UserNotification[]; pagination: Pagination };
  };
  /** Mark a notification as read: POST /notifications/{notification_id}/read */
  readNotification: {
    params: { notification_id: string };
    query: undefined;
    body: undefined;
    result: { data: UserNotification };
  };
  /** Get your notification settings: GET /me/notification_settings */
  getNotificationSettings: {
    params: undefined;
    query: undefined;
    body: undefined;
    result: { data: NotificationSettings };
  };
  /** Change your notification settings: PATCH /me/notification_settings */
  updateNotificationSettings: {
    params: undefined;
    query: undefined;
    body: {
      /**
       * When unread notifications are sent by mail: `at_once` after 5 minutes, `hourly`
       * at the full hour, `daily` at 8 in the morning.
       */
      mail?: 'off' | 'at_once' | 'hourly' | 'daily' | undefined;
      language?: 'en' | 'de' | null | undefined;
      /** The time zone of due dates and daily mails. */
      time_zone?: string | undefined;
      kinds?:
        | {
            mention?:
              | {
                  /** True: in the list and the stream of events. */
                  list?: boolean | undefined;
                  /** By mail, where the service sends mail. */
                  mail?: boolean | undefined;
                }
              | undefined;
            comment?:
              | {
                  /** True: in the list and the stream of events. */
                  list?: boolean | undefined;
                  /** By mail, where the service sends mail. */
                  mail?: boolean | undefined;
                }
              | undefined;
            assignment?:
              | {
                  /** True: in the list and the stream of events. */
                  list?: boolean | undefined;
                  /** By mail, where the service sends mail. */
                  mail?: boolean | undefined;
                }
              | undefined;
            due?:
              | {
                  /** True: in the list and the stream of events. */
                  list?: boolean | undefined;
                  /** By mail, where the service sends mail. */
                  mail?: boolean | undefined;
                }
              | undefined;
            approval_requested?:
              | {
                  /** True: in the list and the stream of events. */
                  list?: boolean | undefined;
                  /** By mail, where the service sends mail. */
                  mail?: boolean | undefined;
                }
              | undefined;
            request_decided?:
              | {
                  /** True: in the list and the stream of events. */
                  list?: boolean | undefined;
                  /** By mail, where the service sends mail. */
                  mail?: boolean | undefined;
                }
              | undefined;
            webhook_failed?:
              | {
                  /** True: in the list and the stream of events. */
                  list?: boolean | undefined;
                  /** By mail, where the service sends mail. */
                  mail?: boolean | undefined;
                }
              | undefined;
            job_failed?:
              | {
                  /** True: in the list and the stream of events. */
                  list?: boolean | undefined;
                  /** By mail, where the service sends mail. */
                  mail?: boolean | undefined;
                }
              | undefined;
          }
        | undefined;
    };
    result: { data: NotificationSettings };
  };
  /**
   * Check whether you follow a record: GET
   * /objects/{object_type}/records/{record_id}/follow
   */
  getFollow: {
    params: { object_type: string; record_id: string };
    query: undefined;
    body: undefined;
    result: { data: Follow };
  };
  /** Follow a record: PUT /objects/{object_type}/records/{record_id}/follow */
  followRecord: {
    params: { object_type: string; record_id: string };
    query: undefined;
    body: undefined;
    result: { data: Follow };
  };
  /**
   * Stop following a record: DELETE
   * /objects/{object_type}/records/{record_id}/follow
   */
  unfollowRecord: {
    params: { object_type: string; record_id: string };
    query: undefined;
    body: undefined;
    result: { data: Follow };
  };
  /** Stream live events: GET /events/stream */
  streamEvents: {
    params: undefined;
    query: {
      /**
       * The same as `Last-Event-ID`, as stand-ins for `EventSource` send it; the header
       * counts first.
       */
      lastEventId?: string | undefined;
    };
    body: undefined;
    result:
      | {
          event:
            | 'record.created'
            | 'record.updated'
            | 'record.status_changed'
            | 'record.deleted'
            | 'record.linked'
            | 'record.unlinked'
            | 'record.entered'
            | 'record.restored'
            | 'record.merged'
            | 'record.erased';
          /** The id to send as `Last-Event-ID`. */
          id?: string;
          data: RecordEvent;
        }
      | {
          event: 'comment.created';
          /** The id to send as `Last-Event-ID`. */
          id?: string;
          data: CommentEvent;
        }
      | {
          event: 'status_request.created' | 'status_request.decided';
          /** The id to send as `Last-Event-ID`. */
          id?: string;
          data: StatusRequestEvent;
        }
      | {
          event: 'notification.created';
          /** The id to send as `Last-Event-ID`. */
          id?: string;
          data: UserNotification;
        }
      | {
          event: 'record.left';
          /** The id to send as `Last-Event-ID`. */
          id?: string;
          data: RecordLeftEvent;
        }
      | {
          event: 'definition.changed';
          /** The id to send as `Last-Event-ID`. */
          id?: string;
          data: DefinitionChangedEvent;
        }
      | {
          event: 'reach.changed';
          /** The id to send as `Last-Event-ID`. */
          id?: string;
          data: ReachChangedEvent;
        }
      | {
          event: 'reset';
          /** The id to send as `Last-Event-ID`. */
          id?: string;
          data: ResetEvent;
        };
  };
  /** List changes: GET /changes */
  listChanges: {
    params: undefined;
    query: {
      /** Comma-separated object types; all that you may read when left out. */
      object_type?: string | undefined;
      /** Comma-separated types of events; `record.*` stands for all of them. */
      type?: string | undefined;
      /**
       * The `next_cursor` of another page, or `start` for the oldest change that is
       * kept. Now when left out.
       */
      cursor?: string | undefined;
      /** Instead of a cursor, a date or a date and time: begins not later than then. */
      since?: string | undefined;
      limit?: number | undefined;
      /**
       * Seconds to wait when there is nothing yet. Such a request counts as an open
       * stream.
       */
      wait?: number | undefined;
      /** The record as it is now, in each event that has one. At most 100 events then. */
      include?: 'record' | undefined;
      /**
       * Fields of the records, comma-separated; with one `object_type` and
       * `include=record` only.
       */
      fields?: string | undefined;
    };
    body: undefined;
    result: {
      data: ChangeEvent[];
      pagination: {
        limit: number;
        /** True when the next page may be read at once. */
        has_more: boolean;
        next_cursor: string;
      };
    };
  };
  /** Search over all object types: GET /search */
  search: {
    params: undefined;
    query: {
      /** The text to search for. Leading and trailing white space is ignored. */
      q: string;
      /** Items on a page. */
      limit?: number | undefined;
      /**
       * Comma-separated keys of references and user fields, at most 4. The records and
       * people are under `expanded`.
       */
      expand?: string | undefined;
    };
    body: undefined;
    result: { data: SearchHit[] };
  };
  /** List views: GET /views */
  listViews: {
    params: undefined;
    query: {
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
      object_type?: string | undefined;
      /** `true`: only your favorites. */
      favorite?: 'true' | 'false' | undefined;
      /** Only views that are shown in this way. */
      kind?: 'table' | 'board' | 'calendar' | 'report' | undefined;
    };
    body: undefined;
    result: { data: View[]; pagination: Pagination };
  };
  /** Get a view: GET /views/{view_id} */
  getView: {
    params: { view_id: string };
    query: undefined;
    body: undefined;
    result: { data: View };
  };
  /** Create a view: POST /views */
  createView: {
    params: undefined;
    query: undefined;
    body: {
      object_type: string;
      name: string;
      /** How the view is shown. The query of a report is an aggregate query. */
      kind?: 'table' | 'board' | 'calendar' | 'report' | undefined;
      /**
       * The people who see the view: its owner, people who share a team with the owner,
       * or everyone.
       */
      shared?: 'private' | 'team' | 'workspace' | undefined;
      /**
       * The body of `POST …/records/query`, or for a report of `POST
       * …/records/aggregate/query`, without `limit` and `cursor`.
       */
      query: { [key: string]: unknown };
      /**
       * The fields shown, in this order; a field through a reference as
       * `company_id.name`.
       */
      columns?:
        | readonly {
            field: string;
            /** Pixels. */
            width?: number | undefined;
            /**
             * The total of the column in the footer of a table: a metric, or how many records
             * have a value. A client ignores one that the field does not have.
             */
            total?: 'sum' | 'avg' | 'min' | 'max' | 'filled' | 'empty' | undefined;
          }[]
        | undefined;
      group_by?: string | null | undefined;
      metrics?: readonly { op: 'sum'; field: string }[] | null | undefined;
      chart?: 'table' | 'bars' | 'lines' | 'funnel' | 'number' | null | undefined;
    };
    result: { data: View };
  };
  /** Copy a view: POST /views/{view_id}/copy */
  copyView: {
    params: { view_id: string };
    query: undefined;
    body: { name?: string | undefined };
    result: { data: View };
  };
  /** Put the views of an object in your own order: PUT /views/order */
  orderViews: {
    params: undefined;
    query: undefined;
    body: {
      object_type: string;
      /** Views that are not named come after them. */
      view_ids: readonly string[];
      default_view_id?: string | null | undefined;
      /** Left out: your favorites stay as they are. */
      favorite_view_ids?: readonly string[] | undefined;
    };
    result: {
      data: { object_type: string; view_ids: string[]; default_view_id: string | null };
    };
  };
  /** Change a view: PATCH /views/{view_id} */
  updateView: {
    params: { view_id: string };
    query: undefined;
    body: {
      name?: string | undefined;
      /** How the view is shown. The query of a report is an aggregate query. */
      kind?: 'table' | 'board' | 'calendar' | 'report' | undefined;
      /**
       * The people who see the view: its owner, people who share a team with the owner,
       * or everyone.
       */
      shared?: 'private' | 'team' | 'workspace' | undefined;
      /**
       * The body of `POST …/records/query`, or for a report of `POST
       * …/records/aggregate/query`, without `limit` and `cursor`.
       */
      query?: { [key: string]: unknown } | undefined;
      /**
       * The fields shown, in this order; a field through a reference as
       * `company_id.name`.
       */
      columns?:
        | readonly {
            field: string;
            /** Pixels. */
            width?: number | undefined;
            /**
             * The total of the column in the footer of a table: a metric, or how many records
             * have a value. A client ignores one that the field does not have.
             */
            total?: 'sum' | 'avg' | 'min' | 'max' | 'filled' | 'empty' | undefined;
          }[]
        | undefined;
      group_by?: string | null | undefined;
      metrics?: readonly { op: 'sum'; field: string }[] | null | undefined;
      chart?: 'table' | 'bars' | 'lines' | 'funnel' | 'number' | null | undefined;
      /** The version it must still have; an alternative to `If-Match`. */
      expected_version?: string | undefined;
    };
    result: { data: View };
  };
  /** Delete a view: DELETE /views/{view_id} */
  deleteView: {
    params: { view_id: string };
    query: undefined;
    body: undefined;
    result: { data: { id: string; deleted: true } };
  };
  /** Make a calendar feed of a view: POST /views/{view_id}/feed */
  createCalendarFeed: {
    params: { view_id: string };
    query: undefined;
    body: {
      name?: string | undefined;
      /**
       * A time in the future, RFC 3339. A key cannot create a key that expires later
       * than itself.
       */
      expires_at?: string | null | undefined;
    };
    result: { data: CalendarFeed };
  };
  /** Read a calendar feed: GET /calendar/{secret}.ics */
  readCalendarFeed: {
    params: { secret: string };
    query: undefined;
    body: undefined;
    result: string;
  };
  /** List dashboards: GET /dashboards */
  listDashboards: {
    params: undefined;
    query: {
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
    };
    body: undefined;
    result: { data: Dashboard[]; pagination: Pagination };
  };
  /** Get a dashboard: GET /dashboards/{dashboard_id} */
  getDashboard: {
    params: { dashboard_id: string };
    query: undefined;
    body: undefined;
    result: { data: FilledDashboard };
  };
  /** Create a dashboard: POST /dashboards */
  createDashboard: {
    params: undefined;
    query: undefined;
    body: {
      name: string;
      /**
       * The people who see the view: its owner, people who share a team with the owner,
       * or everyone.
       */
      shared?: 'private' | 'team' | 'workspace' | undefined;
      /** Views of the kind `report`, in their order on the page. */
      tiles?:
        | readonly {
            view_id: string;
            /** Columns of the page, which has four. */
            width: number;
          }[]
        | undefined;
    };
    result: { data: FilledDashboard };
  };
  /** Change a dashboard: PATCH /dashboards/{dashboard_id} */
  updateDashboard: {
    params: { dashboard_id: string };
    query: undefined;
    body: {
      name?: string | undefined;
      /**
       * The people who see the view: its owner, people who share a team with the owner,
       * or everyone.
       */
      shared?: 'private' | 'team' | 'workspace' | undefined;
      /** Views of the kind `report`, in their order on the page. */
      tiles?:
        | readonly {
            view_id: string;
            /** Columns of the page, which has four. */
            width: number;
          }[]
        | undefined;
      /** The version it must still have; an alternative to `If-Match`. */
      expected_version?: string | undefined;
    };
    result: { data: FilledDashboard };
  };
  /** Delete a dashboard: DELETE /dashboards/{dashboard_id} */
  deleteDashboard: {
    params: { dashboard_id: string };
    query: undefined;
    body: undefined;
    result: { data: { id: string; deleted: true } };
  };
  /** List people and agents with their roles: GET /members */
  listMembers: {
    params: undefined;
    query: {
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
      /** Case-insensitive match on name or email. */
      q?: string | undefined;
      kind?: 'user' | 'agent' | undefined;
      active?: 'true' | 'false' | undefined;
      role?: string | undefined;
      team_id?: number | undefined;
    };
    body: undefined;
    result: { data: ListedMember[]; pagination: Pagination };
  };
  /** Retrieve a person or an agent with their roles: GET /members/{user_id} */
  getMember: {
    params: { user_id: number };
    query: undefined;
    body: undefined;
    result: { data: ListedMember };
  };
  /** Add a person or an agent: POST /users */
  createUser: {
    params: undefined;
    query: undefined;
    body: {
      /** The address in lower case, which identifies the person at the sign-in. */
      email: string;
      name: string;
      title?: string | null | undefined;
      /** `agent`: a service user for operational keys. It never changes. */
      kind?: 'user' | 'agent' | undefined;
      /** Keys of roles of the definition. */
      roles?: readonly string[] | undefined;
      active?: boolean | undefined;
    };
    result: { data: Member };
  };
  /** Change a person or an agent: PATCH /users/{user_id} */
  updateUser: {
    params: { user_id: number };
    query: undefined;
    body: {
      /** The address in lower case, which identifies the person at the sign-in. */
      email?: string | undefined;
      name?: string | undefined;
      title?: string | null | undefined;
      /** Keys of roles of the definition. */
      roles?: readonly string[] | undefined;
      active?: boolean | undefined;
    };
    result: { data: Member };
  };
  /** Set the teams of a person: PUT /users/{user_id}/teams */
  updateTeamsOfUser: {
    params: { user_id: number };
    query: undefined;
    body: { team_ids: readonly number[] };
    result: { data: Member };
  };
  /** Add a team: POST /teams */
  createTeam: {
    params: undefined;
    query: undefined;
    body: { name: string; description?: string | null | undefined };
    result: { data: Team };
  };
  /** Change a team: PATCH /teams/{team_id} */
  updateTeam: {
    params: { team_id: number };
    query: undefined;
    body: { name?: string | undefined; description?: string | null | undefined };
    result: { data: Team };
  };
  /** Delete a team: DELETE /teams/{team_id} */
  deleteTeam: {
    params: { team_id: number };
    query: undefined;
    body: undefined;
    result: { data: { id: number; deleted: true } };
  };
  /** List roles: GET /roles */
  listRoles: {
    params: undefined;
    query: undefined;
    body: undefined;
    result: { data: Role[] };
  };
  /** Add a role: POST /roles */
  createRole: {
    params: undefined;
    query: undefined;
    body: {
      key: string;
      name?: string | null | undefined;
      administrator?: boolean | null | undefined;
      developer?: boolean | null | undefined;
      directory?: boolean | null | undefined;
      assign_owner?: boolean | null | undefined;
      second_factor?: 'optional' | 'required' | null | undefined;
      objects?: { [key: string]: unknown } | null | undefined;
    };
    result: { data: Role };
  };
  /** Change a role: PATCH /roles/{role_key} */
  updateRole: {
    params: { role_key: string };
    query: undefined;
    body: {
      name?: string | null | undefined;
      administrator?: boolean | null | undefined;
      developer?: boolean | null | undefined;
      directory?: boolean | null | undefined;
      assign_owner?: boolean | null | undefined;
      second_factor?: 'optional' | 'required' | null | undefined;
      objects?: { [key: string]: unknown } | null | undefined;
    };
    result: { data: Role };
  };
  /** Delete a role: DELETE /roles/{role_key} */
  deleteRole: {
    params: { role_key: string };
    query: undefined;
    body: undefined;
    result: { data: { key: string; deleted: true } };
  };
  /** Explain the access of a person: GET /access */
  getAccess: {
    params: undefined;
    query: {
      /** Id of the person or agent; you when left out. */
      user_id?: number | undefined;
      /** Object type, such as `companies` or the slug of a custom object. */
      object_type?: string | undefined;
    };
    body: undefined;
    result: { data: Access };
  };
  /** View as a person: POST /viewing */
  startViewing: {
    params: undefined;
    query: undefined;
    body: { user_id: number };
    result: {
      data: { user: { id: number; name: string | null; email: string }; ends_at: string };
    };
  };
  /** Stop viewing as a person: DELETE /viewing */
  stopViewing: {
    params: undefined;
    query: undefined;
    body: undefined;
    result: { data: { user_id: number | null; ended: true } };
  };
  /** List API keys: GET /keys */
  listKeys: {
    params: undefined;
    query: {
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
      user_id?: number | undefined;
      include_revoked?: 'true' | 'false' | undefined;
    };
    body: undefined;
    result: { data: Key[]; pagination: Pagination };
  };
  /** Create an API key: POST /keys */
  createKey: {
    params: undefined;
    query: undefined;
    body: {
      name: string;
      /**
       * The scopes; the six of records, users and comments when left out. A key gives
       * only its own.
       */
      scopes?:
        | readonly (
            | 'users:read'
            | 'records:read'
            | 'records:write'
            | 'records:delete'
            | 'comments:read'
            | 'comments:write'
            | 'workspace:read'
            | 'workspace:write'
            | 'keys:write'
            | 'audit:read'
            | 'webhooks:write'
            | 'approvals:write'
          )[]
        | undefined;
      /**
       * A time in the future, RFC 3339. A key cannot create a key that expires later
       * than itself.
       */
      expires_at?: string | null | undefined;
      /**
       * Requests a minute; null: the limit of the service. A key gives no more than it
       * has.
       */
      requests_per_minute?: number | null | undefined;
      /**
       * False: the key does not move records through gates and does not approve. Left
       * out: true for people, false for agents.
       */
      gates?: boolean | undefined;
      /** The user it acts for; by default yourself. */
      user_id?: number | undefined;
    };
    result: { data: NewKey };
  };
  /** Change an API key: PATCH /keys/{key_id} */
  updateKey: {
    params: { key_id: string };
    query: undefined;
    body: {
      name?: string | undefined;
      /**
       * A time in the future, RFC 3339. A key cannot create a key that expires later
       * than itself.
       */
      expires_at?: string | null | undefined;
      /**
       * Requests a minute; null: the limit of the service. A key gives no more than it
       * has.
       */
      requests_per_minute?: number | null | undefined;
    };
    result: { data: Key };
  };
  /** Revoke an API key: DELETE /keys/{key_id} */
  revokeKey: {
    params: { key_id: string };
    query: undefined;
    body: undefined;
    result: { data: Key };
  };
  /** Read the request of a client: POST /oauth/authorizations */
  readAuthorization: {
    params: undefined;
    query: undefined;
    body: {
      /**
       * The query string with which the client has sent the browser to
       * `/oauth/authorize`.
       */
      query: string;
    };
    result: { data: Authorization };
  };
  /** Give a client access: POST /oauth/grants */
  createGrant: {
    params: undefined;
    query: undefined;
    body: {
      /**
       * The query string with which the client has sent the browser to
       * `/oauth/authorize`.
       */
      query: string;
      /** The `digest` of the request that the person saw. */
      digest: string;
      /** False: only the scopes that read. */
      write?: boolean | undefined;
      days?: number | undefined;
    };
    result: { data: { url: string } };
  };
  /** List the clients of the workspace: GET /oauth/clients */
  listOauthClients: {
    params: undefined;
    query: undefined;
    body: undefined;
    result: { data: OauthClient[] };
  };
  /** Enter a client: POST /oauth/clients */
  createOauthClient: {
    params: undefined;
    query: undefined;
    body: {
      name: string;
      redirect_uris: readonly string[];
      /** True: the client gets a secret. */
      confidential?: boolean | undefined;
    };
    result: { data: { client_id: string; client_secret: string | null } };
  };
  /** Switch a client off or on: PATCH /oauth/clients */
  switchOauthClient: {
    params: undefined;
    query: undefined;
    body: { client_id: string; enabled: boolean };
    result: { data: { client_id: string; enabled: boolean } };
  };
  /** List webhooks: GET /webhooks */
  listWebhooks: {
    params: undefined;
    query: {
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
    };
    body: undefined;
    result: { data: Webhook[]; pagination: Pagination };
  };
  /** Get a webhook: GET /webhooks/{webhook_id} */
  getWebhook: {
    params: { webhook_id: string };
    query: undefined;
    body: undefined;
    result: { data: Webhook };
  };
  /** Create a webhook: POST /webhooks */
  createWebhook: {
    params: undefined;
    query: undefined;
    body: {
      /** An address with https, without credentials. */
      url: string;
      /** Types of events; `record.*` stands for all of records. */
      events: readonly (
        | 'record.created'
        | 'record.updated'
        | 'record.status_changed'
        | 'record.deleted'
        | 'record.linked'
        | 'record.unlinked'
        | 'record.entered'
        | 'record.left'
        | 'record.restored'
        | 'record.merged'
        | 'record.erased'
        | 'comment.created'
        | 'status_request.created'
        | 'status_request.decided'
        | 'definition.changed'
        | 'reach.changed'
        | 'record.*'
      )[];
      /** Left out or empty: every object type that the owner may read. */
      object_types?: readonly string[] | undefined;
      /** Field keys and ids of relationships, one of which must have changed. */
      changed_fields?: readonly string[] | undefined;
      where?: Where | null | undefined;
      timezone?: string | null | undefined;
      /** Ids of statuses: only moves into one of them. */
      status_to?: readonly string[] | undefined;
      /** Writes that are not sent. */
      except?:
        | {
            /**
             * True: not what was written with the key of this webhook; of a webhook that was
             * made in a session, not what its owner wrote with any key.
             */
            own?: boolean | undefined;
            sources?:
              | readonly ('api' | 'application' | 'import' | 'bulk' | 'cli' | 'mcp' | 'restore')[]
              | undefined;
          }
        | undefined;
      /** `record`: with the record as it is when it is sent, up to 20 kB. */
      payload?: 'thin' | 'record' | undefined;
      /**
       * At most 5, 1024 bytes together, sent with every request. They are stored
       * encrypted and no answer has their values. A change of `url` to another origin
       * needs them again.
       */
      headers?: { [key: string]: string } | undefined;
      /**
       * The person or agent it reads as; only an administrator can name another one than
       * themselves.
       */
      owner_user_id?: number | undefined;
    };
    result: { data: NewWebhook };
  };
  /** Change, pause or activate a webhook: PATCH /webhooks/{webhook_id} */
  updateWebhook: {
    params: { webhook_id: string };
    query: undefined;
    body: {
      /** An address with https, without credentials. */
      url?: string | undefined;
      /** Types of events; `record.*` stands for all of records. */
      events?:
        | readonly (
            | 'record.created'
            | 'record.updated'
            | 'record.status_changed'
            | 'record.deleted'
            | 'record.linked'
            | 'record.unlinked'
            | 'record.entered'
            | 'record.left'
            | 'record.restored'
            | 'record.merged'
            | 'record.erased'
            | 'comment.created'
            | 'status_request.created'
            | 'status_request.decided'
            | 'definition.changed'
            | 'reach.changed'
            | 'record.*'
          )[]
        | undefined;
      /** Left out or empty: every object type that the owner may read. */
      object_types?: readonly string[] | undefined;
      /** Field keys and ids of relationships, one of which must have changed. */
      changed_fields?: readonly string[] | undefined;
      where?: Where | null | undefined;
      timezone?: string | null | undefined;
      /** Ids of statuses: only moves into one of them. */
      status_to?: readonly string[] | undefined;
      /** Writes that are not sent. */
      except?:
        | {
            /**
             * True: not what was written with the key of this webhook; of a webhook that was
             * made in a session, not what its owner wrote with any key.
             */
            own?: boolean | undefined;
            sources?:
              | readonly ('api' | 'application' | 'import' | 'bulk' | 'cli' | 'mcp' | 'restore')[]
              | undefined;
          }
        | undefined;
      /** `record`: with the record as it is when it is sent, up to 20 kB. */
      payload?: 'thin' | 'record' | undefined;
      /**
       * At most 5, 1024 bytes together, sent with every request. They are stored
       * encrypted and no answer has their values. A change of `url` to another origin
       * needs them again.
       */
      headers?: { [key: string]: string } | undefined;
      /**
       * The person or agent it reads as; only an administrator can name another one than
       * themselves.
       */
      owner_user_id?: number | undefined;
      /** False pauses it. */
      active?: boolean | undefined;
      /**
       * With `"active": true`: continue where it stopped, which is possible for 7 days,
       * or with what is written from now on. `position` when left out.
       */
      resume?: 'position' | 'now' | undefined;
      /** The version the webhook must still have; an alternative to `If-Match`. */
      expected_version?: string | undefined;
    };
    result: { data: Webhook };
  };
  /** Delete a webhook: DELETE /webhooks/{webhook_id} */
  deleteWebhook: {
    params: { webhook_id: string };
    query: undefined;
    body: undefined;
    result: { data: { id: string; deleted: true } };
  };
  /** Test a webhook: POST /webhooks/{webhook_id}/test */
  testWebhook: {
    params: { webhook_id: string };
    query: undefined;
    body: undefined;
    result: { data: WebhookDelivery };
  };
  /** Rotate the secret of a webhook: POST /webhooks/{webhook_id}/rotate_secret */
  rotateWebhookSecret: {
    params: { webhook_id: string };
    query: undefined;
    body: {
      /** How long the secret before stays valid. */
      overlap_hours?: number | undefined;
    };
    result: { data: NewWebhook };
  };
  /** List the deliveries of a webhook: GET /webhooks/{webhook_id}/deliveries */
  listWebhookDeliveries: {
    params: { webhook_id: string };
    query: {
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
      /**
       * `pending`: it waits, or is retried at `next_attempt_at`. `failed`: no attempt is
       * left. `dropped`: the record was deleted, or its owner may no longer read it.
       */
      state?: 'pending' | 'delivered' | 'failed' | 'dropped' | undefined;
      type?:
        | 'record.created'
        | 'record.updated'
        | 'record.status_changed'
        | 'record.deleted'
        | 'record.linked'
        | 'record.unlinked'
        | 'record.entered'
        | 'record.left'
        | 'record.restored'
        | 'record.merged'
        | 'record.erased'
        | 'comment.created'
        | 'status_request.created'
        | 'status_request.decided'
        | 'definition.changed'
        | 'reach.changed'
        | 'ping'
        | undefined;
      /** A date or a date and time. */
      since?: string | undefined;
    };
    body: undefined;
    result: { data: WebhookDelivery[]; pagination: Pagination };
  };
  /**
   * Send a delivery again: POST
   * /webhooks/{webhook_id}/deliveries/{delivery_id}/replay
   */
  replayWebhookDelivery: {
    params: { webhook_id: string; delivery_id: string };
    query: undefined;
    body: undefined;
    result: { data: WebhookDelivery };
  };
  /** Send the deliveries of a span of time again: POST /webhooks/{webhook_id}/replay */
  replayWebhook: {
    params: { webhook_id: string };
    query: undefined;
    body: {
      /** A date or a date and time. */
      since: string;
      /** A date or a date and time. */
      until?: string | undefined;
      /** `failed` when left out. */
      states?: readonly ('failed' | 'dropped' | 'delivered')[] | undefined;
    };
    result: { data: JobSummary };
  };
  /** List audit entries: GET /audit */
  listAudit: {
    params: undefined;
    query: {
      user_id?: number | undefined;
      key_id?: string | undefined;
      object_type?: string | undefined;
      record_id?: string | undefined;
      subject_type?:
        | 'session'
        | 'viewing'
        | 'sign_in_link'
        | 'password'
        | 'second_factor'
        | 'key'
        | 'oauth_client'
        | 'user'
        | 'team'
        | 'role'
        | 'definition'
        | 'import'
        | 'export'
        | 'workspace_export'
        | 'bulk'
        | 'webhook_replay'
        | 'erasure'
        | 'duplicates'
        | 'job'
        | 'view'
        | 'dashboard'
        | 'webhook'
        | 'status_check'
        | undefined;
      subject_id?: string | undefined;
      action?: string | undefined;
      /** A date or a date and time. */
      since?: string | undefined;
      /** A date or a date and time. */
      until?: string | undefined;
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
    };
    body: undefined;
    result: { data: AuditEntry[]; pagination: Pagination };
  };
  /** List jobs: GET /jobs */
  listJobs: {
    params: undefined;
    query: {
      kind?: string | undefined;
      state?: 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | undefined;
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
    };
    body: undefined;
    result: { data: JobSummary[]; pagination: Pagination };
  };
  /** Retrieve a job: GET /jobs/{job_id} */
  getJob: {
    params: { job_id: string };
    query: {
      /** Seconds to wait. A job that has ended is answered at once. */
      wait?: number | undefined;
    };
    body: undefined;
    result: { data: JobDetails };
  };
  /** Cancel a job: POST /jobs/{job_id}/cancel */
  cancelJob: {
    params: { job_id: string };
    query: undefined;
    body: undefined;
    result: { data: JobDetails };
  };
  /** Erase records for good: POST /erasures */
  startErasure: {
    params: undefined;
    query: undefined;
    body: {
      records: readonly {
        /** Object type, such as `companies` or the slug of a custom object. */
        object_type: string;
        id: string;
      }[];
      /** Count only; change nothing. */
      dry_run?: boolean | undefined;
    };
    result: { data: JobSummary };
  };
  /** Export the whole workspace: POST /workspace/export */
  startWorkspaceExport: {
    params: undefined;
    query: undefined;
    body: undefined;
    result: { data: JobSummary };
  };
  /** Upload a file for a field or an import: POST /files */
  sendFile: {
    params: undefined;
    query: {
      purpose?: 'import' | 'field' | undefined;
      /** The name of the file; directories before it are left out. */
      name?: string | undefined;
      /** Object type, such as `companies` or the slug of a custom object. */
      object_type?: string | undefined;
      /** The key of the field. */
      field?: string | undefined;
    };
    body: string | Blob;
    result: { data: StoredFile | UploadedFile };
  };
  /** Import files: POST /imports */
  startImport: {
    params: undefined;
    query: undefined;
    body: {
      file_id?: string | undefined;
      mapping?: ImportMapping | undefined;
      /** The files, in the order in which they are imported. */
      files?: readonly { file_id: string; mapping: ImportMapping }[] | undefined;
      /** Check everything, but write nothing. */
      dry_run?: boolean | undefined;
      /** CSV: keep an apostrophe before text that looks like a formula. */
      raw?: boolean | undefined;
      /** Do not change existing records. */
      only_new?: boolean | undefined;
      /** Ignore the status: new records get the initial one. */
      no_status?: boolean | undefined;
    };
    result: { data: JobSummary };
  };
  /** Read a file before its import: POST /imports/readings */
  readSentFile: {
    params: undefined;
    query: undefined;
    body: {
      file_id: string;
      encoding?:
        | 'utf-8'
        | 'utf-16le'
        | 'utf-16be'
        | 'utf-32le'
        | 'utf-32be'
        | 'windows-1252'
        | 'macintosh'
        | 'iso-8859-15'
        | 'windows-1250'
        | 'iso-8859-2'
        | 'windows-1254'
        | 'windows-1257'
        | 'windows-1253'
        | 'iso-8859-7'
        | 'windows-1251'
        | 'koi8-r'
        | 'koi8-u'
        | 'ibm866'
        | 'x-mac-cyrillic'
        | 'iso-8859-5'
        | 'windows-1255'
        | 'windows-1256'
        | 'windows-1258'
        | 'windows-874'
        | 'shift_jis'
        | 'euc-jp'
        | 'iso-2022-jp'
        | 'gb18030'
        | 'big5'
        | 'euc-kr'
        | 'iso-8859-3'
        | 'iso-8859-4'
        | 'iso-8859-6'
        | 'iso-8859-8'
        | 'iso-8859-10'
        | 'iso-8859-13'
        | 'iso-8859-14'
        | undefined;
      delimiter?: string | undefined;
      skip_lines?: number | undefined;
      sheet?: string | undefined;
      /** The program, when its headings are not found. */
      preset?:
        | 'HubSpot'
        | 'Salesforce'
        | 'Pipedrive'
        | 'Zoho'
        | 'Attio'
        | 'Airtable'
        | 'Notion'
        | 'Monday'
        | 'Asana'
        | 'Jira'
        | 'Trello'
        | 'Google contacts'
        | 'Outlook contacts'
        | 'LinkedIn'
        | 'Shopify'
        | 'WooCommerce'
        | 'Stripe'
        | 'PayPal'
        | undefined;
      object_type?: string | undefined;
    };
    result: { data: TableReading };
  };
  /** Download the rows that were not imported: GET /imports/{job_id}/rejects */
  getRejects: {
    params: { job_id: string };
    query: {
      /** The number of the file in the import, from 1. */
      file?: number | undefined;
    };
    body: undefined;
    result: string;
  };
  /** Export records to a file: POST /exports */
  startExport: {
    params: undefined;
    query: undefined;
    body: {
      /** Object type, such as `companies` or the slug of a custom object. */
      object_type: string;
      format?: 'csv' | 'jsonl' | 'xlsx' | 'vcf' | undefined;
      /** The links of this relationship instead of the records: two ids in each row. */
      relationship?: string | undefined;
      /** Case-insensitive match on the display field. */
      query?: string | undefined;
      /** Field key → filter; all are combined with AND, at most 16. */
      filters?: { [key: string]: unknown } | undefined;
      where?: Where | undefined;
      /** A name of the IANA time zone database; UTC when left out. */
      timezone?: string | undefined;
      /**
       * Keys in this order, with or without `custom_fields.`; everything that can be
       * read when left out.
       */
      fields?: readonly string[] | undefined;
      sort?: readonly { field: string; direction?: 'asc' | 'desc' | undefined }[] | undefined;
      /** CSV: leave text alone that a spreadsheet would take for a formula. */
      raw?: boolean | undefined;
      /** CSV: start with a byte-order mark, so that Excel reads UTF-8. */
      bom?: boolean | undefined;
      /**
       * CSV and Excel: labels of options and names of records, which an import reads
       * back, and not values and ids.
       */
      names?: boolean | undefined;
      /** People by their ids, as records have them, and not by their e-mails. */
      user_ids?: boolean | undefined;
    };
    result: { data: JobSummary };
  };
  /** Download the file of an export: GET /exports/{job_id}/file */
  getExportFile: {
    params: { job_id: string };
    query: undefined;
    body: undefined;
    result: string;
  };
  /** Retrieve the definition: GET /definition */
  getDefinition: {
    params: undefined;
    query: { form?: 'document' | 'patch' | 'base' | undefined };
    body: undefined;
    result: { data: Definition };
  };
  /** Plan another definition: POST /definition/plan */
  planDefinition: {
    params: undefined;
    query: undefined;
    body: {
      /** A definition document: objects, relationships, workflows, roles and the rest. */
      document?: { [key: string]: unknown } | undefined;
      /** A JSON merge patch (RFC 7396) over the base, as in a definition file. */
      patch?: { [key: string]: unknown } | undefined;
      /** A revision to go back to. */
      revision?: number | undefined;
      /**
       * True: `patch` is merged into the current patch. False: it replaces the current
       * patch.
       */
      merge?: boolean | undefined;
    };
    result: { data: DefinitionPlan };
  };
  /** Apply a plan: POST /definition/apply */
  applyDefinition: {
    params: undefined;
    query: undefined;
    body: {
      /** A definition document: objects, relationships, workflows, roles and the rest. */
      document?: { [key: string]: unknown } | undefined;
      /** A JSON merge patch (RFC 7396) over the base, as in a definition file. */
      patch?: { [key: string]: unknown } | undefined;
      /** A revision to go back to. */
      revision?: number | undefined;
      /**
       * True: `patch` is merged into the current patch. False: it replaces the current
       * patch.
       */
      merge?: boolean | undefined;
      plan_id: string;
      /** Names of the data that may be deleted, as the plan lists them. */
      allow?: readonly string[] | undefined;
      /** True: in a job, however short it is. */
      background?: boolean | undefined;
    };
    result: { data: AppliedDefinition } | { data: { job: { id: string; kind: string } } };
  };
  /** List revisions: GET /definition/revisions */
  listDefinitionRevisions: {
    params: undefined;
    query: {
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
    };
    body: undefined;
    result: { data: DefinitionRevision[]; pagination: Pagination };
  };
  /** Retrieve a revision: GET /definition/revisions/{revision} */
  getDefinitionRevision: {
    params: { revision: number };
    query: undefined;
    body: undefined;
    result: { data: DefinitionRevisionWithDocuments };
  };
  /** Sign in: POST /sessions */
  createSession: {
    params: undefined;
    query: undefined;
    body: {
      workspace?: string | undefined;
      email?: string | undefined;
      password?: string | undefined;
      token?: string | undefined;
      challenge?: string | undefined;
      /** The present code of the authenticator app. */
      code?: string | undefined;
      recovery_code?: string | undefined;
      assertion?:
        | {
            id: string;
            rawId: string;
            type: 'public-key';
            authenticatorAttachment?: 'platform' | 'cross-platform' | undefined;
            clientExtensionResults: { [key: string]: unknown };
            response: {
              clientDataJSON: string;
              authenticatorData: string;
              signature: string;
              userHandle?: string | undefined;
            };
          }
        | undefined;
    };
    result: { data: { session: Session; user: PersonIdentity; workspace: WorkspaceIdentity } };
  };
  /** List sessions: GET /sessions */
  listSessions: {
    params: undefined;
    query: { user_id?: number | undefined };
    body: undefined;
    result: { data: ListedSession[] };
  };
  /** End a session: DELETE /sessions/{session_id} */
  endSession: {
    params: { session_id: string };
    query: undefined;
    body: undefined;
    result: { data: { id: string; ended: true } };
  };
  /** Set or change your password: PUT /me/password */
  setPassword: {
    params: undefined;
    query: undefined;
    body: { password: string; current_password?: string | undefined };
    result: {
      data: {
        /** The number of other sessions that have ended. */
        ended_sessions: number;
      };
    };
  };
  /** Make a one-time link to sign in with: POST /users/{user_id}/sign_in_links */
  createSignInLink: {
    params: { user_id: number };
    query: {
      /** Also send the person an invitation by mail. */
      mail?: 'true' | 'false' | undefined;
    };
    body: {
      /** An invitation is valid for days, a link to sign in with for 30 minutes. */
      purpose?: 'sign_in' | 'invitation' | undefined;
      /** Hours for which an invitation is valid; 168 when left out. */
      expires_in_hours?: number | undefined;
    };
    result: {
      data: {
        id: string;
        /** An invitation is valid for days, a link to sign in with for 30 minutes. */
        purpose: 'sign_in' | 'invitation';
        url: string;
        expires_at: string;
        /** True when an invitation is sent by mail. */
        mailed: boolean;
      };
    };
  };
  /** List the one-time links of a person: GET /users/{user_id}/sign_in_links */
  listSignInLinks: {
    params: { user_id: number };
    query: undefined;
    body: undefined;
    result: { data: SignInLink[] };
  };
  /** Revoke a one-time link: DELETE /users/{user_id}/sign_in_links/{link_id} */
  revokeSignInLink: {
    params: { user_id: number; link_id: string };
    query: undefined;
    body: undefined;
    result: { data: { id: string; revoked: true } };
  };
  /** Begin to sign in with a passkey alone: POST /sign_in/passkey */
  beginPasskeySignIn: {
    params: undefined;
    query: undefined;
    body: { workspace: string };
    result: {
      /**
       * Options as `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` read
       * them.
       */
      data: { challenge: string };
    };
  };
  /** Show your second factors: GET /me/second_factor */
  getSecondFactor: {
    params: undefined;
    query: undefined;
    body: undefined;
    result: {
      data: {
        required: boolean;
        code: { created_at: string } | null;
        /** The number of codes that are left. */
        recovery_codes: number;
        passkeys: Passkey[];
      };
    };
  };
  /** Begin to set up one-time codes: POST /me/second_factor/code */
  beginCodes: {
    params: undefined;
    query: undefined;
    body: undefined;
    result: {
      data: {
        /** The secret in base32. */
        secret: string;
        uri: string;
        /** The address as a QR code in SVG. */
        qr_svg: string;
      };
    };
  };
  /** Confirm one-time codes: PUT /me/second_factor/code */
  confirmCodes: {
    params: undefined;
    query: undefined;
    body: {
      /** The present code of the authenticator app. */
      code: string;
    };
    result: { data: { recovery_codes: string[] | null } };
  };
  /** Remove one-time codes: DELETE /me/second_factor/code */
  removeCodes: {
    params: undefined;
    query: undefined;
    body: undefined;
    result: { data: { removed: true } };
  };
  /** Make new recovery codes: POST /me/second_factor/recovery_codes */
  makeRecoveryCodes: {
    params: undefined;
    query: undefined;
    body: undefined;
    result: { data: { recovery_codes: string[] | null } };
  };
  /** Begin to add a passkey: POST /me/passkeys/options */
  beginPasskey: {
    params: undefined;
    query: undefined;
    body: undefined;
    result: {
      /**
       * Options as `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` read
       * them.
       */
      data: { challenge: string };
    };
  };
  /** Add a passkey: POST /me/passkeys */
  createPasskey: {
    params: undefined;
    query: undefined;
    body: {
      challenge: string;
      name: string;
      credential: {
        id: string;
        rawId: string;
        type: 'public-key';
        authenticatorAttachment?: 'platform' | 'cross-platform' | undefined;
        clientExtensionResults: { [key: string]: unknown };
        response: {
          clientDataJSON: string;
          attestationObject: string;
          authenticatorData?: string | undefined;
          transports?: readonly string[] | undefined;
          publicKey?: string | undefined;
          publicKeyAlgorithm?: number | undefined;
        };
      };
    };
    result: { data: { passkey: Passkey; recovery_codes: string[] | null } };
  };
  /** Remove a passkey: DELETE /me/passkeys/{passkey_id} */
  deletePasskey: {
    params: { passkey_id: string };
    query: undefined;
    body: undefined;
    result: { data: { id: string; removed: true } };
  };
  /** Reset the second factors of a person: DELETE /users/{user_id}/second_factor */
  resetSecondFactor: {
    params: { user_id: number };
    query: undefined;
    body: undefined;
    result: { data: { user_id: number; reset: true } };
  };
  /** List ways to sign in: GET /sign_in_methods */
  listSignInMethods: {
    params: undefined;
    query: {
      /** The slug of the workspace. */
      workspace: string;
    };
    body: undefined;
    result: {
      data: {
        password: boolean;
        providers: { id: string; name: string; start_url: string }[];
        /** False over plain http, where sign-in is not possible. */
        sessions: boolean;
        /** True when the service sends links to sign in with. */
        mail: boolean;
        /** True when people can sign in with a passkey here: the host has a name. */
        passkeys: boolean;
      };
    };
  };
  /** Get a one-time link by mail: POST /sign_in_links */
  mailSignInLink: {
    params: undefined;
    query: undefined;
    body: { workspace: string; email: string };
    result: { data: { accepted: true } };
  };
  /** Go to an identity provider: GET /sign_in/start */
  startSignIn: {
    params: undefined;
    query: {
      /** The slug of the workspace. */
      workspace: string;
      provider?: string | undefined;
      to?: string | undefined;
    };
    body: undefined;
    result: { data: { location: string } };
  };
  /** Return from an identity provider: GET /sign_in/callback */
  finishSignIn: {
    params: undefined;
    query: {
      code?: string | undefined;
      state?: string | undefined;
      iss?: string | undefined;
      error?: string | undefined;
      error_description?: string | undefined;
    };
    body: undefined;
    result: { data: { location: string } };
  };
  /** Ask whether mails shall end: GET /mail/unsubscribe */
  showUnsubscribe: {
    params: undefined;
    query: {
      /** The token of the link in a mail. */
      token: string;
    };
    body: undefined;
    result: string;
  };
  /** End mails to a person: POST /mail/unsubscribe */
  unsubscribeFromMail: {
    params: undefined;
    query: {
      /** The token of the link in a mail. */
      token: string;
    };
    body: undefined;
    result: string;
  };
}

/** Method and path of each route; `idempotent`: an Idempotency-Key makes a repetition safe. */
export const ENDPOINTS: Readonly<Record<keyof Endpoints, string>> = {
  createWorkspace: 'POST /workspaces',
  getMe: 'GET /me',
  listUsers: 'GET /users',
  getUser: 'GET /users/{user_id}',
  listTeams: 'GET /teams',
  listObjects: 'GET /objects',
  getObject: 'GET /objects/{object_type}',
  getWorkflow: 'GET /workflows/{workflow_id}',
  getOpenApi: 'GET /openapi.json',
  listRecords: 'GET /objects/{object_type}/records',
  searchRecords: 'POST /objects/{object_type}/records/search',
  aggregateRecords: 'POST /objects/{object_type}/records/aggregate',
  queryRecords: 'POST /objects/{object_type}/records/query',
  queryAggregates: 'POST /objects/{object_type}/records/aggregate/query',
  queryObjects: 'POST /query',
  aggregateObjects: 'POST /aggregate',
  createRecord: 'POST /objects/{object_type}/records idempotent',
  getRecord: 'GET /objects/{object_type}/records/{record_id}',
  updateRecord: 'PATCH /objects/{object_type}/records/{record_id} idempotent',
  deleteRecord: 'DELETE /objects/{object_type}/records/{record_id}',
  changeStatus: 'POST /objects/{object_type}/records/{record_id}/status idempotent',
  getRecordFile: 'GET /objects/{object_type}/records/{record_id}/files/{field}/{file_id}',
  listDeletedRecords: 'GET /objects/{object_type}/deleted',
  restoreRecord: 'POST /objects/{object_type}/deleted/{record_id}/restore idempotent',
  purgeRecord: 'DELETE /objects/{object_type}/deleted/{record_id}',
  createStatusRequest: 'POST /objects/{object_type}/records/{record_id}/status_requests idempotent',
  listStatusRequests: 'GET /status_requests',
  getStatusRequest: 'GET /status_requests/{request_id}',
  approveStatusRequest: 'POST /status_requests/{request_id}/approve idempotent',
  rejectStatusRequest: 'POST /status_requests/{request_id}/reject idempotent',
  withdrawStatusRequest: 'POST /status_requests/{request_id}/withdraw idempotent',
  batchRecords: 'POST /objects/{object_type}/records/batch idempotent',
  batchObjects: 'POST /batch idempotent',
  bulkRecords: 'POST /objects/{object_type}/records/bulk idempotent',
  listRelationships: 'GET /objects/{object_type}/records/{record_id}/relationships',
  listLinkedRecords:
    'GET /objects/{object_type}/records/{record_id}/relationships/{association_id}',
  linkRecord:
    'POST /objects/{object_type}/records/{record_id}/relationships/{association_id} idempotent',
  unlinkRecord:
    'DELETE /objects/{object_type}/records/{record_id}/relationships/{association_id}/{target_id}',
  listHistory: 'GET /objects/{object_type}/records/{record_id}/history',
  restoreRecordValues: 'POST /objects/{object_type}/records/{record_id}/restore idempotent',
  mergeRecords: 'POST /objects/{object_type}/records/{record_id}/merge idempotent',
  unmergeRecord: 'POST /objects/{object_type}/records/{record_id}/unmerge idempotent',
  startDuplicates: 'POST /objects/{object_type}/duplicates idempotent',
  listDuplicates: 'GET /jobs/{job_id}/duplicates',
  getRecordBundle: 'GET /objects/{object_type}/records/{record_id}/bundle',
  listComments: 'GET /objects/{object_type}/records/{record_id}/comments',
  listMentionable: 'GET /objects/{object_type}/records/{record_id}/mentionable',
  createComment: 'POST /objects/{object_type}/records/{record_id}/comments idempotent',
  listNotifications: 'GET /notifications',
  readNotification: 'POST /notifications/{notification_id}/read',
  getNotificationSettings: 'GET /me/notification_settings',
  updateNotificationSettings: 'PATCH /me/notification_settings',
  getFollow: 'GET /objects/{object_type}/records/{record_id}/follow',
  followRecord: 'PUT /objects/{object_type}/records/{record_id}/follow',
  unfollowRecord: 'DELETE /objects/{object_type}/records/{record_id}/follow',
  streamEvents: 'GET /events/stream',
  listChanges: 'GET /changes',
  search: 'GET /search',
  listViews: 'GET /views',
  getView: 'GET /views/{view_id}',
  createView: 'POST /views',
  copyView: 'POST /views/{view_id}/copy',
  orderViews: 'PUT /views/order',
  updateView: 'PATCH /views/{view_id}',
  deleteView: 'DELETE /views/{view_id}',
  createCalendarFeed: 'POST /views/{view_id}/feed',
  readCalendarFeed: 'GET /calendar/{secret}.ics',
  listDashboards: 'GET /dashboards',
  getDashboard: 'GET /dashboards/{dashboard_id}',
  createDashboard: 'POST /dashboards',
  updateDashboard: 'PATCH /dashboards/{dashboard_id}',
  deleteDashboard: 'DELETE /dashboards/{dashboard_id}',
  listMembers: 'GET /members',
  getMember: 'GET /members/{user_id}',
  createUser: 'POST /users',
  updateUser: 'PATCH /users/{user_id}',
  updateTeamsOfUser: 'PUT /users/{user_id}/teams',
  createTeam: 'POST /teams',
  updateTeam: 'PATCH /teams/{team_id}',
  deleteTeam: 'DELETE /teams/{team_id}',
  listRoles: 'GET /roles',
  createRole: 'POST /roles',
  updateRole: 'PATCH /roles/{role_key}',
  deleteRole: 'DELETE /roles/{role_key}',
  getAccess: 'GET /access',
  startViewing: 'POST /viewing',
  stopViewing: 'DELETE /viewing',
  listKeys: 'GET /keys',
  createKey: 'POST /keys',
  updateKey: 'PATCH /keys/{key_id}',
  revokeKey: 'DELETE /keys/{key_id}',
  readAuthorization: 'POST /oauth/authorizations',
  createGrant: 'POST /oauth/grants',
  listOauthClients: 'GET /oauth/clients',
  createOauthClient: 'POST /oauth/clients',
  switchOauthClient: 'PATCH /oauth/clients',
  listWebhooks: 'GET /webhooks',
  getWebhook: 'GET /webhooks/{webhook_id}',
  createWebhook: 'POST /webhooks',
  updateWebhook: 'PATCH /webhooks/{webhook_id}',
  deleteWebhook: 'DELETE /webhooks/{webhook_id}',
  testWebhook: 'POST /webhooks/{webhook_id}/test',
  rotateWebhookSecret: 'POST /webhooks/{webhook_id}/rotate_secret',
  listWebhookDeliveries: 'GET /webhooks/{webhook_id}/deliveries',
  replayWebhookDelivery: 'POST /webhooks/{webhook_id}/deliveries/{delivery_id}/replay',
  replayWebhook: 'POST /webhooks/{webhook_id}/replay idempotent',
  listAudit: 'GET /audit',
  listJobs: 'GET /jobs',
  getJob: 'GET /jobs/{job_id}',
  cancelJob: 'POST /jobs/{job_id}/cancel',
  startErasure: 'POST /erasures idempotent',
  startWorkspaceExport: 'POST /workspace/export idempotent',
  sendFile: 'POST /files idempotent',
  startImport: 'POST /imports idempotent',
  readSentFile: 'POST /imports/readings',
  getRejects: 'GET /imports/{job_id}/rejects',
  startExport: 'POST /exports idempotent',
  getExportFile: 'GET /exports/{job_id}/file',
  getDefinition: 'GET /definition',
  planDefinition: 'POST /definition/plan',
  applyDefinition: 'POST /definition/apply',
  listDefinitionRevisions: 'GET /definition/revisions',
  getDefinitionRevision: 'GET /definition/revisions/{revision}',
  createSession: 'POST /sessions',
  listSessions: 'GET /sessions',
  endSession: 'DELETE /sessions/{session_id}',
  setPassword: 'PUT /me/password',
  createSignInLink: 'POST /users/{user_id}/sign_in_links',
  listSignInLinks: 'GET /users/{user_id}/sign_in_links',
  revokeSignInLink: 'DELETE /users/{user_id}/sign_in_links/{link_id}',
  beginPasskeySignIn: 'POST /sign_in/passkey',
  getSecondFactor: 'GET /me/second_factor',
  beginCodes: 'POST /me/second_factor/code',
  confirmCodes: 'PUT /me/second_factor/code',
  removeCodes: 'DELETE /me/second_factor/code',
  makeRecoveryCodes: 'POST /me/second_factor/recovery_codes',
  beginPasskey: 'POST /me/passkeys/options',
  createPasskey: 'POST /me/passkeys',
  deletePasskey: 'DELETE /me/passkeys/{passkey_id}',
  resetSecondFactor: 'DELETE /users/{user_id}/second_factor',
  listSignInMethods: 'GET /sign_in_methods',
  mailSignInLink: 'POST /sign_in_links',
  startSignIn: 'GET /sign_in/start',
  finishSignIn: 'GET /sign_in/callback',
  showUnsubscribe: 'GET /mail/unsubscribe',
  unsubscribeFromMail: 'POST /mail/unsubscribe',
};

/** Operations that a batch may have. */
export const BATCH_OPERATIONS = 100;
