// The work that a definition document makes is bounded for all of it, and done in steps.

import { describe, expect, test } from 'vitest';
import { diffSteps } from '../../src/definitions/changes/diff/diff.ts';
import { checkDefinition, checkSteps } from '../../src/definitions/document/check-definition.ts';
import { findRenames, renameKeys } from '../../src/definitions/document/renames.ts';
import { LIMITS } from '../../src/limits.ts';
import { compileModel, compileSteps } from '../../src/model/definition/compile.ts';
import type { DefinitionDocument } from '../../src/model/definition/definition.ts';
import { NO_NAMES } from '../../src/model/definition/storage-names.ts';
import { runSteps, type Steps } from '../../src/model/steps.ts';
import { SAMPLE_IDENTITY } from '../sample-definition.ts';

type Entries = Record<string, unknown>;

const many = (count: number, prefix: string, entry: unknown): Entries =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`${prefix}${number}`, entry]));
const object = (fields: unknown) => ({ name: 'Things', singular_name: 'Thing', fields });
const things = (fields: unknown) => ({ objects: { things: object(fields) } });
const statuses = (count: number) => ({
  ...things({}),
  workflows: { flow: { name: 'Flow', initial: 's0', statuses: many(count, 's', { name: 'S' }) } },
});
const plain = { type: 'text', storage: 'jsonb' };

describe('the size of a document is limited', () => {
  test.each([
    ['objects', LIMITS.objectsOfDefinition, (n: number) => ({ objects: many(n, 'o', object({})) })],
    ['objects.things.fields', LIMITS.fieldsOfObject, (n: number) => things(many(n, 'f', plain))],
    ['workflows.flow.statuses', LIMITS.statusesOfWorkflow, statuses],
  ] as const)('%s: at most %d entries', (path, most, documentOf) => {
    expect(checkDefinition(documentOf(most))).toEqual([]);
    const message = `must not have more than ${most} entries; it has ${most + 1}`;
    expect(checkDefinition(documentOf(most + 1))).toEqual([{ path, message }]);
  });

  test('a long key is shortened in its message, and parts below it are not checked', () => {
    const users = { [`${'a'.repeat(1000)}@example.com`]: many(100, 'word', true) };
    expect(checkDefinition({ objects: {}, users })).toEqual([
      { path: `users.${'a'.repeat(100)}…`, message: 'is too long for a key' },
    ]);
  });

  test('of one part with tens of thousands of keys the first problem is reported', () => {
    const field = { type: 'text', ...many(20_000, 'word', true) };
    const [problem, another] = checkDefinition(things({ field }));
    expect([problem?.path, another]).toEqual(['objects.things.fields.field.word0', undefined]);
  });

  test('of many problems the first ones are reported', () => {
    const problems = checkDefinition(things(many(1000, 'f', { type: 'tex' })));
    expect(problems).toHaveLength(501);
    expect(problems[499]?.path).toBe('objects.things.fields.f499.type');
    expect(problems[500]).toEqual({
      path: '',
      message: 'has more problems; these are the first ones',
    });
    const members = Array.from({ length: 2000 }, (_, number) => `m${number}@example.com`);
    expect(checkDefinition({ objects: {}, teams: { North: { members } } })).toHaveLength(501);
  });
});

describe('patterns of a document', () => {
  const TOO_LARGE = 'repeats too much or leaves too much open to be checked quickly';
  const costly = (number: number) => ({
    type: 'text',
    pattern: `^(a|b)K.{1,60}x{1,30}${number}$`,
  });
  const patterned = (count: number) =>
    things(Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, costly(at)])));

  test('each may be costly, all together not', () => {
    expect(checkDefinition(patterned(5))).toEqual([]);
    const problems = checkDefinition(patterned(100));
    expect(problems.length).toBeGreaterThan(80);
    expect(new Set(problems.map(({ message }) => message.text))).toEqual(new Set([TOO_LARGE]));
  });

  test('many simple ones are good', () => {
    const fields = Array.from({ length: 1500 }, (_, at) => {
      return [`f${at}`, { type: 'text', pattern: `^[A-Z]{2}[0-9]{${(at % 20) + 1}}$` }];
    });
    expect(checkDefinition(things(Object.fromEntries(fields)))).toEqual([]);
  });

  test('a set of characters counts once in a document, in whichever pattern it came first', () => {
    const sets = [
      'L',
      'Lu',
      'Ll',
      'N',
      'Nd',
      'P',
      'S',
      'Sm',
      'M',
      'Z',
      'Lo',
      'Mn',
      'Pd',
      'Sc',
      'So',
    ];
    const fields = (count: number) => {
      const some = Array.from({ length: count }, (_, at) => {
        const pattern = `^[\\p{${sets[at % sets.length]}}]{1,${at + 1}}$`;
        return [`f${at}`, { type: 'text', pattern }];
      });
      return things(Object.fromEntries(some));
    };
    expect(checkDefinition(fields(60))).toEqual([]);
    const all = `^[${['Lt', 'Lm', 'Pc', 'Ps', 'Pe', 'Pi', 'Pf'].map((set) => `\\p{${set}}`).join('')}]$`;
    const document = fields(60);
    Object.assign(document.objects.things.fields as Entries, { g: { type: 'text', pattern: all } });
    const refused = [{ path: 'objects.things.fields.g.pattern', message: TOO_LARGE }];
    expect(checkDefinition(document)).toEqual(refused);
    expect(checkDefinition(document)).toEqual(refused);
  });
});

/** Steps that it takes. */
function countSteps<Result>(steps: Steps<Result>): number {
  let count = 0;
  while (steps.next().done !== true) count += 1;
  return count;
}

test('a line of the plan names the first of many', () => {
  const define = (count: number) => {
    const document = things(many(count, 'f', plain)) as unknown as DefinitionDocument;
    return { document, storage: NO_NAMES, model: compileModel(SAMPLE_IDENTITY, document) };
  };
  const [added] = runSteps(diffSteps(null, define(60)));
  expect(added?.summary).toMatch(/^\+ object things \(f0, .*, f49 and 10 more\)$/);
  const [all] = runSteps(diffSteps(null, define(50)));
  expect(all?.summary).toMatch(/, f49\)$/);
});

describe('steps', () => {
  const relationships = many(300, 'r', {
    name: 'R',
    kind: 'link',
    from: 'o0',
    to: 'o1',
    cardinality: 'many_to_many',
  });
  const roles = many(100, 'role_', { objects: { o0: { read: 'own' } } });
  const objects = many(50, 'o', object(many(20, 'f', { type: 'text' })));
  const document = { objects, relationships, roles } as unknown as DefinitionDocument;
  const define = () => ({
    document,
    storage: NO_NAMES,
    model: compileModel(SAMPLE_IDENTITY, document),
  });

  test('there is one for each entry, and for each field that is checked or compared', () => {
    const entries = 50 + 300 + 100;
    expect(countSteps(checkSteps(document))).toBeGreaterThanOrEqual(entries + 50 * 20);
    expect(countSteps(compileSteps(SAMPLE_IDENTITY, document))).toBeGreaterThan(entries);
    expect(countSteps(diffSteps(define(), define()))).toBeGreaterThanOrEqual(entries + 50 * 20);
  });

  test('keys of any number are renamed in one walk through the document', () => {
    const renamed = Object.fromEntries(
      Object.keys(objects).map((key) => [`new_${key}`, { ...object({}), renamed_from: key }]),
    );
    const after = { objects: renamed } as unknown as DefinitionDocument;
    const { renames, missing } = findRenames(document, after);
    expect([renames.length, missing.length]).toEqual([50, 0]);
    const changed = renameKeys(document, renames);
    expect(Object.keys(changed.objects)).toEqual(Object.keys(renamed));
    expect(changed.relationships?.r7).toMatchObject({ from: 'new_o0', to: 'new_o1' });
    expect(changed.roles?.role_3?.objects).toEqual({ new_o0: { read: 'own' } });
  });
});
