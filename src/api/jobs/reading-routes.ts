// The reading of a sent file before its import: scripts and agents get what the page of imports shows.

import Type from 'typebox';
import { ENCODINGS } from '../../../packages/tables/src/encoding-names.ts';
import { FORMATS } from '../../../packages/tables/src/formats/format-rows.ts';
import { PRODUCTS } from '../../../packages/tables/src/presets/find-preset.ts';
import { loadSentFile } from '../../control/stored/files.ts';
import { ApiError } from '../../errors.ts';
import { readSentTable } from '../../flow/files/read-sent-table.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { hasOneScope, lacksScope, requireAdministrator } from '../../model/rights/access.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import { defineRoute } from '../context.ts';
import { closed, nullable, responseOf } from '../shapes.ts';

const Guess = Type.Object({
  type: Type.String({ description: 'A type of fields that takes every value of the column.' }),
  key: Type.String({ description: 'A key for the field.' }),
  reason: Type.String(),
  explanation: Type.String(),
  example: Type.Optional(Type.String({ description: 'A value that is the reason.' })),
  mapping: Type.Record(Type.String(), Type.Unknown(), {
    description: 'How the file writes the values: `format`, `first_year`, `timezone`, `replace`.',
  }),
  other_mappings: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
    description: 'Other forms of numbers and times that all values have as well.',
  }),
  decided_by: nullable(
    Type.String({ description: 'The column that decides between them; null: you have to.' }),
  ),
  options: Type.Optional(
    Type.Array(Type.Object({ value: Type.String(), label: Type.String() }), {
      description: 'The options of a list.',
    }),
  ),
  currency: Type.Optional(Type.String()),
  unique: Type.Boolean({ description: 'The values identify records in the program of `preset`.' }),
});

const TableReading = Type.Object(
  {
    encoding: Type.String(),
    encoding_sure: Type.Boolean({ description: 'False: check the letters of the examples.' }),
    likely_encodings: Type.Array(Type.String()),
    delimiter: Type.String(),
    skip_lines: Type.Integer({ description: 'Lines before the header.' }),
    format: Type.Enum(['text', ...FORMATS], {
      description: 'The form of the file: text with delimiters, or a table in another form.',
    }),
    sheets: Type.Array(Type.String(), {
      description: 'The sheets of a workbook, or the lists of a JSON object.',
    }),
    sheet: Type.Optional(Type.String({ description: 'The sheet or list that is read.' })),
    rows: Type.Integer({ description: 'The number of rows with as many cells as the header has.' }),
    columns: Type.Array(
      Type.Object({
        heading: Type.String({ description: 'The name for mappings.' }),
        filled: Type.Integer({ description: 'Rows with a value.' }),
        examples: Type.Array(Type.String()),
        guess: Guess,
      }),
    ),
    preset: nullable(
      Type.Object(
        { product: Type.String(), subject: Type.String() },
        { description: 'The program that wrote the file, and the kind of its records.' },
      ),
    ),
    mapping: nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'With `object_type`: a mapping of the columns that its fields take.',
      }),
    ),
    undecided: Type.Array(Type.String(), {
      description: 'Columns that `mapping` leaves out, because their values can mean two things.',
    }),
    doubles: nullable(
      Type.Object(
        {
          count: Type.Integer(),
          first: Type.Array(
            Type.Object({ line: Type.Integer(), first_line: Type.Integer(), value: Type.String() }),
          ),
        },
        { description: 'Rows with the `match` values of an earlier row.' },
      ),
    ),
    uneven_rows: Type.Object(
      {
        count: Type.Integer(),
        first: Type.Array(
          Type.Object({ line: Type.Integer(), cells: Type.Integer(), text: Type.String() }),
        ),
      },
      { description: 'Rows with more or fewer cells than the header.' },
    ),
    left_out: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() }), {
      description: 'Content that is in no row, such as the comments of a board of Trello.',
    }),
  },
  { $id: 'TableReading' },
);

export const readSentFile = defineRoute({
  method: 'POST',
  path: '/imports/readings',
  operationId: 'readSentFile',
  tag: 'Imports',
  summary: 'Read a file before its import',
  description: [
    'How a sent file is written, its columns with a guess for each, and rows that do not fit its header.',
    'Everything is found from the whole file; the parameters replace what was found. With `object_type` the answer has a',
    'mapping for `POST /imports`, and the rows that it would match with an earlier row. It changes nothing.',
  ].join(' '),
  scope: ['records:write', 'comments:write'],
  params: Type.Object({}, closed),
  query: Type.Object({}, closed),
  body: Type.Object(
    {
      file_id: Type.String({ minLength: 1, maxLength: LIMITS.idLength }),
      encoding: Type.Optional(Type.Enum([...ENCODINGS])),
      delimiter: Type.Optional(Type.String({ minLength: 1, maxLength: 1 })),
      skip_lines: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
      sheet: Type.Optional(Type.String({ minLength: 1, maxLength: LIMITS.mappingTextLength })),
      preset: Type.Optional(
        Type.Enum([...PRODUCTS], { description: 'The program, when its headings are not found.' }),
      ),
      object_type: Type.Optional(Type.String({ maxLength: LIMITS.idLength })),
    },
    closed,
  ),
  idempotent: false,
  status: 200,
  result: responseOf(TableReading),
  errors: ['validation_failed', 'permission_denied', 'object_not_available', 'record_not_found'],
  async handle({ caller, model, body }, { db }) {
    requireAdministrator(caller);
    if (!hasOneScope(caller, ['records:read'])) throw lacksScope(['records:read']);
    const owner = { workspace_id: model.workspace.id, user_id: caller.user.id };
    const id = parseRecordId(body.file_id);
    const file = id === undefined ? undefined : await loadSentFile(db, owner, id);
    if (file === undefined) {
      const message = say('sent_file_not_found');
      throw new ApiError('record_not_found', { param: 'file_id', message });
    }
    const { encoding, delimiter, skip_lines: skipLines, sheet, preset: product } = body;
    const { object_type } = body;
    const object =
      object_type === undefined ? undefined : requireObject(model, caller, object_type);
    const choices = { encoding, delimiter, skipLines, sheet, product };
    const data = await readSentTable(db, file.id, { choices, object });
    return { body: { data } };
  },
});
