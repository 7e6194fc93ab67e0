// Changes of a definition, one or several after the other, that a copy of its records has to follow: one for each kind of
// change, and what a kind has more of. Merge patches, like the samples.

import { CHANGE_KINDS } from '../../src/definitions/changes/kinds/index.ts';
import { CHANGE_SAMPLES, START } from './change-samples.ts';

/** `before` is over START; each of `patches` over the document before, while the readers are away. */
export interface Scenario {
  readonly before?: object;
  readonly patches: readonly object[];
}

const field = (key: string, words: object | null) => ({
  objects: { cars: { fields: { [key]: words } } },
});
const cars = (words: object) => ({ objects: { cars: words } });
const flow = (statuses: object, initial: string) => ({
  workflows: { flow: { initial, statuses } },
});
const status = (from: string, to: string) =>
  flow({ [from]: null, [to]: { name: 'Some', renamed_from: from } }, to);
const renamed = (from: string, to: string, words: object) =>
  cars({ fields: { [from]: null, [to]: { ...words, renamed_from: from } } });
const text = { type: 'text' };

/** Besides one for each kind: what a kind has more of, and changes one after the other. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'another display field': { patches: [cars({ display_field: 'label' })] },
  'a display field that comes and goes': {
    patches: [cars({ display_field: 'code' }), cars({ display_field: 'name' })],
  },
  'a display field that is renamed': {
    patches: [
      {
        objects: {
          cars: {
            display_field: 'title',
            fields: { name: null, title: { ...text, renamed_from: 'name' } },
          },
        },
      },
    ],
  },
  'a removed option': {
    before: field('color', { type: 'select', options: [{ value: 'red' }, { value: 'blue' }] }),
    patches: [field('color', { options: [{ value: 'red' }] })],
  },
  'a field with a default': { patches: [field('color', { ...text, default: 'red' })] },
  'a number that becomes a currency': {
    patches: [field('gauge', { type: 'currency', currency: 'EUR' })],
  },
  'a number in custom fields that becomes a text': {
    before: field('depth', { type: 'number', storage: 'jsonb' }),
    patches: [field('depth', { type: 'text' })],
  },
  'a field that is dropped and added again': {
    patches: [field('code', null), field('code', text)],
  },
  'a field whose key another one gets': {
    patches: [field('code', null), renamed('label', 'code', text)],
  },
  'a field that is renamed and dropped': {
    patches: [renamed('code', 'mark', text), field('mark', null)],
  },
  'a field that is renamed twice': {
    patches: [renamed('code', 'mark', text), renamed('mark', 'sign', text)],
  },
  'a status that is renamed twice, and added again': {
    before: cars({ workflow: 'flow' }),
    patches: [
      status('open', 'new'),
      status('new', 'fresh'),
      flow({ open: { name: 'Open' } }, 'fresh'),
    ],
  },
  'a status that is renamed before another workflow': {
    before: cars({ workflow: 'flow' }),
    patches: [
      status('open', 'new'),
      {
        workflows: { other: { name: 'Other', initial: 'new', statuses: { new: { name: 'New' } } } },
        ...cars({ workflow: 'other' }),
      },
    ],
  },
  'a status that is renamed with another workflow': {
    before: cars({ workflow: 'flow' }),
    patches: [
      {
        workflows: {
          ...status('open', 'new').workflows,
          other: { name: 'Other', initial: 'new', statuses: { new: { name: 'New' } } },
        },
        ...cars({ workflow: 'other' }),
      },
    ],
  },
  'an object that is renamed after a field of it': {
    patches: [
      renamed('code', 'mark', text),
      {
        objects: {
          cars: null,
          autos: {
            ...START.objects.cars,
            renamed_from: 'cars',
            fields: {
              name: { type: 'text', indexed: true },
              mark: text,
              label: text,
              gauge: { type: 'number' },
              maker_id: { type: 'reference', reference_object_type: 'makers' },
            },
          },
        },
        relationships: { pairs: { from: 'autos' } },
      },
    ],
  },
  'an object that is renamed and dropped': {
    before: { objects: { vans: { name: 'Vans', singular_name: 'Van', fields: { plate: text } } } },
    patches: [
      {
        objects: {
          vans: null,
          trucks: {
            name: 'Trucks',
            singular_name: 'Truck',
            renamed_from: 'vans',
            fields: { plate: text },
          },
        },
      },
      { objects: { trucks: null } },
    ],
  },
  'an object that is dropped and added again': {
    before: { objects: { vans: { name: 'Vans', singular_name: 'Van', fields: { plate: text } } } },
    patches: [
      { objects: { vans: null } },
      { objects: { vans: { name: 'Vans', singular_name: 'Van', fields: { plate: text } } } },
    ],
  },
  'a relationship that joins others': {
    patches: [{ relationships: { pairs: { to: 'cars' } } }],
  },
  'a relationship that is renamed and dropped': {
    patches: [
      {
        relationships: {
          pairs: null,
          couples: { ...START.relationships.pairs, renamed_from: 'pairs' },
        },
      },
      { relationships: { couples: null } },
    ],
  },
  'statuses of work items': {
    before: {
      objects: { work_items: {} },
      workflows: {
        other: { name: 'Other', initial: 'open', statuses: { open: { name: 'Open' } } },
      },
      work_item_types: {
        task: { name: 'Task', prefix: 'TASK', workflow: 'flow' },
        permit: { name: 'Permit', prefix: 'PER', workflow: 'other' },
      },
    },
    patches: [status('open', 'new')],
  },
};

for (const kind of CHANGE_KINDS) {
  const { before, after, back } = CHANGE_SAMPLES[kind];
  const of = before === undefined ? {} : { before };
  Object.assign(SCENARIOS, {
    [kind]: { ...of, patches: [after] },
    ...(back === undefined ? {} : { [`${kind} and back`]: { ...of, patches: [after, back] } }),
  });
}
