// Labels of options in operations as their values, by the rule that imports have. A word with two meanings is refused with
// both, because a guess would write the wrong one.

import { optionsNamed, type WordedOption } from '../../tables/src/option-words.ts';
import { printValue } from './answer-text.ts';
import type { Call } from './operations.ts';
import { argumentError, type RefusedPart } from './refusals.ts';

/** Words that are sought among labels in one call; others are sent as they are. */
const MOST_WORDS = 1000;
/** Words whose meanings one refusal names. */
const MOST_MEANINGS = 20;
const MOST_OF_MEANINGS = 500;
const PARTS = ['fields', 'match'] as const;

type Values = Readonly<Record<string, unknown>>;
type OptionsByKey = ReadonlyMap<string, readonly WordedOption[]>;

/** Errors: refusals of arguments. */
export async function withOptionValues(
  operations: readonly unknown[],
  call: Call,
): Promise<readonly unknown[]> {
  const types = new Set(operations.map((one) => Object(one).object_type as unknown));
  const objects = new Map<unknown, OptionsByKey>();
  for (const type of types) objects.set(type, await optionsOf(type, call));
  const problems: RefusedPart[] = [];
  const meanings: string[] = [];
  const wordOption = openWords(problems, meanings);
  const written = operations.map((operation, index) => {
    const options = objects.get(Object(operation).object_type);
    if (options === undefined || options.size === 0) return operation;
    const parts = PARTS.flatMap((part) => {
      const values: unknown = Object(operation)[part];
      if (!isObject(values)) return [];
      const path = `operations[${index}].${part}`;
      return [[part, mapped(values, { path, options, wordOption })] as const];
    });
    return { ...(operation as object), ...Object.fromEntries(parts) };
  });
  if (problems.length > 0) throw argumentError(problems, meanings.slice(0, MOST_MEANINGS));
  return written;
}

/** None where the caller may not read the object: the service refuses the operation. */
async function optionsOf(type: unknown, call: Call): Promise<OptionsByKey> {
  if (typeof type !== 'string') return new Map();
  const answer = await call('getObject', { params: { object_type: type } }).catch(() => undefined);
  const fields = answer?.data.fields ?? [];
  return new Map(fields.flatMap(({ key, options }) => (options ? [[key, options] as const] : [])));
}

interface Mapping {
  readonly path: string;
  readonly options: OptionsByKey;
  readonly wordOption: ReturnType<typeof openWords>;
}

function mapped(values: Values, { path, options, wordOption }: Mapping): Values {
  const entries = Object.entries(values).map(([key, value]) => {
    const at = `${path}.${key}`;
    if (key === 'custom_fields' && isObject(value)) {
      return [key, mapped(value, { path: at, options, wordOption })] as const;
    }
    const known = options.get(key.replace(/^custom_fields\./, ''));
    return [key, known === undefined ? value : wordOption(value, known, at)] as const;
  });
  return Object.fromEntries(entries);
}

function openWords(problems: RefusedPart[], meanings: string[]) {
  let words = 0;
  const wordOption = (given: unknown, options: readonly WordedOption[], path: string): unknown => {
    if (Array.isArray(given)) {
      return given.map((item, index) => wordOption(item, options, `${path}[${index}]`));
    }
    words += 1;
    if (typeof given !== 'string' || words > MOST_WORDS) return given;
    const [option, ...others] = optionsNamed(options, given);
    if (others.length === 0) return option?.value ?? given;
    const meant = [option, ...others].map((one) => describe(one)).join(' or ');
    problems.push({ param: path, message: 'The word means more than one option.' });
    meanings.push(`${path} means: ${printValue(meant, MOST_OF_MEANINGS)}`);
    return given;
  };
  return wordOption;
}

function describe({ value, label = String(value) }: WordedOption = { value: '' }): string {
  return `${String(value)} (${label})`;
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
