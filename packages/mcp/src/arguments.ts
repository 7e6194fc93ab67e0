// Arguments that several tools take. Names and forms are those of the REST interface, so that its refusals name them.

import Type from 'typebox';

export const closed = Object.freeze({ additionalProperties: false });

export const ObjectType = Type.String({ minLength: 1, maxLength: 100 });

export const RecordId = Type.String({ minLength: 1, maxLength: 200 });

export const Cursor = Type.Optional(
  Type.String({ maxLength: 8192, description: 'of the answer before; other arguments unchanged' }),
);

export const FieldKeys = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 20 });

/** One of a few words; some clients need its type. */
export function oneOf<Word extends string>(...words: readonly Word[]) {
  return Type.Unsafe<Word>({ type: 'string', enum: words });
}

/** Conditions are checked by the service. */
export const Where = Type.Optional(
  Type.Unsafe<unknown>({
    type: 'object',
    description: [
      '{field, op, value}, {all: […]}, {any: […]} or {not: …}. op: eq ne lt lte gt gte in not_in between is_null',
      'contains starts_with ends_with has_any has_all has_none. field may be company_id.name. value may be',
      '{"relative": "-30d"}, {"relative": "start_of_month"} or {"me": true}',
    ].join(' '),
  }),
);

/** Left out of a request when it was not sent. */
export function present<Values extends object>(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== ''),
  ) as Values;
}

/** How the next page is asked for. */
export function moreLine(cursor: string | null): readonly string[] {
  return cursor === null ? [] : [`more: call again with cursor ${JSON.stringify(cursor)}`];
}
