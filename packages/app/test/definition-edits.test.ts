// The draft of the definition: edits between two documents, made again to a newer one, and what no longer fits.

import type { FieldType } from '@workspace-records/client';
import { describe, expect, test } from 'vitest';
import { FIELD_TYPE_TRAITS } from '../../../src/model/values/field-types.ts';
import { layOut } from '../src/features/model/diagram-layout.ts';
import { withType } from '../src/features/model/field-kinds.ts';
import { movedBefore, sectionsOf } from '../src/features/model/field-order.ts';
import { withConnection } from '../src/features/model/new-connection.ts';
import { presentCurrency, withNewField } from '../src/features/model/new-field.ts';
import { countLinks, linksOf } from '../src/features/model/object-links.ts';
import { changesOf } from '../src/lib/definition/changes.ts';
import {
  type DefinitionDocument,
  type ObjectEntry,
  orderedKeys,
  withValue,
} from '../src/lib/definition/document.ts';
import {
  conflictsOf,
  editsBetween,
  mergePatch,
  ontoPresent,
  patchOf,
  stillNeeded,
  withEdits,
} from '../src/lib/definition/edits.ts';
import { withoutField, withoutObject, withoutStatus } from '../src/lib/definition/remove.ts';
import { fieldKeyFor, keyFor, renameEntry } from '../src/lib/definition/rename.ts';
import { withRenamesBack } from '../src/lib/definition/rename-back.ts';
import {
  fieldsFor,
  ROLLUP_OPERATIONS,
  referencesTo,
  withWords,
} from '../src/lib/definition/rollups.ts';
import { withNewObject } from '../src/lib/definition/usual-grants.ts';
import { homeCurrency } from '../src/lib/home-currency.ts';
import { DOCUMENT } from './definition-specimen.ts';

const patched = (patch: unknown, document: DefinitionDocument = DOCUMENT) =>
  mergePatch(document, patch) as DefinitionDocument;

const field = (fields: unknown) => ({ objects: { deals: { fields } } });

describe('edits', () => {
  test('they lead from one document to the other, as edits and as a merge patch', () => {
    const after = patched({
      ...field({ amount: { name: 'Value', indexed: true }, code: null, note: { type: 'text' } }),
      relationships: { boats_deals: null },
      workflows: { other: { name: 'Other', initial: 'a', statuses: { a: { name: 'A' } } } },
    });
    const edits = editsBetween(DOCUMENT, after);
    expect(edits.map(({ path }) => path.join('.')).toSorted()).toEqual([
      'objects.deals.fields.amount.indexed',
      'objects.deals.fields.amount.name',
      'objects.deals.fields.code',
      'objects.deals.fields.note',
      'relationships.boats_deals',
      'workflows.other',
    ]);
    expect(withEdits(DOCUMENT, edits)).toEqual(after);
    expect(mergePatch(DOCUMENT, patchOf(edits))).toEqual(after);
  });

  test('people and teams are no part of it', () => {
    const after = patched({ users: { 'new@x.example': { name: 'New' } }, teams: { A: {} } });
    expect(editsBetween(DOCUMENT, after)).toEqual([]);
  });

  test('the first entry of a section is an edit of its own', () => {
    const { workflows, ...without } = DOCUMENT;
    const [edit] = editsBetween(without, DOCUMENT);
    expect(edit?.path).toEqual(['workflows', 'pipeline']);
    expect(withEdits(without, edit === undefined ? [] : [edit]).workflows).toEqual(workflows);
  });

  test('those that the document has already are not needed', () => {
    const after = patched(field({ amount: { name: 'Value' }, code: null }));
    const edits = editsBetween(DOCUMENT, after);
    expect(stillNeeded(after, edits)).toEqual([]);
    expect(stillNeeded(DOCUMENT, edits)).toEqual(edits);
  });
});

describe('a newer document', () => {
  const mine = editsBetween(
    DOCUMENT,
    patched(field({ amount: { name: 'Value', required: true } })),
  );

  test('takes edits of other places', () => {
    const newer = patched(field({ amount: { description: 'Net' }, code: null }));
    expect(conflictsOf(newer, mine)).toEqual([]);
    const { amount } = withEdits(newer, mine).objects.deals?.fields ?? {};
    expect(amount).toMatchObject({ name: 'Value', required: true, description: 'Net' });
  });

  test('reports the same place with another value, and what is gone', () => {
    const renamed = conflictsOf(patched(field({ amount: { name: 'Sum' } })), mine);
    expect(renamed).toMatchObject([{ kind: 'changed', theirs: 'Sum', edit: { after: 'Value' } }]);
    const gone = patched(field({ amount: null }));
    expect(conflictsOf(gone, mine).map(({ kind }) => kind)).toEqual(['gone', 'gone']);
    expect(withEdits(gone, mine)).toEqual(gone);
  });

  test('reports nothing that comes to the same', () => {
    expect(conflictsOf(patched(field({ amount: { name: 'Value' } })), mine)).toEqual([]);
    const removal = editsBetween(DOCUMENT, patched(field({ code: null })));
    expect(conflictsOf(patched(field({ code: null })), removal)).toEqual([]);
  });

  test('kept edits lead from its value', () => {
    const wanted = { name: 'Note', type: 'text' };
    const edits = editsBetween(DOCUMENT, patched(field({ note: wanted })));
    const newer = patched(field({ note: { type: 'text', indexed: true } }));
    const [conflict] = conflictsOf(newer, edits);
    const kept = ontoPresent(newer, conflict?.edit ?? { path: [] });
    expect(conflictsOf(newer, kept)).toEqual([]);
    expect(
      (mergePatch(newer, patchOf(kept)) as DefinitionDocument).objects.deals?.fields.note,
    ).toEqual(wanted);
  });
});

describe('changes', () => {
  test('are counted by entry, and a new key is one', () => {
    const key = ['objects', 'deals', 'fields', 'amount'];
    const renamed = renameEntry(DOCUMENT, DOCUMENT, key, 'value');
    const after = patched(
      { ...field({ code: { name: 'Code', unique: false } }), objects: { boats: null } },
      patched(field({ code: { name: 'Number' } }), renamed),
    );
    const changes = changesOf(editsBetween(DOCUMENT, after));
    expect(changes.map(({ path, action }) => [path.slice(1).join('.'), action])).toEqual(
      expect.arrayContaining([
        ['deals.fields.value', 'rename'],
        ['deals.fields.code', 'change'],
        ['boats', 'remove'],
      ]),
    );
  });
});

describe('the grants of a new object', () => {
  const everywhere = (grant: object) => ({ objects: { boats: grant, deals: grant } });
  const document = patched({
    roles: {
      member: everywhere({ create: 'own', read: 'organisation', fields: { name: 'read' } }),
      viewer: { objects: { boats: { read: 'organisation' }, deals: { read: 'team' } } },
      some: { objects: { boats: { read: 'organisation' } } },
    },
  });
  const piers = { ...{ name: 'Piers', singular_name: 'Pier' }, fields: {} };
  const after = withNewObject(document, 'piers', piers);

  test('are those that a role has on every other object', () => {
    const granted = Object.entries(after.roles ?? {}).map(([key, role]) => [
      key,
      role.objects?.piers,
    ]);
    expect(Object.fromEntries(granted)).toEqual({
      ...{ admin: undefined, rep: undefined, some: undefined },
      ...{ member: { create: 'own', read: 'organisation' }, viewer: { read: 'team' } },
    });
  });

  test('are part of the change that adds the object, also for a role without others', () => {
    const toNone = withValue(after, ['roles', 'admin', 'objects', 'piers'], { read: 'own' });
    const changes = changesOf(editsBetween(document, toNone));
    expect(changes.map(({ path, action }) => [path.join('.'), action])).toEqual([
      ['objects.piers', 'add'],
    ]);
  });
});

describe('another key', () => {
  test('of a field: its data, its place and everything that names it', () => {
    const key = ['objects', 'deals', 'fields', 'name'];
    const { objects, roles } = renameEntry(DOCUMENT, DOCUMENT, key, 'title');
    const { fields = {}, display_field, field_order } = objects.deals ?? {};
    expect(fields.title).toMatchObject({ type: 'text', renamed_from: 'name' });
    expect(fields.name).toBeUndefined();
    expect(display_field).toBe('title');
    expect(orderedKeys(fields, field_order)).toEqual(['title', 'amount', 'code', 'boat_id']);
    expect(roles?.rep?.objects?.deals?.fields).toEqual({ title: 'read' });
  });

  test('twice is once, and back is none', () => {
    const once = renameEntry(DOCUMENT, DOCUMENT, ['objects', 'deals', 'fields', 'code'], 'no');
    const twice = renameEntry(once, DOCUMENT, ['objects', 'deals', 'fields', 'no'], 'number');
    expect(twice.objects.deals?.fields.number).toMatchObject({ renamed_from: 'code' });
    const back = renameEntry(twice, DOCUMENT, ['objects', 'deals', 'fields', 'number'], 'code');
    expect(back.objects.deals?.fields.code).toEqual(DOCUMENT.objects.deals?.fields.code);
  });

  test('of an object and of a status', () => {
    const ships = renameEntry(DOCUMENT, DOCUMENT, ['objects', 'boats'], 'ships');
    expect(ships.objects.deals?.fields.boat_id?.reference_object_type).toBe('ships');
    expect(ships.relationships?.boats_deals).toMatchObject({ from: 'ships', to: 'deals' });
    const path = ['workflows', 'pipeline', 'statuses', 'won'];
    const { statuses, initial } =
      renameEntry(DOCUMENT, DOCUMENT, path, 'closed').workflows?.pipeline ?? {};
    expect(initial).toBe('open');
    expect(statuses?.open?.transitions).toEqual([
      { to: 'closed', approvers: { teams: ['North'] } },
      'lost',
    ]);
  });

  test('goes back with its data', () => {
    const now = renameEntry(DOCUMENT, DOCUMENT, ['objects', 'deals', 'fields', 'code'], 'number');
    const back = withRenamesBack(DOCUMENT, now);
    expect(back.objects.deals?.fields.code).toMatchObject({ renamed_from: 'number' });
    expect(withRenamesBack(DOCUMENT, DOCUMENT)).toEqual(DOCUMENT);
  });

  test('is made of a name', () => {
    expect(keyFor('Größe (m²)', {})).toBe('groesse_m2');
    expect(keyFor('Amount', { amount: true, amount_2: true })).toBe('amount_3');
    expect(keyFor('2nd name', {})).toBe('field_2nd_name');
    expect(keyFor('日本', {})).toBe('field');
    expect(keyFor('2 stars', {}, true)).toBe('2_stars');
    expect(fieldKeyFor('Status', {})).toBe('status_2');
    expect(fieldKeyFor('Fields', {})).toBe('fields_2');
    expect(fieldKeyFor('Status', { status_2: {} })).toBe('status_3');
  });
});

describe('removal', () => {
  test('of a field takes along what names it', () => {
    const { objects, roles } = withoutField(DOCUMENT, 'deals', 'name');
    expect(objects.deals?.display_field).toBeUndefined();
    expect(roles?.rep?.objects?.deals?.fields).toBeUndefined();
  });

  test('of an object takes along references and relationships', () => {
    const { objects, relationships } = withoutObject(DOCUMENT, 'boats');
    expect(objects.boats).toBeUndefined();
    expect(objects.deals?.fields.boat_id).toBeUndefined();
    expect(relationships).toEqual({});
  });

  test('of a status takes along the ways to it', () => {
    const { statuses, initial } =
      withoutStatus(DOCUMENT, 'pipeline', 'open').workflows?.pipeline ?? {};
    expect(Object.keys(statuses ?? {})).toContain(initial);
    expect(statuses?.lost?.transitions).toEqual([]);
  });
});

describe('connections', () => {
  test('are references, relationships and references from others, counted alike', () => {
    expect(linksOf(DOCUMENT, 'boats').map(({ kind, other }) => [kind, other])).toEqual([
      ['relationship', 'deals'],
      ['referred', 'deals'],
    ]);
    const counts = countLinks(DOCUMENT);
    for (const type of Object.keys(DOCUMENT.objects))
      expect(counts.get(type)).toBe(linksOf(DOCUMENT, type).length);
  });

  test('are boxes at the sides of the object', () => {
    const { boxes, center, height, x, share } = layOut('deals', linksOf(DOCUMENT, 'deals'));
    expect(boxes.map(({ side, other, links }) => [side, other, links.length])).toEqual([
      ['right', 'boats', 2],
    ]);
    expect(center.y + center.height).toBeLessThanOrEqual(height);
    // No room for a side without boxes.
    expect(x).toBe(center.x - 1);
    expect(share).toBeLessThan(1);
  });
});

describe('a new connection', () => {
  const draft = { name: '', from: 'deals', to: 'boats' };

  test('of many with many is a relationship', () => {
    const both = { ...draft, name: 'Both', cardinality: 'many_to_many' } as const;
    const { relationships } = withConnection(DOCUMENT, both);
    expect(relationships?.deals_boats).toEqual({ ...both, kind: 'link' });
  });

  test('with one record is a reference of the other side', () => {
    const boat = withConnection(DOCUMENT, { ...draft, cardinality: 'many_to_one' });
    const field = { name: 'Boat', type: 'reference', reference_object_type: 'boats' };
    expect(boat.objects.deals?.fields.boat).toEqual(field);
    expect(boat.relationships).toBe(DOCUMENT.relationships);
    const named = { ...draft, name: 'Sold by', cardinality: 'one_to_many' } as const;
    expect(withConnection(DOCUMENT, named).objects.boats?.fields.sold_by).toMatchObject({
      name: 'Sold by',
      reference_object_type: 'deals',
    });
  });
});

test('a new field is one change, with its place in the order', () => {
  const ordered = patched({ objects: { deals: { field_order: ['code', 'amount'] } } });
  const next = withNewField(ordered, 'deals', 'note', { name: 'Note', type: 'text' });
  const note = ['objects', 'deals', 'fields', 'note'];
  expect(changesOf(editsBetween(ordered, next)).map(({ path }) => path)).toEqual([note]);
  const moved = patched({ objects: { deals: { field_order: ['note', 'amount', 'code'] } } }, next);
  expect(changesOf(editsBetween(ordered, moved)).map(({ path }) => path)).toEqual([
    note,
    ['objects', 'deals'],
  ]);
});

test('an amount of money has the currency of the workspace, or that of the region', () => {
  expect(['en', 'en-GB', 'de', 'de-CH', 'fr-FR'].map((one) => homeCurrency(one))).toEqual([
    'USD',
    'GBP',
    'EUR',
    'CHF',
    'EUR',
  ]);
  expect(presentCurrency({ objects: {} })).toBe(homeCurrency());
  const dollars = { type: 'currency', currency: 'USD' };
  const { objects } = patched(field({ paid: dollars, open: dollars }));
  expect(presentCurrency({ objects })).toBe('USD');
  const text = { name: 'Amount', type: 'text' } as const;
  expect(withType(text, 'currency', 'USD')).toEqual({ ...text, ...dollars });
  expect(withType({ ...text, type: 'currency', currency: 'SEK' }, 'currency', 'USD').currency).toBe(
    'SEK',
  );
});

test('fields are moved, and are in the sections of their first field', () => {
  const order = ['name', 'amount', 'code'];
  expect(movedBefore(order, 'code', 'name')).toEqual(['code', 'name', 'amount']);
  expect(movedBefore(order, 'name', undefined)).toEqual(['amount', 'code', 'name']);
  const fields = {
    name: { type: 'text', section: 'B' },
    amount: { type: 'number' },
    code: { type: 'text', section: 'A' },
  } as const;
  expect(sectionsOf({ fields }, order).map(({ name }) => name)).toEqual([undefined, 'B', 'A']);
});

describe('a rollup', () => {
  const { objects } = patched(field({ note: { type: 'text', storage: 'jsonb' } }));
  const reference = { object_type: 'deals', field: 'boat_id' };

  test('can have the references to its object', () => {
    expect(referencesTo(objects, 'boats')).toEqual([{ reference, label: 'Deals (Boat)' }]);
    expect(referencesTo(objects, 'deals')).toEqual([]);
  });

  test.each(ROLLUP_OPERATIONS)('has a field for %s where the service takes it', (op) => {
    const fields: ObjectEntry['fields'] = Object.fromEntries(
      Object.keys(FIELD_TYPE_TRAITS).map((type) => [type, { type: type as FieldType }]),
    );
    const taken = Object.entries(FIELD_TYPE_TRAITS).filter(([, { formula, aggregates }]) =>
      op === 'last' ? formula !== undefined : aggregates.some((one) => one === op),
    );
    expect(fieldsFor(op, fields)).toEqual(taken.map(([type]) => type));
    const sum = { type: 'formula', result_type: 'number' } as const;
    const keys = fieldsFor(op, { sum, count: { type: 'rollup' }, ...objects.deals?.fields });
    expect(keys.includes('sum')).toBe(op !== 'count');
    expect(keys.filter((key) => key === 'count' || key === 'note')).toEqual([]);
  });

  test('loses the words that no longer fit', () => {
    const where = [{ field: 'code', op: 'eq', value: 'A' }];
    const rollup = { reference, op: 'max', field: 'amount', where } as const;
    expect(withWords(rollup, { op: 'sum' }, objects)).toEqual({ ...rollup, op: 'sum' });
    expect(withWords(rollup, { op: 'count' }, objects)).toEqual({ reference, op: 'count', where });
    expect(withWords(rollup, { where: [] }, objects)).not.toHaveProperty('where');
    const other = { object_type: 'boats', field: 'boat_id' };
    const moved = withWords(rollup, { reference: other }, objects);
    expect(moved).toEqual({ reference: other, op: 'max' });
  });
});
