// Bodies made to cost much, as large as they may be: of keys, lists, texts, numbers, nesting, each at the
// places where a request takes values.

/** The endpoint that a body is sent to. */
export type Target = 'create' | 'batch' | 'search';

export interface Shape {
  readonly name: string;
  readonly target: Target;
  /** The body in at most so many bytes. */
  make(bytes: number): string;
}

/** Items between two texts, as many as fit and at most `most`. */
function filled(
  [open, close]: readonly [string, string],
  item: (index: number) => string,
  most = Number.POSITIVE_INFINITY,
) {
  return (bytes: number) => {
    const items: string[] = [];
    let size = open.length + close.length;
    while (items.length < most) {
      const next = item(items.length);
      size += Buffer.byteLength(next) + 1;
      if (size > bytes) break;
      items.push(next);
    }
    return `${open}${items}${close}`;
  };
}

const FIELDS = ['{"fields":{', '}}'] as const;
const JSON_FIELD = ['{"fields":{"j":', '}}'] as const;
const LIST = ['{"fields":{"j":[', ']}}'] as const;
const OPERATIONS = ['{"operations":[', ']}'] as const;
const FILTERS = ['{"filters":{', '}}'] as const;

/** Just within the bounds, so that everything is parsed and looked at. */
const KEYS = 19_900;
const BATCH_KEYS = 54_900;
const VALUES = 155_000;

const KEY_SHAPES: Readonly<Record<string, (at: number) => string>> = {
  'integers as keys': (at) => `"${at}":1`,
  'large integers as keys': (at) => `"${(at * 7919) % 4_294_967_290}":1`,
  'short keys': (at) => `"k${at}":1`,
  'long keys': (at) => `"${'x'.repeat(110)}${at}":1`,
  'escaped keys': (at) => `"\\u006b${at}":1`,
  'one key': () => '"a":1',
  'prototypes as keys': () => '"__proto__":{}',
};

const ITEM_SHAPES: Readonly<Record<string, (at: number) => string>> = {
  ones: () => '1',
  'long numbers': (at) => `0.12345678901234${at + 100}`,
  exponents: (at) => `1234567890123456${at % 10}e-${100 + (at % 100)}`,
  'texts of one letter': () => '"a"',
  texts: (at) => `"t${at}"`,
  'escaped texts': () => '"\\ud83d\\ude00"',
  'empty lists': () => '[]',
  'empty objects': () => '{}',
  'objects of one key': (at) => `{"k${at}":1}`,
  nulls: () => 'null',
};

function single(name: string, make: Shape['make'], target: Target = 'create'): Shape {
  return { name, target, make };
}

const create = (fields: string) => `{"action":"create","fields":{${fields}}}`;

export const HOSTILE_SHAPES: readonly Shape[] = [
  ...Object.entries(KEY_SHAPES).flatMap(([name, item]) => [
    single(`${name} in fields, as many as fit`, filled(FIELDS, item)),
    single(`${name} in fields`, filled(FIELDS, item, KEYS)),
    single(`${name} in a json field`, filled(['{"fields":{"j":{', '}}}'], item, KEYS)),
    single(`${name} as properties`, filled(['{"fields":{},', '}'], item, KEYS)),
    single(
      `${name} in fields of a batch`,
      filled(['{"operations":[{"action":"create","fields":{', '}}]}'], item, BATCH_KEYS),
      'batch',
    ),
    single(
      `${name} as properties of an operation`,
      filled(['{"operations":[{"action":"delete",', '}]}'], item, BATCH_KEYS),
      'batch',
    ),
    single(`${name} in filters`, filled(FILTERS, item, KEYS), 'search'),
  ]),
  ...Object.entries(ITEM_SHAPES).flatMap(([name, item]) => [
    single(`list of ${name}, as many as fit`, filled(LIST, item)),
    single(`list of ${name}`, filled(LIST, item, VALUES)),
    single(`operations that are ${name}`, filled(OPERATIONS, item, VALUES), 'batch'),
  ]),
  single('one long text', (bytes) => `{"fields":{"t0":"${'x'.repeat(bytes - 30)}"}}`),
  single(
    'one long text of escapes',
    (bytes) => `{"fields":{"t0":"${'\\n'.repeat(bytes / 2 - 20)}"}}`,
  ),
  single('one long number', (bytes) => `{"fields":{"n":${'1'.repeat(bytes - 30)}}}`),
  single('one number of zeros', (bytes) => `{"fields":{"n":0.${'0'.repeat(bytes - 40)}1}}`),
  single('white space', (bytes) => `{"fields":${' '.repeat(bytes - 20)}{}}`),
  single('nesting', (bytes) => JSON_FIELD.join(`${'['.repeat(bytes / 2)}`)),
  single(
    'long texts',
    filled(FIELDS, (at) => `"t${at % 200}":"${'é'.repeat(600)}"`),
  ),
  ...Object.entries({
    'long texts': (at: number) => `"t${at}":"${'😀'.repeat(450)}"`,
    'texts for a hostile pattern': (at: number) => `"p${at}":"${'a'.repeat(499)}!"`,
    'wrong options': (at: number) => `"m${at}":[${Array(20).fill('"x"')}]`,
    'unknown fields': (at: number) => `"u${at}":1`,
    'inexact numbers': (at: number) => `"n${at}":123456789012345.00${at + 1}`,
  }).map(([name, field]) => {
    const count = name === 'wrong options' ? 70 : 200;
    const fields = Array.from({ length: count }, (_, at) => field(at)).join();
    return single(
      `batch of ${name}`,
      filled(OPERATIONS, () => create(fields), 100),
      'batch',
    );
  }),
];
