// The types of calls that follow from the fields of an object. This file has types only.

import type { Filter, FilterScalar } from './filters.ts';
import type { RecordData } from './schema.ts';

/** The fields of an object as records have them and as writes take them. */
export interface ObjectFields {
  /** All fields; those of storage `jsonb` under `custom_fields`. */
  readonly read: object;
  /** Fields that can be written; those without `?` are needed by a create. */
  readonly write: object;
  /** The objects that references lead to, by the key of the field. */
  readonly references?: object;
}

/** An object of unknown fields. */
export interface AnyFields {
  readonly read: { [key: string]: unknown };
  readonly write: { [key: string]: unknown };
}

/** Unknown objects. */
export interface AnyObjects {
  readonly [objectType: string]: AnyFields;
}

type CustomOf<Fields extends ObjectFields> = Fields['read'] extends { custom_fields: infer Custom }
  ? Custom
  : // biome-ignore lint/complexity/noBannedTypes: an object without keys.
    {};

/** Keys that can be filtered and sorted by. */
export type PhysicalKey<Fields extends ObjectFields> = Exclude<
  keyof Fields['read'] & string,
  'custom_fields'
>;

type CustomKey<Fields extends ObjectFields> = keyof CustomOf<Fields> & string;

/** Keys that `fields` can name. */
export type FieldKey<Fields extends ObjectFields> = PhysicalKey<Fields> | CustomKey<Fields>;

/** The fields of a record that was requested with these keys. */
export type Selected<Fields extends ObjectFields, Key extends string> = Pick<
  Fields['read'],
  Key & PhysicalKey<Fields> & keyof Fields['read']
> &
  ([Key & CustomKey<Fields>] extends [never]
    ? unknown
    : { custom_fields: Pick<CustomOf<Fields>, Key & CustomKey<Fields> & keyof CustomOf<Fields>> });

/** The known properties of a record without fields. */
export type RecordIdentity = Omit<RecordData, 'fields'>;

/** A record with these fields. */
export type RecordWith<Values> = RecordIdentity & { fields: Values };

/** A record of a list: with fields when the request names some. */
export type ListedRecord<Fields extends ObjectFields, Key extends string> = [Key] extends [never]
  ? RecordIdentity
  : RecordWith<Selected<Fields, Key>>;

/** A record by itself: every readable field, or the requested ones. */
export type SingleRecord<Fields extends ObjectFields, Key extends string> = RecordWith<
  [Key] extends [never] ? Fields['read'] : Selected<Fields, Key>
>;

/** The fields of an update: any of them. */
export type Changes<Fields extends ObjectFields> = {
  readonly [Key in keyof Fields['write']]?: Key extends 'custom_fields'
    ? Partial<Fields['write'][Key]>
    : Fields['write'][Key];
};

/** The statuses of an object, when they are known. */
export type StatusOf<Fields extends ObjectFields> = Fields['read'] extends { status: infer Status }
  ? Status & string
  : string;

type ScalarOf<Value> = unknown extends Value
  ? FilterScalar
  : NonNullable<Value> extends readonly (infer Item)[]
    ? Item & FilterScalar
    : Extract<Value, FilterScalar>;

/** Filters by field key; all are combined with AND. */
export type Filters<Fields extends ObjectFields> = {
  readonly [Key in PhysicalKey<Fields>]?:
    | Filter<Key extends keyof Fields['read'] ? ScalarOf<Fields['read'][Key]> : FilterScalar>
    | undefined;
};
