// The last line of a table: a button, and after a click the new record, with an editor in each column that it can have
// a value for. It begins with the values that the filters and the group of the list ask for.

import type { ObjectDefinition, Where } from '@workspace-records/client';
import { useState } from 'react';
import { canCreate } from '../../lib/creation-fields.ts';
import { later } from '../../lib/later.tsx';
import { useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';
import type { GridColumn } from './grid-columns.ts';
import classes from './new-row.module.css';
import tableClasses from './records-table.module.css';

const NewRowLine = later(() => import('./new-row-line.tsx'));

interface NewRowProps {
  readonly object: ObjectDefinition;
  readonly columns: readonly GridColumn[];
  readonly where: readonly Where[];
}

export function NewRow({ object, columns, where }: NewRowProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  if (!canCreate(object)) return null;
  const name = object.singular_name ?? object.name ?? object.object_type;
  return (
    <tbody role="rowgroup" className={classes.part} data-open={isOpen || undefined}>
      {isOpen ? (
        <NewRowLine {...{ object, columns, where }} onClose={() => setOpen(false)} />
      ) : (
        <tr role="row" className={`${tableClasses.row} ${classes.row}`}>
          {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of the grid. */}
          <td role="gridcell" tabIndex={-1} className={classes.cell}>
            <button
              type="button"
              data-new-row
              className={classes.button}
              onClick={() => setOpen(true)}
            >
              <Icon name="plus" size={14} />
              {t('create.new', { name })}
            </button>
          </td>
        </tr>
      )}
    </tbody>
  );
}
