// The shape of a mapping: which column of a file becomes which field, and how. It is the same for the file of a
// mapping, import/mapping/mapping.ts, and for imports over HTTP. The names in it are checked with the file.

import Type from 'typebox';
import { ENCODINGS } from '../../../packages/tables/src/encoding-names.ts';
import { LIMITS } from '../../limits.ts';
import { OBJECT_TYPE_PATTERN } from '../definition/definition.ts';

const closed = { additionalProperties: false } as const;

const FieldName = Type.String({
  pattern: '^(custom_fields\\.)?[a-z][a-z0-9_]{0,49}$',
  description:
    'A field key, custom_fields.<key>, id, status, owner_user_id, created_at, updated_at, ' +
    'created_by_user_id; for work items public_id. Of comments: id, record_id, body, ' +
    'author_user_id, created_at, updated_at, mention_user_ids.',
});

const maxLength = LIMITS.mappingTextLength;
const MappedText = Type.String({ minLength: 1, maxLength });

const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

const conversions = {
  values: Type.Optional(
    Type.Record(Type.String(), Value, {
      description: 'Value in the file → value to use instead; of a list, also for each item.',
    }),
  ),
  lookup: Type.Optional(
    Type.Object(
      {
        object_type: Type.String({ pattern: OBJECT_TYPE_PATTERN }),
        field: Type.String({ description: 'The field whose value the file has; exact match.' }),
      },
      { ...closed, description: 'References: find the record that has the value.' },
    ),
  ),
  user: Type.Optional(
    Type.Enum(['email', 'name'], {
      description: 'Users: find the person or agent, somebody active first.',
    }),
  ),
  fallback: Type.Optional({
    ...Value,
    description: 'For users and lookups: the value when there is no match; null: no value.',
  }),
  replace: Type.Optional(
    Type.Array(Type.Object({ text: MappedText, with: Type.String({ maxLength }) }, closed), {
      minItems: 1,
      maxItems: 20,
      description: 'Text in the file → other text, one after the other, before `values`.',
    }),
  ),
  time: Type.Optional(
    Type.Enum(['seconds', 'milliseconds'], {
      description: 'Dates and times: the file has the number of these since 1970, in UTC.',
    }),
  ),
  format: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: LIMITS.timeFormatLength,
      description:
        'Dates and times: how the file writes them, such as DD.MM.YYYY or M/D/YY h:mm A.',
    }),
  ),
  first_year: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 9900 },
      description:
        'Dates and times of a format with YY: the first of the hundred years that two digits mean, ' +
        'such as 1930; 1970 by default.',
    }),
  ),
  timezone: Type.Optional(
    Type.String({
      maxLength: LIMITS.timezoneLength,
      description: 'Times: whose times those without an offset are, such as Europe/Berlin.',
    }),
  ),
  round: Type.Optional(
    Type.Boolean({
      description: 'Numbers: to the decimals of the field, a half away from zero.',
    }),
  ),
  separator: Type.Optional(
    Type.String({
      ...MappedText,
      description:
        'multi_select and mention_user_ids: between values, ";" by default. ' +
        'A list for a text field is joined with it, "; " by default.',
    }),
  ),
};

export const Column = Type.Object(
  { field: FieldName, ...conversions },
  { ...closed, $id: 'ImportColumn' },
);

const Made = Type.Object(
  {
    template: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LIMITS.mappingTemplateLength,
        description:
          'Text with {column} in it. A part in […] is left out when a column in it is empty.',
      }),
    ),
    constant: Type.Optional(Type.Unknown({ description: 'The same value for every row.' })),
    ...conversions,
  },
  closed,
);

export const head = {
  $schema: Type.Optional(Type.String()),
  object_type: Type.Optional(Type.String({ pattern: OBJECT_TYPE_PATTERN })),
  comments_on: Type.Optional(
    Type.String({
      pattern: OBJECT_TYPE_PATTERN,
      description: 'Instead of object_type: each row is a comment on a record of this type.',
    }),
  ),
  links_of: Type.Optional(
    Type.String({
      pattern: OBJECT_TYPE_PATTERN,
      description: 'Instead of object_type: each row is a link, record_id and target_id.',
    }),
  ),
  relationship: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: LIMITS.associationIdLength,
      description: 'The id of the relationship of links_of, such as assoc.contacts_deals.',
    }),
  ),
  match: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: LIMITS.matchKeys,
      uniqueItems: true,
      description: 'Fields that identify a record: found records are updated, others created.',
    }),
  ),
  delimiter: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1, description: 'CSV: the column separator.' }),
  ),
  encoding: Type.Optional(
    Type.Enum([...ENCODINGS], {
      description:
        'The encoding of the file, when it is neither UTF-8 nor marked by its first bytes.',
    }),
  ),
  skip_lines: Type.Optional(
    Type.Integer({
      ...{ minimum: 0, maximum: 1000, default: 0 },
      description: 'CSV: lines before the header, such as notes.',
    }),
  ),
  sheet: Type.Optional(
    Type.String({
      ...{ minLength: 1, maxLength },
      description:
        'The sheet of a workbook, or the list of a JSON object; the first one with rows by default.',
    }),
  ),
  uneven_rows: Type.Optional(
    Type.Enum(['reject', 'skip'], {
      ...{ default: 'reject' },
      description: 'CSV: what becomes of rows with more or fewer cells than the header.',
    }),
  ),
  unfit_values: Type.Optional(
    Type.Enum(['reject', 'leave_out'], {
      ...{ default: 'reject' },
      description:
        'Rows of records with values that do not fit are rejected, or written without these values. ' +
        'Values of required fields and of match always reject their row.',
    }),
  ),
  doubles: Type.Optional(
    Type.Enum(['both', 'first', 'last'], {
      ...{ default: 'both' },
      description:
        'Rows with the match values of another row of the file: all are written one after the other, ' +
        'or the first or the last one alone.',
    }),
  ),
  fields: Type.Optional(
    Type.Record(FieldName, Made, { ...closed, description: 'Field → a value made for it.' }),
  ),
};

/** A mapping as people write it. */
export const ImportMapping = Type.Object(
  {
    ...head,
    columns: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Union([
          FieldName,
          Column,
          Type.Array(Type.Union([FieldName, Column]), { minItems: 1 }),
        ]),
        { description: 'Column of the file → field. Without it, columns go to their namesakes.' },
      ),
    ),
  },
  { ...closed, $id: 'ImportMapping' },
);
