// The end of a dialog: Cancel, and the buttons that do what it asks.

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useT } from '../lib/messages/index.ts';
import classes from './dialog-buttons.module.css';

interface DialogButtonsProps {
  readonly children: ReactNode;
  /** True for acts that cannot be undone: Enter cancels. */
  readonly beginsWithCancel?: boolean;
  readonly onClose: () => void;
}

export function DialogButtons({ children, beginsWithCancel = false, onClose }: DialogButtonsProps) {
  const t = useT();
  return (
    <div className={classes.buttons}>
      <Button variant="default" data-autofocus={beginsWithCancel || undefined} onClick={onClose}>
        {t('record.cancel')}
      </Button>
      {children}
    </div>
  );
}
