// The definition document in the words of its files, as far as the pages of the data model change it, and how one of
// its entries is found. Pure.

import type { FieldType, ObjectIcon } from '@workspace-records/client';

export type Entries<Value> = Readonly<Record<string, Value>>;

export interface OptionEntry {
  readonly value: string;
  readonly label?: string;
  readonly color?: string;
}

/** The type of a field in a document; a formula has that of its result besides, a rollup that of other records. */
export type EntryType = FieldType | 'formula' | 'rollup';

export interface FieldEntry {
  readonly name?: string;
  readonly renamed_from?: string;
  readonly description?: string;
  readonly section?: string;
  readonly type: EntryType;
  readonly expression?: string;
  readonly result_type?: FieldType;
  readonly rollup?: RollupEntry;
  readonly required?: boolean;
  readonly editable?: boolean;
  readonly storage?: 'physical' | 'jsonb';
  readonly indexed?: boolean;
  readonly unique?: boolean;
  readonly searchable?: boolean;
  readonly default?: unknown;
  readonly options?: readonly OptionEntry[];
  readonly reference_object_type?: string;
  readonly on_delete?: 'clear' | 'restrict';
  readonly currency?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly scale?: number;
  readonly multiple?: boolean;
  readonly types?: readonly string[];
  readonly max_bytes?: number;
}

/** The values of the records that refer to a record, as one value. */
export interface RollupEntry {
  readonly reference: { readonly object_type: string; readonly field: string };
  readonly op: 'count' | 'sum' | 'min' | 'max' | 'last';
  readonly field?: string;
  /** Only records that meet all conditions. */
  readonly where?: readonly GateCondition[];
}

export const CATEGORIES = ['crm', 'work', 'catalog', 'custom'] as const;
export type Category = (typeof CATEGORIES)[number];

export interface ObjectEntry {
  readonly name: string;
  readonly renamed_from?: string;
  readonly singular_name: string;
  readonly description?: string;
  readonly category?: Category;
  readonly icon?: ObjectIcon;
  readonly listed?: boolean;
  readonly display_field?: string | null;
  readonly subtitle_field?: string;
  readonly searchable?: boolean;
  readonly owned?: boolean;
  readonly workflow?: string;
  readonly comments?: true;
  readonly history?: { readonly keep: string };
  readonly capabilities?: Partial<Record<'create' | 'update' | 'delete', boolean>>;
  readonly trash?: { readonly keep: string };
  readonly field_order?: readonly string[];
  readonly fields: Entries<FieldEntry>;
}

/** The history and the trash of an object that is set up in the application (D936). */
export const KEEPING = { history: { keep: '365d' }, trash: { keep: '30d' } } as const;

/** Settings of an object that is made in the application. */
export const NEW_OBJECT = { comments: true, ...KEEPING } as const;

export const CARDINALITIES = ['many_to_many', 'many_to_one', 'one_to_many', 'one_to_one'] as const;
export type Cardinality = (typeof CARDINALITIES)[number];

export interface RelationshipEntry {
  readonly name: string;
  readonly renamed_from?: string;
  readonly kind: 'association' | 'link';
  readonly from: string;
  readonly to: string;
  readonly cardinality: Cardinality;
}

export interface Approvers {
  readonly users?: readonly string[];
  readonly teams?: readonly string[];
}

/** A condition on a record, of a gate or of a rollup. */
export interface GateCondition {
  readonly field: string;
  readonly op: string;
  readonly value?: unknown;
}

/** A move that needs approval. */
export interface GateEntry {
  readonly to: string;
  readonly approvers: Approvers;
  readonly required?: number;
  readonly from?: 'any' | 'each';
  readonly when?: GateCondition;
  readonly self_approval?: boolean;
  readonly expires_days?: number;
}

export type TransitionEntry = string | GateEntry;

export interface StatusEntry {
  readonly name: string;
  readonly renamed_from?: string;
  readonly color?: string;
  readonly category?: string;
  readonly transitions?: readonly TransitionEntry[];
}

export interface WorkflowEntry {
  readonly name: string;
  readonly initial: string;
  readonly status_order?: readonly string[];
  readonly statuses: Entries<StatusEntry>;
}

export interface WorkItemTypeEntry {
  readonly name: string;
  readonly prefix: string;
  readonly workflow: string;
  readonly active?: boolean;
  readonly fields?: readonly string[];
}

export type Reach = 'own' | 'team' | 'organisation';

export interface GrantEntry {
  readonly create?: Reach;
  readonly read?: Reach;
  readonly update?: Reach;
  readonly delete?: Reach;
  readonly fields?: Entries<string>;
}

export interface RoleEntry {
  readonly name?: string;
  readonly renamed_from?: string;
  readonly administrator?: boolean;
  readonly objects?: Entries<GrantEntry>;
}

export interface DefinitionDocument {
  readonly name?: string;
  readonly objects: Entries<ObjectEntry>;
  readonly relationships?: Entries<RelationshipEntry>;
  readonly workflows?: Entries<WorkflowEntry>;
  readonly work_item_types?: Entries<WorkItemTypeEntry>;
  readonly roles?: Entries<RoleEntry>;
  readonly users?: Entries<{ readonly name?: string; readonly active?: boolean }>;
  readonly teams?: Entries<unknown>;
}

/** The path of an entry in the document, such as `['objects', 'deals', 'fields', 'amount']`. */
export type Path = readonly string[];

export function isEntries(value: unknown): value is Entries<unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function valueAt(document: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) => (isEntries(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    document,
  );
}

/** A copy of the document with the value at the path; undefined removes it. New entries come last. */
export function withValue<Document>(document: Document, path: Path, value: unknown): Document {
  const [key, ...rest] = path;
  if (key === undefined) return value as Document;
  const entries: Entries<unknown> = isEntries(document) ? document : {};
  const next = rest.length === 0 ? value : withValue(entries[key] ?? {}, rest, value);
  if (next !== undefined) return { ...entries, [key]: next } as Document;
  const { [key]: _, ...others } = entries;
  return others as Document;
}

/** The keys in the order that people see: first the keys that `order` names. */
export function orderedKeys(
  entries: Entries<unknown>,
  order: readonly string[] = [],
): readonly string[] {
  const first = order.filter((key) => Object.hasOwn(entries, key));
  const named = new Set(first);
  return [...first, ...Object.keys(entries).filter((key) => !named.has(key))];
}

export function targetOf(transition: TransitionEntry): string {
  return typeof transition === 'string' ? transition : transition.to;
}

/** Objects of the specification: their type says what they are, so they keep it. */
const BUILT_IN: ReadonlySet<string> = new Set([
  ...['companies', 'contacts', 'deals', 'meetings', 'events', 'products', 'work_items'],
]);

export function isBuiltIn(objectType: string): boolean {
  return BUILT_IN.has(objectType);
}
