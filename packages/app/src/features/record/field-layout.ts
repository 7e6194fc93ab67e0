// Where the fields of a record are shown: a few key facts in its head, the others in sections. Pure.

import type { Field, ObjectDefinition, RecordData } from '@workspace-records/client';
import { firstFields, kindOf } from '../../fields/kinds.ts';
import { isLong } from '../../lib/field-facts.ts';
import { fieldValue } from '../../lib/field-value.ts';
import { OWNER_KEY } from '../../lib/schema-queries.ts';

export interface FieldSection {
  /** Undefined: the section of the fields without one. */
  readonly name: string | undefined;
  readonly fields: readonly Field[];
}

export interface FieldLayout {
  /** The owner first. */
  readonly facts: readonly Field[];
  readonly sections: readonly FieldSection[];
}

type LaidOut = Pick<ObjectDefinition, 'fields' | 'display_field'>;

/** Besides the owner. */
const MOST_FACTS = 4;
/** Fields that are shown elsewhere on the page, or have no meaning to people. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'id',
  'public_id',
  'status',
  'custom_status_id',
  'created_at',
  'updated_at',
]);
/** The name of a record is its heading where people can edit it there. */
export function isHeading({ display_field }: LaidOut, field: Field): boolean {
  const { control, input } = kindOf(field).edit;
  return field.key === display_field && control === 'line' && input === undefined;
}

export function layoutOf(object: LaidOut): FieldLayout {
  const shown = object.fields.filter(
    (field) => !ELSEWHERE.has(field.key) && !isHeading(object, field),
  );
  const facts = factsOf(shown);
  const others = shown.filter((field) => !facts.includes(field));
  const named = new Set(others.flatMap((field) => sectionOf(field) ?? []));
  // Fields without a section come first.
  const sections = [undefined, ...named].flatMap((name) => {
    const fields = others.filter((field) => sectionOf(field) === name);
    if (fields.length === 0) return [];
    return [{ name, fields: fields.toSorted((one, other) => wideLast(one) - wideLast(other)) }];
  });
  return { facts, sections };
}

/** The facts: one field of each type before a second one of any, in the order of the definition. */
function factsOf(fields: readonly Field[]): readonly Field[] {
  const possible = fields.filter(({ key }) => key !== OWNER_KEY);
  const chosen = new Set(firstFields(possible, 'head').slice(0, MOST_FACTS));
  const owner = fields.filter(({ key }) => key === OWNER_KEY);
  return [...owner, ...fields.filter((field) => chosen.has(field))];
}

function sectionOf({ section }: Field): string | undefined {
  return section ?? undefined;
}

function wideLast(field: Field): number {
  return isLong(field) ? 1 : 0;
}

/** The most empty fields that are not folded away. */
const FEW = 2;

/** The fields that are folded away: those without a value, where they are more than a few. */
export function foldedFields(
  sections: readonly FieldSection[],
  record: RecordData,
  kept: (field: Field) => boolean,
): ReadonlySet<string> {
  const empty = sections
    .flatMap(({ fields }) => fields)
    .filter((field) => isEmpty(fieldValue(record, field)) && !kept(field));
  return new Set(empty.length > FEW ? empty.map(({ key }) => key) : []);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
