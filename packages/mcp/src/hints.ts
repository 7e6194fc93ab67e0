// The values that an argument takes, for refusals that name a field or an object type without them: one more request,
// which the refused call would need anyway.

import { printValue } from './answer-text.ts';
import type { Call, Result } from './operations.ts';
import type { Refusal, RefusedPart } from './refusals.ts';

const MOST_OF_HINT = 1500;
/** Fields whose values one answer names. */
const FIELDS = 3;

/** Further lines of content for a refusal; none where it says everything, or nothing more may be read. */
export async function hintsFor(
  refusal: Refusal,
  sent: unknown,
  call: Call,
): Promise<readonly string[]> {
  try {
    if (refusal.code === 'object_not_available') return [await objectTypes(call)];
    if (refusal.status !== 400 && refusal.status !== 422) return [];
    const [first] = refusal.problems;
    const objectType = first === undefined ? undefined : objectTypeAt(sent, first.param ?? '');
    if (objectType === undefined) return [];
    return await fieldHints(refusal.problems, { sent, objectType, call });
  } catch {
    return [];
  }
}

async function objectTypes(call: Call): Promise<string> {
  const { data } = await call('listObjects');
  return `object types: ${printValue(data.map(({ object_type }) => object_type).join(', '), MOST_OF_HINT)}`;
}

interface Asked {
  readonly sent: unknown;
  readonly objectType: string;
  readonly call: Call;
}

async function fieldHints(
  problems: readonly RefusedPart[],
  { sent, objectType, call }: Asked,
): Promise<readonly string[]> {
  const isUnknown = problems.some(({ message }) =>
    /\bno (?:such )?field\b|do not exist/.test(message),
  );
  const fieldKeys = new Set(problems.flatMap(({ param = '' }) => fieldAt(sent, param) ?? []));
  if (!isUnknown && fieldKeys.size === 0) return [];
  const { data } = await call('getObject', { params: { object_type: objectType } });
  const keys = data.fields.map(({ key }) => key).join(', ');
  const options = [...data.fields, typeField(data)]
    .filter(({ key, options: known = [] }) => fieldKeys.has(key) && known.length > 0)
    .slice(0, FIELDS)
    .map(({ key, options: known = [] }) => {
      const values = known.map(({ value }) => String(value)).join(', ');
      return `${key} takes: ${printValue(values, MOST_OF_HINT)}`;
    });
  return isUnknown
    ? [`fields of ${objectType}: ${printValue(keys, MOST_OF_HINT)}`, ...options]
    : options;
}

/** The type of work items as a field with options. */
function typeField({ work_item_types: types = [] }: Result<'getObject'>['data']) {
  return { key: 'work_item_type_id', options: types.map(({ id }) => ({ value: id })) };
}

/** The object type of an argument: that of its operation, or of the call. */
function objectTypeAt(sent: unknown, param: string): string | undefined {
  const index = /^operations\[(\d+)\]/.exec(param)?.[1];
  const { operations, object_type } = Object(sent) as {
    readonly operations?: readonly unknown[];
    readonly object_type?: unknown;
  };
  const own = index === undefined ? undefined : operations?.[Number(index)];
  const found =
    own === undefined ? object_type : (Object(own) as { object_type?: unknown }).object_type;
  return typeof found === 'string' ? found : undefined;
}

/** The key of the field that a param is about: of a written field its end, of a condition its `field`. */
function fieldAt(sent: unknown, param: string): string | undefined {
  const written = /\b(?:fields|match)\.(?:custom_fields\.)?([^.[\]]+)$/.exec(param)?.[1];
  if (written !== undefined) return written;
  const steps = param.split(/[.[\]]+/).filter((step) => step !== '');
  let here: unknown = sent;
  for (const step of steps) {
    const { field } = Object(here) as { readonly field?: unknown };
    if (typeof field === 'string') return field;
    here = (Object(here) as Record<string, unknown>)[step];
  }
  return undefined;
}
