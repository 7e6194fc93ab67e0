// Rows as contact cards (vCard 4.0, RFC 6350): the fields that a card has a property for, by their types and names, the
// same names by which imports of cards find fields (D881). Pure.

import { type Concept, conceptOf } from '../../packages/tables/src/concepts.ts';
import type { Field } from '../model/definition/model.ts';
import { escaped, folded } from '../model/text/content-lines.ts';
import { FIELD_TYPE_TRAITS } from '../model/values/field-types.ts';
import { cellValue, type Layout, type RowBatch } from './row-text.ts';

type Row = RowBatch['rows'][number];

/** Properties of one value, and of several in their order. */
const SINGLE: readonly (readonly [property: string, concept: Concept])[] = [
  ...([
    ['ORG', 'company'],
    ['TITLE', 'jobTitle'],
    ['BDAY', 'birthday'],
  ] as const),
  ['NOTE', 'description'],
];
const NAME = ['lastName', 'firstName'] as const;
const ADDRESS = ['street', 'city', 'region', 'postalCode', 'country'] as const;

/** `display`: the key of the field with the name; a card without a name has another value in its place. */
export async function* cardPieces(
  layout: Layout,
  batches: AsyncIterable<RowBatch>,
  display: string | null,
): AsyncGenerator<string> {
  const columns = layout.fields.map((field) => ({
    ...{ field, traits: FIELD_TYPE_TRAITS[field.type], isName: field.key === display },
    concept: conceptOf(field.key) ?? conceptOf(field.name),
  }));
  for await (const { rows, names } of batches) {
    yield rows
      .map((row) => cardText(columns, (field) => textOf(layout, row, field, names)))
      .join('');
  }
}

/** '' without a value, and for a record without a name of its own. */
function textOf(layout: Layout, row: Row, field: Field, names: RowBatch['names']): string {
  const { value, isName } = cellValue(layout, row, field, names);
  const { refersTo, printCell } = FIELD_TYPE_TRAITS[field.type];
  return value === null || (refersTo === 'record' && !isName) ? '' : printCell(value).trim();
}

interface CardColumn {
  readonly field: Field;
  readonly traits: (typeof FIELD_TYPE_TRAITS)[Field['type']];
  readonly concept: Concept | undefined;
  readonly isName: boolean;
}

function cardText(columns: readonly CardColumn[], textOf: (field: Field) => string): string {
  const values = new Map<Concept, string>();
  const reaching: (readonly [property: string, text: string])[] = [];
  let name = '';
  let id = '';
  for (const { field, traits, concept, isName } of columns) {
    const text = textOf(field);
    if (field.key === 'id') id = text;
    else if (text === '' || traits.isAnyJson) continue;
    else if (isName) name = text;
    else if (traits.card !== undefined) {
      const kind = traits.card.property === 'TEL' && concept === 'mobile' ? ';TYPE=cell' : '';
      reaching.push([traits.card.property + kind, text]);
    } else if (concept !== undefined && !values.has(concept)) values.set(concept, text);
  }
  const parts = (concepts: readonly Concept[]) => concepts.map((one) => values.get(one) ?? '');
  const [last = '', first = ''] = parts(NAME);
  // Without N some address books file a card under its company: a name without parts is a given one there (D945).
  const hasParts = columns.some(({ concept }) => NAME.some((part) => part === concept));
  const nameParts = hasParts ? [last, first] : ['', name];
  name ||= `${first} ${last}`.trim() || (reaching[0]?.[1] ?? id);
  const lines = [
    ...['BEGIN:VCARD', 'VERSION:4.0'],
    ...(id === '' ? [] : [`UID:urn:uuid:${id}`]),
    `FN:${escaped(name)}`,
    ...joined('N', nameParts, ['', '', '']),
    ...reaching.map(
      ([property, text]) => property + (property === 'URL' ? `:${text}` : `:${escaped(text)}`),
    ),
    ...joined('ADR', ['', '', ...parts(ADDRESS)], []),
    ...SINGLE.flatMap(([property, concept]) => {
      const text = values.get(concept) ?? '';
      return text === ''
        ? []
        : [`${property}:${property === 'BDAY' ? dayOf(text) : escaped(text)}`];
    }),
    'END:VCARD',
  ];
  return lines.map(folded).join('');
}

function joined(property: string, texts: readonly string[], rest: readonly string[]) {
  if (texts.every((text) => text === '')) return [];
  return [`${property}:${[...texts.map(escaped), ...rest].join(';')}`];
}

/** `19850131`; another text than a day stays. */
function dayOf(text: string): string {
  return /^\d{4}-\d\d-\d\d/.test(text) ? text.slice(0, 10).replaceAll('-', '') : escaped(text);
}
