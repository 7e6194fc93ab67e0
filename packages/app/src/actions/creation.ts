// A new record of each object of which the person may make one.

import { openCreation } from '../editing/creation.ts';
import { canCreate } from '../lib/creation-fields.ts';
import type { ActionSource } from './action.ts';

export const creationActions: ActionSource = ({ t, objects }) =>
  objects.filter(canCreate).map(({ object_type: type, name, singular_name }) => ({
    id: `create.${type}`,
    group: 'create',
    label: t('create.new', { name: singular_name ?? name ?? type }),
    icon: 'plus',
    keywords: t('create.keywords', { name: name ?? type }),
    run: () => openCreation({ type }),
  }));
