// The status of a record in a cell of a list: a menu of the moves that its workflow allows, opened by the keys that edit any
// cell; those that somebody else has to approve say whom. A move is undone like an edited cell, where the workflow allows it.

import { Menu, UnstyledButton } from '@mantine/core';
import type { RecordData } from '@workspace-records/client';
import { useEffect, useState } from 'react';
import { labelOf } from '../fields/options.ts';
import { useT } from '../lib/messages/index.ts';
import { useObject } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import classes from './cell-editor.module.css';
import { MoveItem } from './move-item.tsx';
import { askForApproval } from './requests/asked-move.ts';
import { movesFrom, workflowReferenceOf } from './status-moves.ts';
import { useStatusMove } from './use-status-move.ts';
import { useWorkflow } from './use-workflows.ts';

export interface StatusCellProps {
  readonly record: RecordData;
  /** The name of the field and the record, for screen readers. */
  readonly label: string;
  readonly onClose: () => void;
}

const OUTSIDE = ['mousedown', 'touchstart'];

export function StatusCell({ record, label, onClose }: StatusCellProps) {
  const t = useT();
  const { me } = useSession();
  const object = useObject(record.object_type);
  const workflow = useWorkflow(workflowReferenceOf(object, record), true);
  const field = object.fields.find(({ key }) => key === 'status');
  const nameOf = (status: string) =>
    workflow?.statuses.find(({ id }) => id === status)?.name ??
    (field === undefined ? status : labelOf(field, status));
  const { move } = useStatusMove(record, nameOf);
  const isOwn = record.owner_user_id === me.user.id;
  const moves = workflow && movesFrom(workflow, record.status, isOwn);
  const menu = useFirstItem(moves !== undefined);
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-start"
      width={220}
      returnFocus={false}
      trapFocus={false}
      transitionProps={{ duration: 0 }}
      // Not the key that has opened it, which is on its way to the document still.
      clickOutsideEvents={OUTSIDE}
    >
      <Menu.Target>
        <UnstyledButton data-editor tabIndex={-1} className={classes.place} aria-label={label} />
      </Menu.Target>
      <Menu.Dropdown ref={menu} aria-busy={moves === undefined}>
        <Menu.Label>{t(moves?.length === 0 ? 'record.noMoves' : 'record.moveTo')}</Menu.Label>
        {moves?.map((one) => (
          <MoveItem
            key={one.status}
            name={one.name}
            tint={one.tint}
            obstacle={one.obstacle}
            isApproval={one.isApproval}
            from={nameOf(record.status ?? '')}
            onMove={() => workflow && void move(workflow, one.status)}
            onAsk={() => askForApproval({ record, to: one.status, status: one.name })}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The focus goes there as soon as there is one; before that to the menu, so that Escape closes it. */
function useFirstItem(isThere: boolean) {
  // It comes to the document after this was drawn.
  const [menu, setMenu] = useState<HTMLDivElement | null>(null);
  useEffect(() => {
    const first = isThere ? menu?.querySelector<HTMLElement>('[role=menuitem]') : null;
    (first ?? menu)?.focus({ preventScroll: true });
  }, [menu, isThere]);
  return setMenu;
}
