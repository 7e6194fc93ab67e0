// Made from the field types and limits of the service by scripts/generate.ts; changes here are lost.

export type FieldType =
  | 'text'
  | 'long_text'
  | 'number'
  | 'integer'
  | 'currency'
  | 'percent'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'select'
  | 'multi_select'
  | 'email'
  | 'phone'
  | 'url'
  | 'reference'
  | 'user'
  | 'json'
  | 'file';

/** The abilities of fields of a type. */
export interface FieldTypeFacts {
  /** Operators of `where`. */
  readonly operators: readonly string[];
  /** Operators of the condition of a gate; none: a gate has no condition about such a field. */
  readonly gate_operators: readonly string[];
  /** Aggregates besides `count` and `count_distinct`; types with `sum` are numbers. */
  readonly aggregates: readonly ('sum' | 'avg' | 'min' | 'max')[];
  /** Types that a field can change to. */
  readonly becomes: readonly FieldType[];
  /** Words of a definition that only some types understand. */
  readonly words: readonly string[];
  readonly groupable: boolean;
  readonly sortable: boolean;
  readonly indexable: boolean;
  /** Values are stored as text. */
  readonly textual: boolean;
  /** A display field can have the type. */
  readonly can_display: boolean;
  readonly time: 'day' | 'moment' | null;
  readonly refers_to: 'record' | 'user' | null;
  /** A value is a list. */
  readonly list: boolean;
  /** The type of a value in JSON; null: any. */
  readonly value: 'string' | 'number' | 'integer' | 'boolean' | 'array' | null;
}

export const FIELD_TYPES: Readonly<Record<FieldType, FieldTypeFacts>> = {
  text: {
    operators: [
      'eq',
      'ne',
      'lt',
      'lte',
      'gt',
      'gte',
      'in',
      'is_null',
      'not_in',
      'between',
      'contains',
      'starts_with',
      'ends_with',
    ],
    gate_operators: ['eq', 'ne', 'in', 'is_null', 'not_in'],
    aggregates: ['min', 'max'],
    becomes: [
      'long_text',
      'number',
      'currency',
      'percent',
      'integer',
      'date',
      'select',
      'email',
      'phone',
      'url',
    ],
    words: ['minLength', 'maxLength', 'pattern', 'searchable'],
    groupable: true,
    sortable: true,
    indexable: true,
    textual: true,
    can_display: true,
    time: null,
    refers_to: null,
    list: false,
    value: 'string',
  },
  long_text: {
    operators: [
      'eq',
      'ne',
      'lt',
      'lte',
      'gt',
      'gte',
      'in',
      'is_null',
      'not_in',
      'between',
      'contains',
      'starts_with',
      'ends_with',
    ],
    gate_operators: ['eq', 'ne', 'in', 'is_null', 'not_in'],
    aggregates: ['min', 'max'],
    becomes: ['text'],
    words: ['minLength', 'maxLength', 'pattern', 'searchable'],
    groupable: true,
    sortable: true,
    indexable: false,
    textual: true,
    can_display: true,
    time: null,
    refers_to: null,
    list: false,
    value: 'string',
  },
  number: {
    operators: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is_null', 'not_in', 'between'],
    gate_operators: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is_null', 'not_in', 'between'],
    aggregates: ['sum', 'avg', 'min', 'max'],
    becomes: ['currency', 'percent', 'integer', 'text'],
    words: ['minimum', 'maximum', 'scale'],
    groupable: true,
    sortable: true,
    indexable: true,
    textual: false,
    can_display: false,
    time: null,
    refers_to: null,
    list: false,
    value: 'number',
  },
  integer: {
    operators: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is_null', 'not_in', 'between'],
    gate_operators: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is_null', 'not_in', 'between'],
    aggregates: ['sum', 'avg', 'min', 'max'],
    becomes: ['number', 'currency', 'percent', 'text'],
    words: ['minimum', 'maximum'],
    groupable: true,
    sortable: true,
    indexable: true,
    textual: false,
    can_display: false,
    time: null,
    refers_to: null,
    list: false,
    value: 'integer',
  },
  currency: {
    operators: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is_null', 'not_in', 'between'],
    gate_operators: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is_null', 'not_in', 'between'],
    aggregates: ['sum', 'avg', 'min', 'max'],
    becomes: ['number', 'percent', 'integer', 'text'],
    words: ['minimum', 'maximum', 'scale', 'currency'],
    groupable: true,
    sortable: true,
    indexable: true,
    textual: false,
    can_display: false,
    time: null,
    refers_to: null,
    list: false,
    value: 'number',
  },
  percent: {
    operators: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is_null', 'not_in', 'between'],
    gate_operators: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is_null', 'not_in', 'between'],
    aggregates: ['sum', 'avg', 'min', 'max'],
    becomes: ['number', 'currency', 'integer', 'text'],
    words: ['minimum', 'maximum', 'scale'],
    groupable: true,
    sortable: true,
    indexable: true,
    textual: false,
    can_display: false,
    time: null,
    refers_to: null,
    list: false,
    value: 'number',
  },
  boolean: {
    operators: ['eq', 'ne', 'in', 'is_null', 'not_in'],
    gate_operators: ['eq', 'ne', 'in', 'is_null', 'not_in'],
    aggregates: [],
    becomes: [],
    words: [],
    groupable: true,
    sortable: true,
    indexable: true,
    textual: false,
    can_display: false,
    time: null,
    refers_to: null,
    list: false,
    value: 'boolean',
  },
  date: {
    operators: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is_null', 'not_in', 'between'],
    gate_operators: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is_null', 'not_in', 'between'],
    aggregates: ['min', 'max'],
    becomes: ['datetime', 'text'],
    words: [],
    groupable: true,
    sortable: true,
    indexable: true,
    textual: false,
    can_display: false,
    time: 'day',
    refers_to: null,
    list: false,
    value: 'string',
  },
  datetime: {
    operators: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is_null', 'not_in', 'between'],
    gate_operators: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is_null', 'not_in', 'between'],
    aggregates: ['min', 'max'],
    becomes: ['date'],
    words: [],
    groupable: true,
    sortable: true,
    indexable: true,
    textual: false,
    can_display: false,
    time: 'moment',
    refers_to: null,
    list: false,
    value: 'string',
  },
  select: {
    operators: ['eq', 'ne', 'in', 'is_null', 'not_in'],
    gate_operators: ['eq', 'ne', 'in', 'is_null', 'not_in'],
    aggregates: [],
    becomes: ['text', 'long_text'],
    words: ['options'],
    groupable: true,
    sortable: true,
    indexable: true,
    textual: true,
    can_display: false,
    time: null,
    refers_to: null,
    list: false,
    value: 'string',
  },
  multi_select: {
    operators: ['eq', 'in', 'is_null', 'has_any', 'has_all', 'has_none'],
    gate_operators: ['eq', 'in', 'is_null', 'has_any', 'has_all', 'has_none'],
    aggregates: [],
    becomes: [],
    words: ['options'],
    groupable: false,
    sortable: false,
    indexable: false,
    textual: false,
    can_display: false,
    time: null,
    refers_to: null,
    list: true,
    value: 'string',
  },
  email: {
    operators: [
      'eq',
      'ne',
      'lt',
      'lte',
      'gt',
      'gte',
      'in',
      'is_null',
      'not_in',
      'between',
      'contains',
      'starts_with',
      'ends_with',
    ],
    gate_operators: ['eq', 'ne', 'in', 'is_null', 'not_in'],
    aggregates: ['min', 'max'],
    becomes: ['text', 'long_text'],
    words: ['minLength', 'maxLength', 'pattern', 'searchable'],
    groupable: true,
    sortable: true,
    indexable: true,
    textual: true,
    can_display: true,
    time: null,
    refers_to: null,
    list: false,
    value: 'string',
  },
  phone: {
    operators: [
      'eq',
      'ne',
      'lt',
      'lte',
      'gt',
      'gte',
      'in',
      'is_null',
      'not_in',
      'between',
      'contains',
      'starts_with',
      'ends_with',
    ],
    gate_operators: ['eq', 'ne', 'in', 'is_null', 'not_in'],
    aggregates: ['min', 'max'],
    becomes: ['text', 'long_text'],
    words: ['minLength', 'maxLength', 'pattern', 'searchable'],
    groupable: true,
    sortable: true,
    indexable: true,
    textual: true,
    can_display: true,
    time: null,
    refers_to: null,
    list: false,
    value: 'string',
  },
  url: {
    operators: [
      'eq',
      'ne',
      'lt',
      'lte',
      'gt',
      'gte',
      'in',
      'is_null',
      'not_in',
      'between',
      'contains',
      'starts_with',
      'ends_with',
    ],
    gate_operators: ['eq', 'ne', 'in', 'is_null', 'not_in'],
    aggregates: ['min', 'max'],
    becomes: ['text', 'long_text'],
    words: ['minLength', 'maxLength', 'pattern', 'searchable'],
    groupable: true,
    sortable: true,
    indexable: true,
    textual: true,
    can_display: true,
    time: null,
    refers_to: null,
    list: false,
    value: 'string',
  },
  reference: {
    operators: ['eq', 'ne', 'in', 'is_null', 'not_in'],
    gate_operators: [],
    aggregates: [],
    becomes: [],
    words: ['reference_object_type', 'on_delete'],
    groupable: true,
    sortable: true,
    indexable: true,
    textual: false,
    can_display: false,
    time: null,
    refers_to: 'record',
    list: false,
    value: 'string',
  },
  user: {
    operators: ['eq', 'ne', 'in', 'is_null', 'not_in'],
    gate_operators: [],
    aggregates: [],
    becomes: [],
    words: [],
    groupable: true,
    sortable: true,
    indexable: true,
    textual: false,
    can_display: false,
    time: null,
    refers_to: 'user',
    list: false,
    value: 'integer',
  },
  json: {
    operators: ['is_null'],
    gate_operators: [],
    aggregates: [],
    becomes: [],
    words: [],
    groupable: false,
    sortable: false,
    indexable: false,
    textual: false,
    can_display: false,
    time: null,
    refers_to: null,
    list: false,
    value: null,
  },
  file: {
    operators: ['is_null'],
    gate_operators: [],
    aggregates: [],
    becomes: [],
    words: ['multiple', 'types', 'max_bytes'],
    groupable: false,
    sortable: false,
    indexable: false,
    textual: false,
    can_display: false,
    time: null,
    refers_to: null,
    list: false,
    value: 'array',
  },
};

/** Operators that filters of a query string have, and those of conditions. */
export const FILTER_OPERATORS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is_null'] as const;
export const WHERE_OPERATORS = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'is_null',
  'not_in',
  'between',
  'contains',
  'starts_with',
  'ends_with',
  'has_any',
  'has_all',
  'has_none',
] as const;

/** The limits of the service: counts, characters, bytes and hours, as their names say. */
export const LIMITS = {
  aggregates: 12,
  applicationPathLength: 1000,
  columnsOfView: 100,
  commentLength: 10000,
  conditions: 32,
  expandedReferences: 4,
  filters: 16,
  importColumns: 2000,
  inValues: 100,
  invitationHours: { minimum: 1, byDefault: 168, maximum: 720 },
  matchKeys: 3,
  matchedTextMinimum: 3,
  mentions: 20,
  metrics: 8,
  mostApprovals: 100,
  pageSize: { minimum: 1, maximum: 100 },
  passwordLength: { minimum: 12, maximum: 200 },
  questions: 10,
  requestDays: { byDefault: 30, maximum: 365 },
  searchPageMaximum: 30,
  searchTextMinimum: 2,
  secretOverlapHours: 168,
  selectedFields: 20,
  sentFileBytes: 33554432,
  sortKeys: 3,
  textQueryLength: 200,
  tilesOfDashboard: 12,
  webhookConditions: 8,
  webhookHeaders: 5,
  whereLevels: 5,
} as const;

/** The languages of mails. */
export const MAIL_LANGUAGES = ['en', 'de'] as const;

/** Names of the tints of options and statuses. */
export const TINTS = [
  'gray',
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'indigo',
  'purple',
  'pink',
] as const;
export type Tint = (typeof TINTS)[number];
/** The tints of options without one, by their position; a workflow begins with gray. */
export const TINTS_BY_POSITION: readonly Tint[] = [
  'blue',
  'orange',
  'green',
  'purple',
  'teal',
  'pink',
  'yellow',
  'indigo',
  'gray',
  'red',
];

/** The rules of a gate that does not name them. */
export const GATE_DEFAULTS = {
  required: 1,
  from: 'any',
  self_approval: false,
  expires_days: 30,
} as const;

/** Patterns of the keys of fields and most entries of a definition, of object types and statuses, and of slugs. */
export const KEY_PATTERN = '^[a-z][a-z0-9_]{0,49}$';
export const OBJECT_TYPE_PATTERN = '^[a-z0-9][a-z0-9_-]{0,99}$';
export const WORKSPACE_SLUG_PATTERN = '^[a-z0-9][a-z0-9-]{0,39}$';
