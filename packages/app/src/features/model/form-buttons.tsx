// The buttons below a form: remove at the one end, cancel and send at the other.

import { Button } from '@mantine/core';
import { useT } from '../../lib/messages/index.ts';
import classes from './model.module.css';

interface FormButtonsProps {
  /** The label of the button that sends the form. */
  readonly action: string;
  readonly onCancel: () => void;
  /** Undefined: there is nothing to remove yet. */
  readonly remove?: { readonly label: string; readonly run: () => void } | undefined;
}

export function FormButtons({ action, onCancel, remove }: FormButtonsProps) {
  const t = useT();
  return (
    <div className={classes.buttons}>
      {remove !== undefined && (
        <Button variant="subtle" color="red" className={classes.apart} onClick={remove.run}>
          {remove.label}
        </Button>
      )}
      <Button variant="default" onClick={onCancel}>
        {t('record.cancel')}
      </Button>
      {/* The input keeps the focus: a message added on blur would move the button away from the pointer. */}
      <Button type="submit" onMouseDown={(event) => event.preventDefault()}>
        {action}
      </Button>
    </div>
  );
}
