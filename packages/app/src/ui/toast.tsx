// Short notes about what was done, with a place for taking it back. They go away by themselves, later when there is
// something to press.

import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { translate } from '../lib/messages/index.ts';
import classes from './toast.module.css';

interface Toast {
  readonly text: string;
  readonly isProblem?: boolean;
  /** Takes back what the text tells of. */
  readonly undo?: () => void;
}

const SHORT = 4000;
const LONG = 10_000;

export function showToast({ text, isProblem = false, undo }: Toast): void {
  const t = translate();
  const id = notifications.show({
    autoClose: undo === undefined && !isProblem ? SHORT : LONG,
    color: isProblem ? 'red' : 'accent',
    closeButtonProps: { 'aria-label': t('toast.close') },
    message: (
      <div className={classes.toast} role={isProblem ? 'alert' : 'status'}>
        <span>{text}</span>
        {undo !== undefined && (
          <Button
            variant="subtle"
            onClick={() => {
              notifications.hide(id);
              undo();
            }}
          >
            {t('toast.undo')}
          </Button>
        )}
      </div>
    ),
  });
}
