// The facts of the service that its clients repeat otherwise: what each type of field can do, limits of requests,
// tints, the rules of a gate that names none, and the forms of keys. All come from the code that enforces them.

import { LIMITS } from '../src/limits.ts';
import { KEY_PATTERN, OBJECT_TYPE_PATTERN } from '../src/model/definition/definition.ts';
import { OBJECT_ICONS } from '../src/model/definition/object-icons.ts';
import { WORKSPACE_SLUG_PATTERN } from '../src/model/definition/physical-names.ts';
import { TINTS, TINTS_BY_POSITION } from '../src/model/definition/tints.ts';
import { GATE_DEFAULTS, gateOperatorsOf } from '../src/model/rights/gate.ts';
import { MAIL_LANGUAGES } from '../src/model/rights/notification-kinds.ts';
import {
  FILTER_OPERATORS,
  type FieldTypeTraits,
  WHERE_OPERATORS,
} from '../src/model/values/field-type.ts';
import { FIELD_TYPE_TRAITS, type FieldType } from '../src/model/values/field-types.ts';
import { formatted } from './generate-client.ts';

/** Limits that a client has to know before it sends a request. */
const PUBLIC_LIMITS = [
  'aggregates',
  'applicationPathLength',
  'columnsOfView',
  'commentLength',
  'conditions',
  'expandedReferences',
  'filters',
  'importColumns',
  'inValues',
  'mergedRecords',
  'invitationHours',
  'matchKeys',
  'matchedTextMinimum',
  'mentions',
  'metrics',
  'mostApprovals',
  'pageSize',
  'passwordLength',
  'questions',
  'requestDays',
  'rollupConditions',
  'searchPageMaximum',
  'searchTextMinimum',
  'secretOverlapHours',
  'selectedFields',
  'sentFileBytes',
  'sortKeys',
  'textQueryLength',
  'tilesOfDashboard',
  'webhookConditions',
  'webhookHeaders',
  'whereLevels',
] as const satisfies readonly (keyof typeof LIMITS)[];

const HEADER = `// Made from the field types and limits of the service by scripts/generate.ts; changes here are lost.
`;

const TYPES = `
    /** The abilities of fields of a type. */
    export interface FieldTypeFacts {
      /** Operators of \`where\`. */
      readonly operators: readonly string[];
      /** Operators of the condition of a gate; none: a gate has no condition about such a field. */
      readonly gate_operators: readonly string[];
      /** Aggregates besides \`count\` and \`count_distinct\`; types with \`sum\` are numbers. */
      readonly aggregates: readonly ('sum' | 'avg' | 'min' | 'max')[];
      /** Types that a field can change to. */
      readonly becomes: readonly FieldType[];
      /** Guessed types of the columns of files that it takes; null: any. */
      readonly takes: readonly string[] | null;
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
      /** A record with such a field is a contact, and can be a contact card. */
      readonly contact: boolean;
    }
`;

function factsOf(traits: FieldTypeTraits<FieldType>) {
  return {
    operators: traits.whereOperators,
    gate_operators: gateOperatorsOf(traits.name),
    aggregates: traits.aggregates,
    becomes: Object.keys(traits.becomes).filter((name) => name !== traits.name),
    takes: traits.takes ?? null,
    words: traits.words,
    groupable: traits.groupable,
    sortable: traits.sortable,
    indexable: traits.indexable,
    textual: traits.textual,
    can_display: traits.canDisplay,
    time: traits.time ?? null,
    refers_to: traits.refersTo ?? null,
    list: traits.isList,
    value: traits.schema.type ?? null,
    contact: traits.card?.reaches ?? false,
  };
}

/** The text of packages/client/src/facts.ts. */
export function clientFacts(): string {
  const types = Object.values(FIELD_TYPE_TRAITS).map((traits) => [traits.name, factsOf(traits)]);
  const names = Object.keys(FIELD_TYPE_TRAITS).map((name) => `'${name}'`);
  const limits = PUBLIC_LIMITS.map((name) => [name, LIMITS[name]]);
  return formatted(`${HEADER}
    export type FieldType = ${names.join(' | ')};
    ${TYPES}
    export const FIELD_TYPES: Readonly<Record<FieldType, FieldTypeFacts>> =
      ${JSON.stringify(Object.fromEntries(types))};

    /** Operators that filters of a query string have, and those of conditions. */
    export const FILTER_OPERATORS = ${JSON.stringify(FILTER_OPERATORS)} as const;
    export const WHERE_OPERATORS = ${JSON.stringify(WHERE_OPERATORS)} as const;

    /** The limits of the service: counts, characters, bytes and hours, as their names say. */
    export const LIMITS = ${JSON.stringify(Object.fromEntries(limits))} as const;

    /** The languages of mails. */
    export const MAIL_LANGUAGES = ${JSON.stringify(MAIL_LANGUAGES)} as const;

    /** Names of the tints of options and statuses. */
    export const TINTS = ${JSON.stringify(TINTS)} as const;
    export type Tint = (typeof TINTS)[number];
    /** The tints of options without one, by their position; a workflow begins with gray. */
    export const TINTS_BY_POSITION: readonly Tint[] = ${JSON.stringify(TINTS_BY_POSITION)};

    /** Names of the icons of objects. */
    export const OBJECT_ICONS = ${JSON.stringify(OBJECT_ICONS)} as const;
    export type ObjectIcon = (typeof OBJECT_ICONS)[number];

    /** The rules of a gate that does not name them. */
    export const GATE_DEFAULTS = ${JSON.stringify(GATE_DEFAULTS)} as const;

    /** Patterns of the keys of fields and most entries of a definition, of object types and statuses, and of slugs. */
    export const KEY_PATTERN = ${JSON.stringify(KEY_PATTERN)};
    export const OBJECT_TYPE_PATTERN = ${JSON.stringify(OBJECT_TYPE_PATTERN)};
    export const WORKSPACE_SLUG_PATTERN = ${JSON.stringify(WORKSPACE_SLUG_PATTERN)};
  `);
}
