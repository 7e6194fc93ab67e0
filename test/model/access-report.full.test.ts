// The report of access shows exactly the compiled rights, and names the roles that grant them and no others, for all
// roles of several definitions and pairs and triples of them.

import { expect, test } from 'vitest';
import { mergeOverBase } from '../../src/definitions/document/definition-file.ts';
import { compileModel } from '../../src/model/definition/compile.ts';
import type { DefinitionDocument } from '../../src/model/definition/definition.ts';
import type { WorkspaceModel } from '../../src/model/definition/model.ts';
import { accessOf } from '../../src/model/rights/access.ts';
import { reportAccess, reportForOneself } from '../../src/model/rights/access-report.ts';
import { documentOf } from '../access/definition.ts';
import { SAMPLE_IDENTITY, sampleModel } from '../sample-definition.ts';
import { ACME } from '../world.ts';

const modelOf = (document: unknown) =>
  compileModel(SAMPLE_IDENTITY, mergeOverBase(document) as DefinitionDocument);
const MODELS: readonly (readonly [string, WorkspaceModel])[] = [
  ['the sample', sampleModel()],
  ['acme', modelOf(ACME)],
  ['the access matrix', modelOf(documentOf())],
  ['the base', modelOf({})],
];
const ACTIONS = ['create', 'read', 'update', 'delete'] as const;
const FLAGS = ['administrator', 'developer', 'directory', 'assign_owner'] as const;
const REACHES = [null, 'own', 'team', 'organisation'];
const LEVELS = ['none', 'read', 'write'];

/** None, each, an unknown one, and as many pairs and triples as do not take long. */
function setsOf({ roles }: WorkspaceModel): readonly (readonly string[])[] {
  const keys = [...roles.keys()];
  const pairs = keys.flatMap((one, at) => keys.slice(at + 1, at + 5).map((other) => [one, other]));
  const triples = keys.flatMap((key, at) => {
    const two = [keys[(at + 3) % keys.length] ?? key, keys[(at + 7) % keys.length] ?? key];
    return [[key, ...two]];
  });
  return [[], ['gone'], ...keys.map((key) => [key, 'gone']), ...pairs, ...triples];
}

test.each(MODELS)('of %s', (_, model) => {
  for (const roles of setsOf(model)) {
    const access = accessOf(model, roles);
    const report = reportAccess(model, roles);
    for (const flag of FLAGS) {
      expect(report[flag].allowed).toBe(access[flag]);
      expect(report[flag].roles.length > 0).toBe(access[flag]);
      for (const role of roles) {
        expect(report[flag].roles.includes(role)).toBe(accessOf(model, [role])[flag]);
      }
    }
    expect(report.objects.map(({ object_type }) => object_type)).toEqual([...model.objects.keys()]);
    for (const object of report.objects) {
      const rights = access.objects.get(object.object_type);
      if (rights === undefined) throw new Error(object.object_type);
      for (const action of ACTIONS) {
        const { reach, roles: granting } = object.actions[action];
        expect(reach).toBe(rights.reach[action]);
        expect(granting.length > 0).toBe(reach !== null);
        // Without those roles it is less; each of them alone gives all of it.
        const without = roles.filter((role) => !granting.includes(role));
        const rest = accessOf(model, without).objects.get(object.object_type)?.reach[action];
        if (reach !== null) {
          expect(REACHES.indexOf(rest ?? null)).toBeLessThan(REACHES.indexOf(reach));
        }
        for (const role of granting) {
          expect(accessOf(model, [role]).objects.get(object.object_type)?.reach[action]).toBe(
            reach,
          );
        }
      }
      const readable = object.fields.filter((field) => field.access !== 'none');
      const writable = object.fields.filter((field) => field.access === 'write');
      expect(new Set(readable.map(({ key }) => key))).toEqual(rights.readable);
      expect(new Set(writable.map(({ key }) => key))).toEqual(rights.writable);
      for (const { key, access: level, roles: granting } of object.fields) {
        const without = roles.filter((role) => !granting.includes(role));
        const rest = accessOf(model, without).objects.get(object.object_type);
        const left = rest?.writable.has(key) ? 'write' : rest?.readable.has(key) ? 'read' : 'none';
        if (level !== 'none') expect(LEVELS.indexOf(left)).toBeLessThan(LEVELS.indexOf(level));
        expect(granting.length > 0).toBe(level !== 'none');
      }
    }
  }
});

test('of oneself it names no field that one cannot read', () => {
  for (const [, model] of MODELS) {
    for (const roles of setsOf(model)) {
      const access = accessOf(model, roles);
      for (const { object_type, fields } of reportForOneself(reportAccess(model, roles)).objects) {
        const { readable, reach } = access.objects.get(object_type) ?? {};
        const seen = reach?.read === null ? [] : [...(readable ?? [])];
        expect(new Set(fields.map(({ key }) => key))).toEqual(new Set(seen));
      }
    }
  }
});
