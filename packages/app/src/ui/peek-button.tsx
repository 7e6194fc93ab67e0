// Shows a record beside its list: at the end of its name, when the pointer is on its row or card. The keys have Space.

import { UnstyledButton } from '@mantine/core';
import { useT } from '../lib/messages/index.ts';
import { askPeek } from '../lib/peek.ts';
import { Icon } from './icon.tsx';
import classes from './peek-button.module.css';

interface PeekButtonProps {
  readonly id: string;
  readonly name: string;
}

export function PeekButton({ id, name }: PeekButtonProps) {
  const t = useT();
  return (
    <UnstyledButton
      className={classes.peek}
      tabIndex={-1}
      aria-label={t('peek.show', { name })}
      title={t('peek.hint')}
      onClick={(event) => {
        event.stopPropagation();
        askPeek(id);
      }}
    >
      <Icon name="peek" size={14} />
    </UnstyledButton>
  );
}
