// The status of a record, and the moves that its workflow allows from there: those that need somebody else say whom.

import { Menu, UnstyledButton } from '@mantine/core';
import type { Field, ObjectDefinition, RecordData } from '@workspace-records/client';
import { useState } from 'react';
import { MoveItem } from '../../editing/move-item.tsx';
import { askForApproval } from '../../editing/requests/asked-move.ts';
import { movesFrom, workflowReferenceOf } from '../../editing/status-moves.ts';
import { useStatusMove } from '../../editing/use-status-move.ts';
import { useWorkflow } from '../../editing/use-workflows.ts';
import { labelOf, tintOfOption } from '../../fields/options.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { Tag } from '../../ui/tag.tsx';
import classes from './status-menu.module.css';

interface StatusMenuProps {
  readonly object: ObjectDefinition;
  readonly record: RecordData;
  readonly canChange: boolean;
}

export function StatusMenu({ object, record, canChange }: StatusMenuProps) {
  const t = useT();
  const { me } = useSession();
  const reference = workflowReferenceOf(object, record);
  const [isWanted, setWanted] = useState(false);
  const workflow = useWorkflow(reference, canChange && isWanted);
  const nameOf = (id: string) =>
    workflow?.statuses.find((status) => status.id === id)?.name ?? labelOf(statusField(object), id);
  const { move, isMoving } = useStatusMove(record, nameOf);
  if (record.status === null) return null;
  const name = nameOf(record.status);
  const tag = (
    <Tag tint={tintOfOption(statusField(object), record.status)} isStatus>
      {name}
    </Tag>
  );
  if (!canChange || reference === undefined) return tag;
  const isOwn = record.owner_user_id === me.user.id;
  const moves = workflow && movesFrom(workflow, record.status, isOwn);
  const want = () => setWanted(true);
  return (
    <Menu onOpen={want}>
      <Menu.Target>
        <UnstyledButton
          className={classes.status}
          aria-busy={isMoving}
          onPointerEnter={want}
          onFocus={want}
          aria-label={t('record.status', { name })}
        >
          {tag}
          <Icon name="chevron" size={12} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t(moves?.length === 0 ? 'record.noMoves' : 'record.moveTo')}</Menu.Label>
        {moves?.map((one) => (
          <MoveItem
            key={one.status}
            name={one.name}
            tint={one.tint}
            obstacle={one.obstacle}
            isApproval={one.isApproval}
            from={name}
            onMove={() => workflow && void move(workflow, one.status)}
            onAsk={() => askForApproval({ record, to: one.status, status: one.name })}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const NO_FIELD: Pick<Field, 'options'> = {};

function statusField({ fields }: ObjectDefinition): Pick<Field, 'options'> {
  return fields.find(({ key }) => key === 'status') ?? NO_FIELD;
}
