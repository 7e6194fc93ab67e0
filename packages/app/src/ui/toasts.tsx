// The look and place of notes: loaded after the first page (toast.ts).

import { Button, Group } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { translate } from '../lib/messages/index.ts';
import classes from './toast.module.css';
import type { Toast } from './toast.ts';

const SHORT = 4000;
const LONG = 10_000;

/** Ids of notes, by what they are about. */
const shown = new WeakMap<object, string>();

export default function Toasts() {
  return <Notifications position="bottom-right" limit={4} containerWidth={360} />;
}

export function hide(about: object): void {
  const id = shown.get(about);
  if (id !== undefined) notifications.hide(id);
}

export function show({ text, isProblem = false, undo, redo, about }: Toast): void {
  const t = translate();
  const act = undo ?? redo;
  if (about !== undefined) hide(about);
  const id = notifications.show({
    autoClose: act === undefined && !isProblem ? SHORT : LONG,
    color: isProblem ? 'red' : 'accent',
    closeButtonProps: { 'aria-label': t('toast.close') },
    message: (
      <Group wrap="nowrap" justify="space-between" role={isProblem ? 'alert' : 'status'}>
        <span className={classes.text}>{text}</span>
        {act !== undefined && (
          <Button
            className={classes.undo}
            variant="subtle"
            onClick={() => {
              notifications.hide(id);
              act();
            }}
          >
            {t(undo === undefined ? 'toast.redo' : 'toast.undo')}
          </Button>
        )}
      </Group>
    ),
  });
  if (about !== undefined) shown.set(about, id);
}
