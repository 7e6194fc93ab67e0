// Acme with quotes, which representatives and managers read, and which refer to deals of which they do not read all.

import { ACME } from '../world.ts';

const quotes = { read: 'organisation' } as const;

function withQuotes<Role extends { readonly objects: object }>(role: Role) {
  return { ...role, objects: { ...role.objects, quotes } };
}

export const WITH_QUOTES = {
  ...ACME,
  objects: {
    ...ACME.objects,
    quotes: {
      name: 'Quotes',
      singular_name: 'Quote',
      display_field: 'name',
      fields: {
        name: { type: 'text' },
        deal_id: { type: 'reference', reference_object_type: 'deals' },
      },
    },
  },
  roles: {
    ...ACME.roles,
    rep: withQuotes(ACME.roles.rep),
    manager: withQuotes(ACME.roles.manager),
  },
};
