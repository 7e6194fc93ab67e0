// A definition for OpenAPI documents of workspaces, of which some people may not see the parts named HIDDEN.

import { SAMPLE_DOCUMENT } from '../sample-definition.ts';
import { ACME } from '../world.ts';

export const HIDDEN = 'kept-from-some';
const everything = { create: 'own', read: 'organisation', update: 'own', delete: 'own' } as const;

const { rep } = ACME.roles;
const fields = { ...rep.objects.deals.fields, grade: 'none' } as const;

export const DOCUMENT = {
  ...ACME,
  objects: {
    ...ACME.objects,
    gadgets: SAMPLE_DOCUMENT.objects.gadgets,
    parts: SAMPLE_DOCUMENT.objects.parts,
    deals: {
      ...ACME.objects.deals,
      fields: {
        ...ACME.objects.deals.fields,
        grade: { name: HIDDEN, type: 'select', options: [{ value: HIDDEN }, { value: 'x' }] },
        gadget_id: { type: 'reference', reference_object_type: 'gadgets' },
      },
    },
    vaults: {
      ...{ name: HIDDEN, singular_name: HIDDEN, workflow: 'hidden' },
      fields: { code: { name: HIDDEN, type: 'text', description: HIDDEN } },
    },
  },
  workflows: {
    ...ACME.workflows,
    assembly: SAMPLE_DOCUMENT.workflows.assembly,
    hidden: { name: HIDDEN, initial: HIDDEN, statuses: { [HIDDEN]: { name: HIDDEN } } },
  },
  work_item_types: {
    task: { name: 'Task', prefix: 'TASK', workflow: 'pipeline', fields: ['due_date'] },
    old: { name: 'Old', prefix: 'OLD', workflow: 'pipeline', active: false },
  },
  roles: {
    ...ACME.roles,
    ...{ rep: { ...rep, objects: { ...rep.objects, deals: { ...rep.objects.deals, fields } } } },
    worker: { objects: { work_items: everything } },
  },
  users: {
    ...ACME.users,
    'rob@acme.example': { name: 'Rob', roles: ['rep', 'worker'] },
  },
};
