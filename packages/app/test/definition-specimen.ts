// A small definition for tests of the data model.

import type { DefinitionDocument } from '../src/lib/definition/document.ts';

export const DOCUMENT: DefinitionDocument = {
  name: 'Marina',
  objects: {
    boats: {
      name: 'Boats',
      singular_name: 'Boat',
      display_field: 'name',
      fields: { name: { name: 'Name', type: 'text', required: true } },
    },
    deals: {
      name: 'Deals',
      singular_name: 'Deal',
      display_field: 'name',
      workflow: 'pipeline',
      fields: {
        name: { name: 'Name', type: 'text' },
        amount: { name: 'Amount', type: 'currency', currency: 'EUR' },
        code: { name: 'Code', type: 'text' },
        boat_id: { name: 'Boat', type: 'reference', reference_object_type: 'boats' },
      },
    },
  },
  relationships: {
    boats_deals: {
      ...{ name: 'Boats and deals', kind: 'link', from: 'boats', to: 'deals' },
      cardinality: 'many_to_many',
    },
  },
  workflows: {
    pipeline: {
      name: 'Pipeline',
      initial: 'open',
      statuses: {
        open: {
          name: 'Open',
          transitions: [{ to: 'won', approvers: { teams: ['North'] } }, 'lost'],
        },
        won: { name: 'Won' },
        lost: { name: 'Lost', transitions: ['open'] },
      },
    },
  },
  roles: {
    admin: { name: 'Administrator' },
    rep: { objects: { deals: { fields: { name: 'read' } } } },
  },
};
