// The lines of a review: names and sentences in place of keys and words of the definition.

import type { DefinitionPlan } from '@workspace-records/client';
import { describe, expect, test } from 'vitest';
import { DefinitionSchema } from '../../../src/model/definition.ts';
import { tellEdits } from '../src/features/plans/edit-words.ts';
import { lossesOf, servedEntries, tellServed } from '../src/features/plans/plan-words.ts';
import { settingKey } from '../src/features/plans/setting-words.ts';
import { changesOf } from '../src/lib/definition/changes.ts';
import type { DefinitionDocument } from '../src/lib/definition/document.ts';
import { editsBetween, mergePatch } from '../src/lib/definition/edits.ts';
import { translate } from '../src/lib/messages/index.ts';
import { DOCUMENT } from './definition-specimen.ts';

/** The lines of each change that the patch makes. */
function linesOf(patch: unknown, before: DefinitionDocument = DOCUMENT): readonly string[] {
  const after = mergePatch(before, patch) as DefinitionDocument;
  const telling = { documents: [after, before], t: translate() };
  return changesOf(editsBetween(before, after)).flatMap(({ path, edits }) =>
    tellEdits(edits, path, telling).map((told) =>
      [told.setting, told.before, told.after].filter((part) => part !== undefined).join(' | '),
    ),
  );
}

const INVOICES = {
  name: 'Invoices',
  singular_name: 'Invoice',
  category: 'custom',
  display_field: 'name',
  fields: {
    name: { name: 'Name', type: 'text', required: true },
    total: { name: 'Total', type: 'currency', currency: 'EUR' },
  },
  trash: { keep: '30d' },
};

describe('an edit', () => {
  test('of the time for deleted records is a sentence', () => {
    expect(linesOf({ objects: { boats: { trash: { keep: '30d' } } } })).toEqual([
      'Deleted records are kept for 30 days.',
    ]);
    const kept = mergePatch(DOCUMENT, { objects: { boats: { trash: { keep: '90d' } } } });
    const gone = linesOf({ objects: { boats: { trash: null } } }, kept as DefinitionDocument);
    expect(gone).toEqual(['Deleted records are not kept.']);
  });

  test('of a new object names its fields', () => {
    expect(linesOf({ objects: { invoices: INVOICES } })).toEqual([
      'With 2 fields: Name (Text), Total (Amount of money)',
      'Deleted records are kept for 30 days.',
    ]);
  });

  test('of names in several languages has the one of the page', () => {
    const name = { en: 'Ships', de: 'Schiffe' };
    const fields = { size: { name: { de: 'Größe', en: 'Size' }, type: 'text' } };
    expect(linesOf({ objects: { boats: { name } } })).toEqual(['Name | Boats | Ships']);
    expect(linesOf({ objects: { docks: { name, fields } } })).toEqual([
      'With one field: Size (Text)',
    ]);
  });

  test('of a field has the names of types and objects', () => {
    const amount = { type: 'text', currency: null, required: true };
    const boat = { on_delete: 'restrict' };
    expect(linesOf({ objects: { deals: { fields: { amount, boat_id: boat } } } })).toEqual([
      'Type | Amount of money | Text',
      'Required | Yes',
      'Currency | EUR',
      'When the other record is deleted | Refuse to delete it',
    ]);
    const client = { name: 'Client', type: 'reference', reference_object_type: 'boats' };
    expect(linesOf({ objects: { deals: { fields: { client } } } })).toEqual([
      'Type | Reference',
      'Object | Boats',
    ]);
  });

  test('of an object, a relationship and a workflow has their names', () => {
    expect(
      linesOf({
        objects: { deals: { subtitle_field: 'code', capabilities: { delete: false } } },
        relationships: { boats_deals: { cardinality: 'many_to_one' } },
        workflows: { pipeline: { initial: 'lost', statuses: { lost: { transitions: ['won'] } } } },
        roles: { rep: { objects: { deals: { fields: { code: 'read' } } } } },
      }),
    ).toEqual([
      'Subtitle in search | Code',
      'Records can be deleted | No',
      'Each Boat has one Deal, which has many Boats',
      'Initial status | Open | Lost',
      'Moves | Open | Won',
      'Its permissions change.',
    ]);
  });
});

/** The properties of each entry of a section. */
function wordsOf(section: 'objects' | 'relationships' | 'workflows' | 'work_item_types') {
  const entries = DefinitionSchema.properties[section] as unknown as {
    patternProperties: Record<string, { properties: Record<string, unknown> }>;
  };
  return Object.entries(Object.values(entries.patternProperties)[0]?.properties ?? {});
}

test('every word of a definition has a name', () => {
  const words = (['objects', 'relationships', 'workflows', 'work_item_types'] as const)
    .flatMap((section) => wordsOf(section))
    .map(([word]) => word)
    .filter((word) => word !== 'renamed_from');
  expect(words.length).toBeGreaterThan(20);
  expect(words.filter((word) => settingKey([word]) === undefined)).toEqual([]);
});

describe('changes of the service', () => {
  const changes = [
    { path: 'objects.deals', action: 'change', summary: '~ object deals (name, singular_name)' },
    { path: 'objects.deals.trash', action: 'add', summary: '+ trash of deals (30d)' },
    { path: 'objects.deals.fields.code', action: 'add', summary: '+ field deals.code (text)' },
    { path: 'objects.gone', action: 'remove', summary: '- object gone' },
    { path: 'users.ada@acme.example', action: 'change', summary: '~ user ada (active)' },
  ] as const;

  test('are one for each entry, in words', () => {
    expect(servedEntries(changes)).toHaveLength(4);
    const told = tellServed(changes, { documents: [DOCUMENT], t: translate() });
    expect(told.map(({ action, place, settings }) => [action, place, settings])).toEqual([
      ['change', 'Object “Deals”', 'Name, Name of one, Deleted records'],
      ['add', 'Field “Code” of Deals', ''],
      ['remove', 'Object “gone”', ''],
      ['change', 'Person “ada@acme.example”', ''],
    ]);
  });
});
