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

/** Objects whose values a client chooses: null clears a field there. */
const OF_VALUES: ReadonlySet<string> = new Set(['fields', 'match']);

/**
 * The arguments without properties that are null: strict clients send null for what they leave out, at any depth. Null
 * stays in values of fields and as the value of a condition.
 */
export function withoutNulls(sent: unknown): unknown {
  if (Array.isArray(sent)) return sent.map(withoutNulls);
  if (typeof sent !== 'object' || sent === null) return sent;
  const isCondition = typeof (sent as { readonly field?: unknown }).field === 'string';
  const entries = Object.entries(sent).filter(
    ([name, value]) => value !== null || (name === 'value' && isCondition),
  );
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const isOfValues = OF_VALUES.has(name) && !Array.isArray(value);
      return [name, isOfValues ? value : withoutNulls(value)];
    }),
  );
}

/** The names that a schema has at the place of a param such as `sort[0].key`, the last step left out. */
export function namesAt(schema: object, param: string): readonly string[] {
  const steps = param.split(/[.[\]]+/).filter((step) => step !== '');
  let here = schema as Schema | undefined;
  for (const step of steps.slice(0, -1)) {
    here = /^\d+$/.test(step) ? here?.items : here?.properties?.[step];
  }
  return Object.keys(here?.properties ?? {});
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** The line that tells how to request the next page. */
export function moreLine(cursor: string | null): readonly string[] {
  return cursor === null ? [] : [`more: call again with cursor ${JSON.stringify(cursor)}`];
}
