// `npm run bench:bodies`: measures the cost of hostile bodies to the event loop. Bodies of each shape, as large as a
// single write (1 MiB) and a batch (8 MiB) may be, pass the steps of a request before its first statement:
// reading, shape, fields, filters. Other requests are served between these steps. It prints milliseconds of processor
// time of the longest step, the least of some rounds, because other processes share the machine.
//   --rounds N  (3)
//   --only TEXT shapes whose name has it

import { parseArgs } from 'node:util';
import { searchRecords } from '../src/api/read/record-read-routes.ts';
import { batchRecords } from '../src/api/write/batch-routes.ts';
import { createRecord } from '../src/api/write/record-write-routes.ts';
import { ApiError, type Problems } from '../src/errors.ts';
import { parseJson } from '../src/http/request/body.ts';
import { compileShape } from '../src/http/request/validate.ts';
import { LIMITS } from '../src/limits.ts';
import { compileModel } from '../src/model/definition/compile.ts';
import type { DefinitionDocument } from '../src/model/definition/definition.ts';
import type { ObjectModel } from '../src/model/definition/model.ts';
import { callerOf } from '../src/model/rights/access.ts';
import { parseBodyFilters } from '../src/plan/read/filter.ts';
import type { FieldValues, WriteOperation } from '../src/plan/write/write-operation.ts';
import { planWrites } from '../src/plan/write/write-plan.ts';
import { HOSTILE_SHAPES, type Target } from './bodies-shapes.ts';

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, only: { type: 'string', default: '' } },
});

function fieldsNamed(letter: string, field: object): readonly (readonly [string, object])[] {
  return Array.from({ length: 200 }, (_, at) => [`${letter}${at}`, field] as const);
}

const choices = Array.from({ length: 1000 }, (_, at) => ({ value: `option ${at}` }));
const DOCUMENT = {
  objects: {
    things: {
      fields: Object.fromEntries([
        ['j', { type: 'json' }],
        ['n', { type: 'number' }],
        ...fieldsNamed('t', { type: 'text' }),
        ...fieldsNamed('n', { type: 'number' }),
        ...fieldsNamed('p', { type: 'text', pattern: '^(a+)+$' }),
        ...fieldsNamed('m', { type: 'multi_select', options: choices }),
      ]),
    },
  },
  roles: { admin: { administrator: true } },
} as unknown as DefinitionDocument;

const model = compileModel(
  {
    id: 1,
    slug: 'bench',
    name: 'Bench',
    schema: 'ws_bench',
    revision: 1,
    cursor_secret: Buffer.alloc(32),
  },
  DOCUMENT,
);
const things = model.objects.get('things') as ObjectModel;
const person = { id: 1, name: 'Someone', email: null, title: null, kind: 'user' } as const;
const caller = callerOf(
  model,
  { ...person, roles: ['admin'], team_ids: [], colleague_ids: [1] },
  { kind: 'import' },
);

const CHECKS = {
  create: compileShape(createRecord.body as never, { subject: 'The body' }),
  batch: compileShape(batchRecords.body as never, { subject: 'The body' }),
  search: compileShape(searchRecords.body as never, { subject: 'The body' }),
};

interface Outcome {
  /** The answer: its code or `fine`, and its length in characters. */
  readonly said: string;
  /** Milliseconds of the longest step. */
  readonly longest: number;
}

function answer(target: Target, raw: Buffer): Outcome {
  let longest = 0;
  function step<Result>(run: () => Result): Result {
    const before = process.cpuUsage();
    try {
      return run();
    } finally {
      const { user, system } = process.cpuUsage(before);
      longest = Math.max(longest, (user + system) / 1000);
    }
  }
  try {
    const nodes = target === 'batch' ? LIMITS.batchJsonNodes : LIMITS.jsonNodes;
    const body = step(() => parseJson(raw, nodes)) as never;
    const problems = step(() => CHECKS[target](body));
    if (problems.length === 0) return { said: step(() => plan(target, body)), longest };
    return { said: `${problems[0]?.code}, ${problems.length} problems`, longest };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { length } = JSON.stringify([error.message, error.details]);
    return { said: `${error.code}, ${length} characters`, longest };
  }
}

function plan(target: Target, body: Record<string, unknown>): string {
  if (target === 'search') {
    const problems: Problems = [];
    parseBodyFilters((body.filters ?? {}) as FieldValues, problems);
    return problems.length === 0 ? 'fine' : `${problems.length} problems`;
  }
  const one = [{ action: 'create', fields: body.fields as FieldValues }];
  const operations = (target === 'batch' ? body.operations : one) as readonly WriteOperation[];
  const { writes } = planWrites(model, caller, things, {
    operations,
    source: 'api',
    batch: target === 'batch',
  });
  return `fine, ${writes.reduce((sum, write) => sum + write.problems.length, 0)} problems to tell`;
}

let worst = 0;
for (const { name, target, make } of HOSTILE_SHAPES) {
  if (!name.includes(options.only)) continue;
  const bytes = target === 'batch' ? LIMITS.batchBodyBytes : LIMITS.bodyBytes;
  const raw = Buffer.from(make(bytes));
  const rounds = Array.from({ length: Number(options.rounds) }, () => answer(target, raw));
  const least = Math.min(...rounds.map(({ longest }) => longest));
  const [{ said }] = rounds as [Outcome];
  worst = Math.max(worst, least);
  const size = `${(raw.length / 1024 / 1024).toFixed(2)} MiB`;
  console.log(`${least.toFixed(1).padStart(7)} ms  ${size.padStart(9)}  ${name}: ${said}`);
}
console.log(`${worst.toFixed(1).padStart(7)} ms  the most`);
