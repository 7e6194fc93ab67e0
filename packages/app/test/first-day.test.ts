// The beginnings of a workspace: templates and an empty beginning, as the service checks documents; icons of objects.

import { OBJECT_ICONS } from '@workspace-records/client';
import { expect, test } from 'vitest';
import { readBase } from '../../../src/definitions/document/definition-file.ts';
import { requireGoodDefinition } from '../../../src/definitions/document/definition-input.ts';
import { withListed } from '../src/features/home/start-empty.tsx';
import { CRM, WORK } from '../src/features/home/start-templates.ts';
import type { DefinitionDocument } from '../src/lib/definition/document.ts';
import { mergePatch } from '../src/lib/definition/edits.ts';
import { type Definition, openObjectsOf } from '../src/lib/open-work.ts';
import { iconOf } from '../src/ui/object-icon.ts';

const base = readBase() as DefinitionDocument;

test.each([
  ['nothing', [], []],
  [
    'a CRM',
    ['crm', 'catalog'],
    ['companies', 'contacts', 'deals', 'meetings', 'events', 'products'],
  ],
  ['projects', ['work'], ['work_items']],
])('%s is listed, and can be another choice later', async (_, categories, listed) => {
  const once = withListed(withListed(base, ['work']), categories);
  const { merged } = await requireGoodDefinition({ document: once });
  const entries = Object.entries(merged.objects).filter(([, object]) => object.listed !== false);
  expect(entries.map(([type]) => type)).toEqual(listed);
});

test('every object of a beginning has a history and a trash', async () => {
  const beginnings = {
    crm: mergePatch(base, CRM),
    work: mergePatch(base, WORK),
    empty: withListed(base, ['crm', 'catalog', 'work']),
  };
  const keeping = await Promise.all(
    Object.values(beginnings).map(async (document) => {
      const { merged } = await requireGoodDefinition({ document });
      return Object.entries(merged.objects)
        .filter(([, { history, trash }]) => history?.keep === '365d' && trash?.keep === '30d')
        .map(([type]) => type);
    }),
  );
  const crm = ['companies', 'contacts', 'deals', 'meetings', 'events', 'products'];
  expect(keeping).toEqual([crm, ['work_items'], [...crm, 'work_items']]);
});

test('the amounts of a beginning have a currency', async () => {
  const { merged } = await requireGoodDefinition({ document: mergePatch(base, CRM) });
  expect(merged.objects.deals?.fields.value).toHaveProperty('currency');
});

test('records of the templates that are done are not open work', async () => {
  const both = mergePatch(mergePatch(base, CRM), WORK);
  const { merged } = await requireGoodDefinition({ document: both });
  const open = openObjectsOf(merged as unknown as Definition);
  expect(open.map(({ type, statuses }) => [type, statuses])).toEqual([
    ['work_items', ['to_do', 'doing', 'review']],
    ['deals', ['new', 'qualified', 'offer']],
  ]);
});

test('the icon of a definition comes first, and one that is unknown is none', () => {
  const companies = { object_type: 'companies', kind: 'built_in', name: 'Companies' } as const;
  for (const icon of OBJECT_ICONS) expect(iconOf({ ...companies, icon })).toBe(icon);
  expect(iconOf({ ...companies, icon: 'of a later release' })).toBe('building');
});
