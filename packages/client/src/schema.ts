// Made from the routes of the service by scripts/generate.ts; changes here are lost. One type for each
// named schema; for each route what it takes and answers, and how it is called.

export type Author = {
  /** `user`, or `agent` for a service user. */
  kind: string;
  id: number | null;
  name: string | null;
};

export type CommentEvent = {
  /** The same each time the event is sent; says nothing else. */
  id: string;
  object_type: string;
  record_id: string;
  comment: RecordComment;
  occurred_at: string;
};

export type CreateOperation = {
  action: 'create';
  /** Field key → value; fields of storage `jsonb` under `custom_fields`. */
  fields: { [key: string]: unknown };
};

export type DeleteOperation = {
  action: 'delete';
  id: string;
};

export type Field = {
  key: string;
  name: string | null;
  description?: string;
  /**
   * One of text, long_text, number, integer, currency, percent, boolean, date,
   * datetime, select, multi_select, email, phone, url, reference, user, json; more
   * may come.
   */
  type: string;
  required: boolean;
  editable: boolean;
  storage: 'physical' | 'jsonb';
  storage_key: string;
  options?: {
    value: unknown;
    label?: string;
  }[];
  /** JSON-Schema words, `unique`, `reference_object_type`, `on_delete`, `currency`. */
  constraints?: { [key: string]: unknown };
};

/**
 * The `group_by` values and one column per metric. Numbers are exact: one that a
 * JSON number would not keep (beyond 2^53, or with too many digits) is a decimal
 * string. `avg` is the nearest double.
 */
export type Group = { [key: string]: unknown };

export type KeyIdentity = {
  user: {
    id: number;
    name: string | null;
    email: string | null;
    title: string | null;
  };
  workspace: {
    id: number;
    slug: string;
    name: string;
  };
  api_key: {
    id: string;
    name: string;
    type: 'personal' | 'operational';
    prefix: string;
    scopes: string[];
    expires_at: string | null;
  };
  rate_limit: {
    requests_per_minute: number;
  };
};

export type LinkOperation = {
  action: 'link';
  id: string;
  /** Id of a relationship, such as `ref.company_id`. */
  association_id: string;
  target_id: string;
};

export type ListedSession = {
  id: string;
  /** When the person signed in. */
  created_at: string;
  last_used_at: string;
  expires_at: string;
  user_id: number;
  /** How the person signed in. */
  method: 'password' | 'link' | 'oidc';
  /** True for the session of this request. */
  current: boolean;
};

export type ObjectDefinition = {
  object_type: string;
  name: string | null;
  singular_name: string | null;
  description: string | null;
  kind: 'built_in' | 'work_item' | 'default';
  category: string;
  display_field: string | null;
  capabilities: {
    search: boolean;
    create: boolean;
    update: boolean;
    delete: boolean;
  };
  /** Advisory; every request is authorised on its own. */
  permissions: {
    create: Permission;
    read: Permission;
    update: Permission;
    delete: Permission;
  };
  fields: Field[];
  relationships: {
    object: {
      key: string;
      name: string | null;
    };
    cardinality: string;
    labels: string[];
  }[];
  workflow: WorkflowReference | null;
  work_item_types?: {
    id: string;
    slug: string;
    key: string | null;
    name: string | null;
    workflow: WorkflowReference | null;
  }[];
};

export type ObjectSummary = {
  object_type: string;
  name: string | null;
  singular_name: string | null;
  description: string | null;
  kind: 'built_in' | 'work_item' | 'default';
  category: string;
  display_field: string | null;
  capabilities: {
    search: boolean;
    create: boolean;
    update: boolean;
    delete: boolean;
  };
  /** Advisory; every request is authorised on its own. */
  permissions: {
    create: Permission;
    read: Permission;
    update: Permission;
    delete: Permission;
  };
};

export type Pagination = {
  /** Page size used for this response. */
  limit: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type Permission = {
  allowed: boolean;
  scopes: ('owned_by_user' | 'owned_by_team' | 'org_wide')[];
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
  /** Work items only. */
  public_id?: string;
  /** Work items only. */
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
};

export type RecordEvent = {
  /** The same each time the event is sent; says nothing else. */
  id: string;
  object_type: string;
  record_id: string;
  action: 'create' | 'update' | 'status' | 'delete' | 'link' | 'unlink';
  /** Keys of fields, or ids of relationships, that the user may read. */
  changed_fields: string[];
  user: {
    id: number;
  };
  occurred_at: string;
};

export type RecordList = {
  data: RecordData[];
  pagination: Pagination;
};

export type RecordResponse = {
  data: RecordData;
};

export type Relationship = {
  id: string;
  label: string | null;
  /** The related object type. */
  object_type: string;
  cardinality: 'one_to_one' | 'many_to_one' | 'one_to_many' | 'many_to_many';
  /** Whether the API can link and unlink. */
  can_link: boolean;
  source_field: string | null;
};

export type ResetEvent = {
  reason: 'too_far_behind' | 'database_recovered';
  message: string;
};

export type SearchHit = {
  object_type: string;
  id: string;
  display: string | null;
  subtitle: string | null;
  url: string | null;
};

export type Session = {
  id: string;
  /** When the person signed in. */
  created_at: string;
  last_used_at: string;
  expires_at: string;
};

export type SessionIdentity = {
  user: {
    id: number;
    name: string | null;
    email: string | null;
    title: string | null;
  };
  workspace: {
    id: number;
    slug: string;
    name: string;
  };
  api_key: null;
  session: Session;
  rate_limit: {
    requests_per_minute: number;
  };
};

export type StatusOperation = {
  action: 'status';
  id: string;
  status_id: string;
};

export type Team = {
  id: number;
  name: string | null;
  description: string | null;
  /** Active people only. */
  member_ids: number[];
};

export type UnlinkOperation = {
  action: 'unlink';
  id: string;
  /** Id of a relationship, such as `ref.company_id`. */
  association_id: string;
  target_id: string;
};

export type UpdateOperation = {
  action: 'update';
  id: string;
  /** Field key → value; fields of storage `jsonb` under `custom_fields`. */
  fields: { [key: string]: unknown };
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
  teams: {
    id: number;
    name: string | null;
  }[];
};

export type UserNotification = {
  id: string;
  /** `mention`; more may come. */
  kind: string;
  object_type: string;
  record_id: string;
  comment_id: string;
  author: Author;
  created_at: string | null;
  read_at: string | null;
};

export type Workflow = {
  id: string;
  key: string | null;
  name: string | null;
  statuses: {
    id: string;
    name: string | null;
    transitions: {
      id: string;
      name: string | null;
    }[];
  }[];
};

export type WorkflowReference = {
  id: string;
  key: string | null;
  name: string | null;
};

export type Problem = {
  param?: string;
  code: string;
  message: string;
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
    /** For people; may change. */
    message: string;
    /** Where the error is, for example `fields.name`. */
    param?: string;
    details?: {
      errors?: Problem[];
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
  | 'developer_access_revoked'
  | 'tenant_host_mismatch'
  | 'insufficient_scope'
  | 'cross_site_request'
  | 'fresh_sign_in_required'
  | 'permission_denied'
  | 'search_not_supported'
  | 'write_not_supported'
  | 'route_not_found'
  | 'object_not_available'
  | 'record_not_found'
  | 'user_not_found'
  | 'workflow_not_found'
  | 'comments_not_supported'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'conflict'
  | 'idempotency_key_in_use'
  | 'stale_record'
  | 'payload_too_large'
  | 'unsupported_media_type'
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
  /** Identify the API key or session: GET /me */
  getMe: {
    params: undefined;
    query: undefined;
    body: undefined;
    result: {
      data: KeyIdentity | SessionIdentity;
    };
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
    };
    body: undefined;
    result: {
      data: User[];
      pagination: Pagination;
    };
  };
  /** Retrieve a user: GET /users/{user_id} */
  getUser: {
    params: {
      user_id: number;
    };
    query: undefined;
    body: undefined;
    result: {
      data: User;
    };
  };
  /** List teams: GET /teams */
  listTeams: {
    params: undefined;
    query: undefined;
    body: undefined;
    result: {
      data: Team[];
    };
  };
  /** List object types: GET /objects */
  listObjects: {
    params: undefined;
    query: {
      /** Also return objects the user cannot read. */
      include_unreadable?: 'true' | 'false' | undefined;
    };
    body: undefined;
    result: {
      data: ObjectSummary[];
    };
  };
  /** Retrieve an object definition: GET /objects/{object_type} */
  getObject: {
    params: {
      object_type: string;
    };
    query: {
      /** Work items only: include the fields placed on this type. */
      work_item_type_id?: string | undefined;
    };
    body: undefined;
    result: {
      data: ObjectDefinition;
    };
  };
  /** Retrieve a workflow: GET /workflows/{workflow_id} */
  getWorkflow: {
    params: {
      workflow_id: string;
    };
    query: undefined;
    body: undefined;
    result: {
      data: Workflow;
    };
  };
  /** Retrieve the OpenAPI document of the workspace: GET /openapi.json */
  getOpenApi: {
    params: undefined;
    query: {
      workspace: 'true';
    };
    body: undefined;
    result: { [key: string]: unknown };
  };
  /** List records: GET /objects/{object_type}/records */
  listRecords: {
    params: {
      object_type: string;
    };
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
    };
    body: undefined;
    result: RecordList;
  };
  /** Search records: POST /objects/{object_type}/records/search */
  searchRecords: {
    params: {
      object_type: string;
    };
    query: undefined;
    body: {
      /** Case-insensitive match on the display field. */
      query?: string | undefined;
      /** Field key → filter; all are combined with AND, at most 16. */
      filters?: { [key: string]: unknown } | undefined;
      /** Field keys; identity properties only when left out. */
      fields?: readonly string[] | undefined;
      sort?:
        | readonly {
            field: string;
            direction?: 'asc' | 'desc' | undefined;
          }[]
        | undefined;
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
    };
    result: RecordList;
  };
  /** Aggregate records: POST /objects/{object_type}/records/aggregate */
  aggregateRecords: {
    params: {
      object_type: string;
    };
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
            /** A metric or a field of `group_by`. */
            name: string;
            direction: 'asc' | 'desc';
          }
        | undefined;
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
    };
    result: {
      data: Group[];
      pagination: Pagination;
    };
  };
  /** Create a record: POST /objects/{object_type}/records */
  createRecord: {
    params: {
      object_type: string;
    };
    query: undefined;
    body: {
      /** Field key → value; fields of storage `jsonb` under `custom_fields`. */
      fields: { [key: string]: unknown };
    };
    result: RecordResponse;
  };
  /** Retrieve a record: GET /objects/{object_type}/records/{record_id} */
  getRecord: {
    params: {
      object_type: string;
      record_id: string;
    };
    query: {
      /** Comma-separated field keys, at most 20. */
      fields?: string | undefined;
    };
    body: undefined;
    result: RecordResponse;
  };
  /** Update a record: PATCH /objects/{object_type}/records/{record_id} */
  updateRecord: {
    params: {
      object_type: string;
      record_id: string;
    };
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
    params: {
      object_type: string;
      record_id: string;
    };
    query: undefined;
    body: undefined;
    result: {
      data: {
        id: string;
        object_type: string;
        deleted: true;
        /**
         * Of a delete: how many records that the user may read lost a reference to it, by
         * object type.
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
    params: {
      object_type: string;
      record_id: string;
    };
    query: undefined;
    body: {
      status_id: string;
    };
    result: RecordResponse;
  };
  /**
   * Apply up to 100 operations, all or none: POST
   * /objects/{object_type}/records/batch
   */
  batchRecords: {
    params: {
      object_type: string;
    };
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
        results: {
          action: 'create' | 'update' | 'status' | 'delete' | 'upsert' | 'link' | 'unlink';
          /** The record that was written. */
          id: string;
          status: 'succeeded';
          /** The version after it; not of a delete. */
          version?: string;
          /** Of an upsert: made or updated. */
          created?: boolean;
          /**
           * Of a delete: how many records that the user may read lost a reference to it, by
           * object type.
           */
          cleared_references?: { [key: string]: number };
        }[];
      };
    };
  };
  /**
   * List the relationships of a record: GET
   * /objects/{object_type}/records/{record_id}/relationships
   */
  listRelationships: {
    params: {
      object_type: string;
      record_id: string;
    };
    query: undefined;
    body: undefined;
    result: {
      data: Relationship[];
    };
  };
  /**
   * List linked records: GET
   * /objects/{object_type}/records/{record_id}/relationships/{association_id}
   */
  listLinkedRecords: {
    params: {
      object_type: string;
      record_id: string;
      association_id: string;
    };
    query: {
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
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
    params: {
      object_type: string;
      record_id: string;
      association_id: string;
    };
    query: undefined;
    body: {
      target_id: string;
    };
    result: {
      data: {
        id: string;
        association_id: string;
        target_id: string;
        linked: boolean;
        /** The version of the record after it. */
        version: string;
      };
    };
  };
  /**
   * Unlink a record: DELETE
   * /objects/{object_type}/records/{record_id}/relationships/{association_id}/{target_id}
   */
  unlinkRecord: {
    params: {
      object_type: string;
      record_id: string;
      association_id: string;
      target_id: string;
    };
    query: undefined;
    body: undefined;
    result: {
      data: {
        id: string;
        association_id: string;
        target_id: string;
        linked: boolean;
        /** The version of the record after it. */
        version: string;
      };
    };
  };
  /**
   * List the comments of a record: GET
   * /objects/{object_type}/records/{record_id}/comments
   */
  listComments: {
    params: {
      object_type: string;
      record_id: string;
    };
    query: {
      /** Items on a page. */
      limit?: number | undefined;
      /** The `next_cursor` of the page before, with an otherwise equal request. */
      cursor?: string | undefined;
      /** `desc`: newest first; `asc`: oldest first. */
      order?: 'desc' | 'asc' | undefined;
    };
    body: undefined;
    result: {
      data: RecordComment[];
      pagination: Pagination;
    };
  };
  /** Comment on a record: POST /objects/{object_type}/records/{record_id}/comments */
  createComment: {
    params: {
      object_type: string;
      record_id: string;
    };
    query: undefined;
    body: {
      /** Plain text, kept as it is; not white space only. */
      body: string;
      /** Active members of the workspace; a repeated id counts once. */
      mention_user_ids?: readonly number[] | undefined;
    };
    result: {
      data: RecordComment;
    };
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
    };
    body: undefined;
    result: {
      data: UserNotification[];
      pagination: Pagination;
    };
  };
  /** Mark a notification as read: POST /notifications/{notification_id}/read */
  readNotification: {
    params: {
      notification_id: string;
    };
    query: undefined;
    body: undefined;
    result: {
      data: UserNotification;
    };
  };
  /** Stream live events: GET /events/stream */
  streamEvents: {
    params: undefined;
    query: undefined;
    body: undefined;
    result:
      | {
          event:
            | 'record.created'
            | 'record.updated'
            | 'record.deleted'
            | 'record.linked'
            | 'record.unlinked';
          /** To be sent as `Last-Event-ID`. */
          id?: string;
          data: RecordEvent;
        }
      | {
          event: 'comment.created';
          /** To be sent as `Last-Event-ID`. */
          id?: string;
          data: CommentEvent;
        }
      | {
          event: 'notification.created';
          /** To be sent as `Last-Event-ID`. */
          id?: string;
          data: UserNotification;
        }
      | {
          event: 'reset';
          /** To be sent as `Last-Event-ID`. */
          id?: string;
          data: ResetEvent;
        };
  };
  /** Search over all object types: GET /search */
  search: {
    params: undefined;
    query: {
      /** The text to look for; white space around it does not count. */
      q: string;
      /** Items on a page. */
      limit?: number | undefined;
    };
    body: undefined;
    result: {
      data: SearchHit[];
    };
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
    };
    result: {
      data: {
        session: Session;
        user: {
          id: number;
          name: string | null;
          email: string | null;
          title: string | null;
        };
        workspace: {
          id: number;
          slug: string;
          name: string;
        };
      };
    };
  };
  /** List sessions: GET /sessions */
  listSessions: {
    params: undefined;
    query: {
      user_id?: number | undefined;
    };
    body: undefined;
    result: {
      data: ListedSession[];
    };
  };
  /** End a session: DELETE /sessions/{session_id} */
  endSession: {
    params: {
      session_id: string;
    };
    query: undefined;
    body: undefined;
    result: {
      data: {
        id: string;
        ended: true;
      };
    };
  };
  /** Set or change your password: PUT /me/password */
  setPassword: {
    params: undefined;
    query: undefined;
    body: {
      password: string;
      current_password?: string | undefined;
    };
    result: {
      data: {
        /** How many others have ended. */
        ended_sessions: number;
      };
    };
  };
  /** Make a one-time link to sign in with: POST /users/{user_id}/sign_in_links */
  createSignInLink: {
    params: {
      user_id: number;
    };
    query: undefined;
    body: undefined;
    result: {
      data: {
        url: string;
        expires_at: string;
      };
    };
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
        providers: {
          id: string;
          name: string;
          start_url: string;
        }[];
        /** False over plain http, where nobody can sign in. */
        sessions: boolean;
      };
    };
  };
  /** Go to an identity provider: GET /sign_in/start */
  startSignIn: {
    params: undefined;
    query: {
      /** The slug of the workspace. */
      workspace: string;
      provider?: string | undefined;
    };
    body: undefined;
    result: unknown;
  };
  /** Come back from an identity provider: GET /sign_in/callback */
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
    result: unknown;
  };
}

/** How each route is called; `idempotent`: an Idempotency-Key makes a repetition safe. */
export const ENDPOINTS = {
  getMe: { method: 'GET', path: '/me', idempotent: false },
  listUsers: { method: 'GET', path: '/users', idempotent: false },
  getUser: { method: 'GET', path: '/users/{user_id}', idempotent: false },
  listTeams: { method: 'GET', path: '/teams', idempotent: false },
  listObjects: { method: 'GET', path: '/objects', idempotent: false },
  getObject: { method: 'GET', path: '/objects/{object_type}', idempotent: false },
  getWorkflow: { method: 'GET', path: '/workflows/{workflow_id}', idempotent: false },
  getOpenApi: { method: 'GET', path: '/openapi.json', idempotent: false },
  listRecords: { method: 'GET', path: '/objects/{object_type}/records', idempotent: false },
  searchRecords: {
    method: 'POST',
    path: '/objects/{object_type}/records/search',
    idempotent: false,
  },
  aggregateRecords: {
    method: 'POST',
    path: '/objects/{object_type}/records/aggregate',
    idempotent: false,
  },
  createRecord: { method: 'POST', path: '/objects/{object_type}/records', idempotent: true },
  getRecord: {
    method: 'GET',
    path: '/objects/{object_type}/records/{record_id}',
    idempotent: false,
  },
  updateRecord: {
    method: 'PATCH',
    path: '/objects/{object_type}/records/{record_id}',
    idempotent: true,
  },
  deleteRecord: {
    method: 'DELETE',
    path: '/objects/{object_type}/records/{record_id}',
    idempotent: false,
  },
  changeStatus: {
    method: 'POST',
    path: '/objects/{object_type}/records/{record_id}/status',
    idempotent: true,
  },
  batchRecords: { method: 'POST', path: '/objects/{object_type}/records/batch', idempotent: true },
  listRelationships: {
    method: 'GET',
    path: '/objects/{object_type}/records/{record_id}/relationships',
    idempotent: false,
  },
  listLinkedRecords: {
    method: 'GET',
    path: '/objects/{object_type}/records/{record_id}/relationships/{association_id}',
    idempotent: false,
  },
  linkRecord: {
    method: 'POST',
    path: '/objects/{object_type}/records/{record_id}/relationships/{association_id}',
    idempotent: true,
  },
  unlinkRecord: {
    method: 'DELETE',
    path: '/objects/{object_type}/records/{record_id}/relationships/{association_id}/{target_id}',
    idempotent: false,
  },
  listComments: {
    method: 'GET',
    path: '/objects/{object_type}/records/{record_id}/comments',
    idempotent: false,
  },
  createComment: {
    method: 'POST',
    path: '/objects/{object_type}/records/{record_id}/comments',
    idempotent: true,
  },
  listNotifications: { method: 'GET', path: '/notifications', idempotent: false },
  readNotification: {
    method: 'POST',
    path: '/notifications/{notification_id}/read',
    idempotent: false,
  },
  streamEvents: { method: 'GET', path: '/events/stream', idempotent: false },
  search: { method: 'GET', path: '/search', idempotent: false },
  createSession: { method: 'POST', path: '/sessions', idempotent: false },
  listSessions: { method: 'GET', path: '/sessions', idempotent: false },
  endSession: { method: 'DELETE', path: '/sessions/{session_id}', idempotent: false },
  setPassword: { method: 'PUT', path: '/me/password', idempotent: false },
  createSignInLink: { method: 'POST', path: '/users/{user_id}/sign_in_links', idempotent: false },
  listSignInMethods: { method: 'GET', path: '/sign_in_methods', idempotent: false },
  startSignIn: { method: 'GET', path: '/sign_in/start', idempotent: false },
  finishSignIn: { method: 'GET', path: '/sign_in/callback', idempotent: false },
} as const;

/** Operations that a batch may have. */
export const BATCH_OPERATIONS = 100;
