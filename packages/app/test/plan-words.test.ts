// The lines of a review: names and sentences in place of keys and words of the definition.

import type { DefinitionPlan } from '@workspace-records/client';
import { describe, expect, test } from 'vitest';
import { DefinitionSchema } from '../../../src/model/definition/definition.ts';
import { tellEdits } from '../src/features/plans/edit-words.ts';
import {
  effectText,
  lossesOf,
  servedEntries,
  tellServed,
} from '../src/features/plans/plan-words.ts';
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

  test('of a rollup is the rollup in words, whatever part of it changes', () => {
    const reference = { object_type: 'deals', field: 'boat_id' };
    const total = { type: 'rollup', rollup: { reference, op: 'sum', field: 'amount' } };
    const before = mergePatch(DOCUMENT, { objects: { boats: { fields: { total } } } });
    const where = [{ field: 'status', op: 'eq', value: 'won' }];
    const rollup = { op: 'max', where };
    expect(
      linesOf(
        { objects: { boats: { fields: { total: { rollup } } } } },
        before as DefinitionDocument,
      ),
    ).toEqual(['Deals: Largest value (Amount), one condition']);
    expect(linesOf({ objects: { boats: { fields: { worth: total } } } })).toEqual([
      'Type | Rollup',
      'Deals: Sum (Amount)',
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

describe('another rule of an approval', () => {
  const withGate = (rules: object) => {
    const gate = { to: 'won', approvers: { teams: ['North'] }, ...rules };
    const open = { transitions: [gate, 'lost'] };
    return { workflows: { pipeline: { statuses: { open } } } };
  };
  const strict = {
    required: 2,
    from: 'each',
    self_approval: true,
    expires_days: 7,
    when: { field: 'amount', op: 'gt', value: 1000 },
  };

  test('is a sentence about its move', () => {
    expect(linesOf(withGate({ required: 2 }))).toEqual(['Move to Won | 2 approvals instead of 1']);
    expect(linesOf(withGate(strict))).toEqual([
      'Move to Won | 2 approvals instead of 1',
      'Move to Won | at least one of every person and team approves, instead of any of them',
      'Move to Won | needs approval only where Amount is more than 1000',
      'Move to Won | approvers can now approve their own requests',
      'Move to Won | requests expire after 7 days instead of 30',
    ]);
    const users = ['ada@marina.example'];
    expect(linesOf(withGate({ approvers: { teams: ['North'], users } }))).toEqual([
      'Move to Won | North, ada@marina.example approve instead of North',
    ]);
  });

  test('names the rule before it, also one that nobody has written down', () => {
    const before = mergePatch(DOCUMENT, withGate(strict)) as DefinitionDocument;
    expect(linesOf(withGate({}), before)).toEqual([
      'Move to Won | one approval instead of 2',
      'Move to Won | any of them approves, instead of at least one of every person and team',
      'Move to Won | always needs approval, and not only where Amount is more than 1000',
      'Move to Won | approvers can no longer approve their own requests',
      'Move to Won | requests expire after 30 days instead of 7',
    ]);
    const when = { field: 'code', op: 'is_null', value: true };
    expect(linesOf(withGate({ ...strict, when }), before)).toEqual([
      'Move to Won | needs approval only where Code is empty, instead of where Amount is more than 1000',
    ]);
  });

  test('of a new move, a new status and a new workflow names approvers and other rules', () => {
    const gate = { to: 'won', approvers: { teams: ['North'] } };
    const north = 'needs approval by North';
    const statuses = (lost: object) => ({ workflows: { pipeline: { statuses: { lost } } } });
    expect(linesOf(statuses({ transitions: ['open', gate] }))).toEqual([
      'Moves | Open | Open, Won (with approval)',
      `Move to Won | ${north}`,
    ]);
    const held = { name: 'Held', transitions: [{ ...gate, required: 2, self_approval: true }] };
    const wanted = ['2 approvals', 'approvers can approve their own requests'];
    expect(linesOf({ workflows: { pipeline: { statuses: { held } } } })).toEqual([
      'Moves | Won (with approval)',
      ...[north, ...wanted].map((text) => `Move to Won | ${text}`),
    ]);
    const made = { name: 'Two', initial: 'held', statuses: { held, won: { name: 'Won' } } };
    expect(linesOf({ workflows: { two: made } }).slice(-3)).toEqual(
      [north, ...wanted].map((text) => `Held, Move to Won | ${text}`),
    );
  });

  test('comes below other moves', () => {
    const patch = withGate({ required: 2 });
    patch.workflows.pipeline.statuses.open.transitions.pop();
    expect(linesOf(patch)).toEqual([
      'Moves | Won (with approval), Lost | Won (with approval)',
      'Move to Won | 2 approvals instead of 1',
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
      ['change', 'Object “Deals”', 'Name, Singular name, Deleted records'],
      ['add', 'Field “Code” of Deals', ''],
      ['remove', 'Object “gone”', ''],
      ['change', 'Person “ada@acme.example”', ''],
    ]);
  });

  test('that lose data have the names of their object and field beside the key', () => {
    const cost = { effect: 'loses', rows: 2, expected_ms: 0 } as const;
    const told = [
      { path: 'objects.deals.fields.code', action: 'remove', summary: '- field deals.code' },
      { path: 'objects.deals.trash', action: 'remove', summary: '- trash of deals' },
    ] as const;
    const plan = {
      changes: told.map((one, at) => ({
        ...one,
        ...cost,
        allow: ['deals.code', 'trash:deals'][at],
      })),
    } as unknown as DefinitionPlan;
    expect(lossesOf(plan, { documents: [DOCUMENT], t: translate() })).toEqual([
      { name: 'deals.code', text: 'Removed: Field “Code” of Deals' },
      { name: 'trash:deals', text: 'Changed: Object “Deals” (Deleted records)' },
    ]);
  });
});

test('an effect that a problem blocks is not told as if it came', () => {
  const path = 'objects.boats.fields.name';
  const summary = '~ field boats.name (type text -> select)';
  const change = { path, action: 'change', summary, effect: 'none', rows: 3, allow: null } as const;
  const planned = { ...change, expected_ms: 0 };
  expect(effectText(planned, [], translate())).toContain('3 records break');
  expect(effectText(planned, [{ path, message: 'x' }], translate())).toBeUndefined();
});
