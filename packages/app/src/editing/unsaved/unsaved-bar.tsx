// Below every page: how many edits are not saved, with the ways to send, read and discard them. What can no longer be
// saved is shown at once.

import { Button, Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import { later } from '../../lib/later.tsx';
import { useT } from '../../lib/messages/index.ts';
import { type UnsavedEdit, useEdits } from '../../lib/unsaved-edits.ts';
import { Icon } from '../../ui/icon.tsx';
import { showToast } from '../../ui/toast.ts';
import { retryEdits, useSaving } from '../save-edits.ts';
import { useEditReasons } from './edit-reasons.ts';
import classes from './unsaved.module.css';

export const LaterUnsavedList = later(() => import('./unsaved-list.tsx'));

export function UnsavedBar({ left }: { readonly left: readonly UnsavedEdit[] }) {
  const t = useT();
  const edits = useEdits();
  const reasons = useEditReasons(left);
  const [choice, setChoice] = useState<'open' | 'closed'>();
  const retry = useRetry();
  const isWanted = choice === 'open' || (choice === undefined && reasons.size > 0);
  // A list whose code cannot be loaded now must not break the page.
  const isOpen = useListCode(isWanted) && isWanted;
  const count = left.length;
  const discard = () => {
    for (const edit of left) edits.drop(edit);
    const undo = () => left.forEach(edits.put);
    showToast({ text: t('edits.discarded', { count }), undo });
  };
  return (
    <section className={classes.bar} aria-label={t('edits.label')}>
      <Group gap="0.375rem 0.5rem" p="0.375rem 1rem">
        <Icon name="warning" />
        <span className={classes.count}>{t('edits.count', { count })}</span>
        {left.some(({ wish }) => wish !== undefined) && (
          <Button variant="default" loading={retry.isPending} onClick={retry.run}>
            {t('edits.retry')}
          </Button>
        )}
        <Button
          variant="default"
          aria-expanded={isOpen}
          onClick={() => setChoice(isOpen ? 'closed' : 'open')}
        >
          {t(isOpen ? 'edits.hide' : 'edits.show')}
        </Button>
        <Button variant="subtle" onClick={discard}>
          {t(count > 1 ? 'edits.discardAll' : 'edits.discard')}
        </Button>
      </Group>
      {isOpen && <LaterUnsavedList edits={left} reasons={reasons} />}
    </section>
  );
}

/** True once the code of the list is there. */
export function useListCode(isNeeded: boolean): boolean {
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    if (!isNeeded) return;
    LaterUnsavedList.load().then(
      () => setThere(true),
      () => undefined,
    );
  }, [isNeeded]);
  return isThere;
}

function useRetry() {
  const saving = useSaving();
  const [isPending, setPending] = useState(false);
  const run = async () => {
    setPending(true);
    await retryEdits(saving, true);
    setPending(false);
  };
  return { isPending, run: () => void run() };
}
