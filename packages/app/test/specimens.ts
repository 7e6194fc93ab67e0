// An object with a field of every type, and how a person fills in, saves and clears each of them.

import type { Locator, Page } from 'playwright-core';
import { ACME } from '../../../test/world.ts';

type Scope = Page | Locator;
type Which = 'first' | 'second' | 'empty';

interface Sample {
  /** As it is typed or chosen, as it is stored, as it is shown. */
  readonly typed: string;
  readonly value: unknown;
  readonly shown: string;
}

export interface Specimen {
  readonly key: string;
  readonly name: string;
  readonly first: Sample;
  readonly second: Sample;
  /** True: the value is a link, so the button next to it opens the editor. */
  readonly isLink: boolean;
  enter(scope: Scope, which: Which): Promise<void>;
  /** Saves what was entered on the page of a record. */
  save(page: Page): Promise<void>;
}

type Way = 'line' | 'lines' | 'choice' | 'several' | 'search';

const options = [
  { value: 'red', label: 'Red' },
  { value: 'blue', label: 'Blue' },
] as const;

const FIELDS = {
  text: { name: 'Text', type: 'text' },
  long_text: { name: 'Long text', type: 'long_text' },
  number: { name: 'Number', type: 'number' },
  integer: { name: 'Integer', type: 'integer' },
  currency: { name: 'Price', type: 'currency', currency: 'EUR' },
  percent: { name: 'Share', type: 'percent' },
  boolean: { name: 'Paid', type: 'boolean' },
  date: { name: 'Day', type: 'date' },
  datetime: { name: 'Moment', type: 'datetime' },
  select: { name: 'Colour', type: 'select', options },
  multi_select: { name: 'Colours', type: 'multi_select', options },
  email: { name: 'Mail', type: 'email' },
  phone: { name: 'Telephone', type: 'phone' },
  url: { name: 'Address', type: 'url' },
  reference: { name: 'Company', type: 'reference', reference_object_type: 'companies' },
  user: { name: 'Person', type: 'user' },
  json: { name: 'Raw', type: 'json' },
  custom: { name: 'Remark', type: 'text', storage: 'jsonb' },
} as const;

/** Acme with them, and with work items of two types, one of which has a field of its own. */
export const SPECIMENS = {
  ...ACME,
  objects: {
    ...ACME.objects,
    specimens: {
      name: 'Specimens',
      singular_name: 'Specimen',
      display_field: 'label',
      fields: { label: { name: 'Label', type: 'text', required: true }, ...FIELDS },
    },
    work_items: { fields: { severity: { type: 'integer' } } },
  },
  work_item_types: {
    bug: { name: 'Bug', prefix: 'BUG', workflow: 'pipeline', fields: ['severity'] },
    chore: { name: 'Chore', prefix: 'CHORE', workflow: 'pipeline' },
  },
} as const;

/** Values that depend on ids are known when the world is there. */
export function specimensOf(ids: {
  readonly companies: readonly [string, string];
  readonly people: readonly [number, number];
}): readonly Specimen[] {
  const [one, other] = ids.companies;
  return [
    specimen('text', 'line', same('Some words'), same('Others')),
    specimen('long_text', 'lines', same('First\nSecond'), same('Only one')),
    specimen('number', 'line', at('1,234.5', 1234.5, '1,234.5'), at('-7', -7, '-7')),
    specimen('integer', 'line', at('12', 12, '12'), at('13', 13, '13')),
    specimen('currency', 'line', at('9.99', 9.99, '€9.99'), at('10', 10, '€10.00')),
    specimen('percent', 'line', at('50', 50, '50%'), at('12.5', 12.5, '12.5%')),
    specimen('boolean', 'choice', at('Yes', true, 'Yes'), at('No', false, 'No')),
    specimen(
      'date',
      'line',
      at('2027-01-31', '2027-01-31', '31 Jan 2027'),
      at('1999-12-24', '1999-12-24', '24 Dec 1999'),
    ),
    specimen('datetime', 'line', moment('2027-01-31T10:30'), moment('1999-12-24T23:59')),
    specimen('select', 'choice', at('Red', 'red', 'Red'), at('Blue', 'blue', 'Blue')),
    specimen('multi_select', 'several', at('Red', ['red'], 'Red'), at('Blue', ['blue'], 'Blue')),
    specimen('email', 'line', same('one@acme.example'), same('two@acme.example'), true),
    specimen('phone', 'line', same('+49 30 123456'), same('+49 30 654321')),
    specimen(
      'url',
      'line',
      at('https://acme.example/a', 'https://acme.example/a', 'acme.example/a'),
      at('https://acme.example/b', 'https://acme.example/b', 'acme.example/b'),
      true,
    ),
    specimen(
      'reference',
      'search',
      at('Firm A', one, 'Firm A'),
      at('Firm B', other, 'Firm B'),
      true,
    ),
    specimen('user', 'search', at('Mia', ids.people[0], 'Mia'), at('Rob', ids.people[1], 'Rob')),
    specimen('json', 'lines', at('{"a":1}', { a: 1 }, '{"a":1}'), at('[2]', [2], '[2]')),
    specimen('custom', 'line', same('Beside'), same('Beneath')),
  ];
}

function at(typed: string, value: unknown, shown: string): Sample {
  return { typed, value, shown };
}

function same(text: string): Sample {
  return at(text, text, text);
}

/** In the time of the place where the browser is, which is that of the tests. */
function moment(local: string): Sample {
  const date = new Date(local);
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  return at(local, date.toISOString(), format.format(date));
}

function specimen(
  key: keyof typeof FIELDS,
  way: Way,
  ...[first, second, isLink = false]: readonly [Sample, Sample, boolean?]
): Specimen {
  const { name } = FIELDS[key];
  return {
    ...{ key, name, first, second, isLink },
    async enter(scope, which) {
      const { typed } = which === 'empty' ? { typed: '' } : which === 'first' ? first : second;
      await WAYS[way](scope, name, typed);
    },
    async save(page) {
      if (way === 'lines') await page.keyboard.press('Control+Enter');
      else if (way !== 'choice' && way !== 'search') await page.keyboard.press('Enter');
    },
  };
}

const WAYS: Readonly<Record<Way, (scope: Scope, name: string, typed: string) => Promise<unknown>>> =
  {
    line: (scope, name, typed) => scope.getByLabel(name, { exact: true }).fill(typed),
    lines: (scope, name, typed) => scope.getByLabel(name, { exact: true }).fill(typed),
    choice: (scope, name, typed) =>
      scope.getByLabel(name, { exact: true }).selectOption(typed === '' ? '' : { label: typed }),
    async several(scope, name, typed) {
      const group = scope.getByRole('group', { name, exact: true });
      for (const { label } of options) {
        const box = group.getByRole('checkbox', { name: label });
        await box.setChecked(label === typed);
        await box.focus();
      }
    },
    async search(scope, name, typed) {
      const field = scope.getByRole('combobox', { name, exact: true });
      await field.fill(typed);
      // Where no text is left, the key clears the choice.
      if (typed === '') return field.press('Backspace');
      const page = 'keyboard' in scope ? scope : scope.page();
      await page.getByRole('option', { name: typed, exact: true }).click();
      return undefined;
    },
  };
