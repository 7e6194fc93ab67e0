// The words that several parts of a definition have: names, descriptions, colours.

import Type from 'typebox';
import { LIMITS } from '../../limits.ts';
import { MOST_OF_EXPRESSION } from '../formulas/formula-syntax.ts';
import { RollupSchema } from '../rollups/rollup-words.ts';
import { FIELD_TYPE_TRAITS, FIELD_TYPES, type FieldType } from '../values/field-types.ts';
import { OBJECT_ICONS, type ObjectIcon } from './object-icons.ts';
import type { Text } from './texts.ts';
import { TINTS, type Tint } from './tints.ts';

/** Names are printed and shown in one line: no control characters, no ends of lines. */
export const PRINTABLE = '[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]';
export const NAME_PATTERN = `^${PRINTABLE}*$`;
export const NAME_LENGTH = 200;
export const name = Type.String({ minLength: 1, maxLength: NAME_LENGTH, pattern: NAME_PATTERN });
/** A language, with a country where that matters. */
const LANGUAGE_PATTERN = '^[a-z]{2,3}(-[A-Z]{2})?$';
/** A name, or one for each language. */
export const text = Type.Unsafe<Text>({
  type: ['string', 'object'],
  ...{ minLength: 1, maxLength: NAME_LENGTH, pattern: NAME_PATTERN },
  minProperties: 1,
  patternProperties: { [LANGUAGE_PATTERN]: name },
  additionalProperties: false,
  description: 'A text, or one for each language ({ en: …, de: … }), the first by default.',
});
export const description = Type.String({ maxLength: 2000 });
export const color = Type.Unsafe<Tint>(
  Type.Enum([...TINTS], {
    description: 'The tint in the application; by its position where the definition has none.',
  }),
);

/** Words of fields with options. */
export const optionWords = {
  options: Type.Optional(
    Type.Array(
      Type.Object(
        {
          value: Type.String({ minLength: 1, maxLength: LIMITS.optionLength }),
          label: Type.Optional(text),
          color: Type.Optional(color),
        },
        { additionalProperties: false },
      ),
      { maxItems: 1000, description: 'select and multi_select: the values to choose from.' },
    ),
  ),
};

/** Words of objects that only applications read. */
export const lookWords = {
  category: Type.Optional(Type.Enum(['crm', 'work', 'catalog', 'custom'])),
  icon: Type.Optional(
    Type.Unsafe<ObjectIcon>(
      Type.Enum([...OBJECT_ICONS], { description: 'The icon in the application.' }),
    ),
  ),
  listed: Type.Optional(
    Type.Boolean({
      description:
        'false: the navigation of the application has the object under "More objects" until a ' +
        'person chooses it.',
    }),
  ),
};

/** A media type in lower case, or all of a kind. */
const MEDIA_RANGE = '^[a-z0-9][a-z0-9!#$&^_.+-]{0,62}/(?:\\*|[a-z0-9][a-z0-9!#$&^_.+-]{0,62})$';

/** Words of fields for files. */
export const fileWords = {
  multiple: Type.Optional(
    Type.Boolean({ description: `file: up to ${LIMITS.filesOfField} files; default: one.` }),
  ),
  types: Type.Optional(
    Type.Array(Type.String({ pattern: MEDIA_RANGE }), {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'file: the media types that are allowed, such as application/pdf or image/*.',
    }),
  ),
  max_bytes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.recordFileBytes,
      description: `file: the most bytes of one file; default ${LIMITS.fieldFileBytes}.`,
    }),
  ),
};

/** The type of fields that are computed; their values are of the type of the result. */
export const FORMULA = 'formula';

/** The type of fields that are computed from other records when they are read; they have no column. */
export const ROLLUP = 'rollup';

export const fieldType = Type.Unsafe<FieldType | typeof FORMULA | typeof ROLLUP>(
  Type.Enum([...FIELD_TYPES, FORMULA, ROLLUP]),
);

/** Words of fields that are computed. */
export const formulaWords = {
  expression: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MOST_OF_EXPRESSION,
      description: 'formula: the value, computed from other fields of the record.',
    }),
  ),
  result_type: Type.Optional(
    Type.Unsafe<FieldType>(
      Type.Enum(
        FIELD_TYPES.filter((type) => FIELD_TYPE_TRAITS[type].formula?.isResult),
        { description: 'formula: the type of its values.' },
      ),
    ),
  ),
};

/** Words of all computed fields. */
export const computedWords = { ...formulaWords, rollup: Type.Optional(RollupSchema) };
