// The changes of a draft: their number, and before they are saved each of them in words, with who is concerned.

import { Button, Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Role } from '@workspace-records/client';
import { useState } from 'react';
import { rightsQuery } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import { useChangeRole } from '../../lib/role-writes.ts';
import { useSession } from '../../lib/session.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Problem } from '../../ui/problem.tsx';
import table from '../../ui/settings-table.module.css';
import { showToast } from '../../ui/toast.ts';
import { type Change, changesOf, type Edits, isLoss, patchOf } from './role-draft.ts';
import { changeText } from './role-words.ts';
import classes from './roles.module.css';

interface SaveBarProps {
  readonly role: Role;
  readonly edits: Edits;
  /** Saved or discarded. */
  readonly onDone: () => void;
}

export function SaveBar(props: SaveBarProps) {
  const { role, edits, onDone } = props;
  const t = useT();
  const [isReviewing, setReviewing] = useState(false);
  const count = changesOf(role, edits).length;
  // The bar would cover controls of the page behind the dialog.
  if (isReviewing) return <ReviewDialog {...props} onClose={() => setReviewing(false)} />;
  return (
    <div className={classes.bar} role="status">
      <span>{t('roles.unsaved', { count })}</span>
      <Button variant="default" onClick={onDone}>
        {t('people.discard')}
      </Button>
      <Button onClick={() => setReviewing(true)}>{t('roles.review')}</Button>
    </div>
  );
}

function ReviewDialog({ role, edits, onDone, onClose }: SaveBarProps & { onClose: () => void }) {
  const t = useT();
  const { mutateAsync, error, isPending } = useChangeRole(role.key);
  const changes = changesOf(role, edits);
  const names = changes.filter(({ part }) => part.kind === 'name');
  const losses = changes.filter(isLoss);
  const gains = changes.filter((one) => !names.includes(one) && !losses.includes(one));
  // Afterwards nothing differs, and this dialog is gone: callbacks of the component would not be called.
  const save = () =>
    mutateAsync(patchOf(role, edits)).then(
      () => {
        showToast({ text: t('roles.saved', { name: role.name }) });
        onDone();
      },
      () => undefined,
    );
  return (
    <Modal
      opened
      onClose={onClose}
      size={560}
      title={t('roles.reviewTitle', { name: role.name })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <p className={table.lead}>{t('roles.concerns', { count: role.people ?? 0 })}</p>
      <Changes changes={losses} title={t('roles.less')} />
      <Changes changes={gains} title={t('roles.more')} />
      <Changes changes={names} title={t('roles.other')} />
      {error !== null && <Problem error={error} />}
      <DialogButtons onClose={onClose}>
        <Button data-autofocus loading={isPending} onClick={() => void save()}>
          {t('roles.save')}
        </Button>
      </DialogButtons>
    </Modal>
  );
}

function Changes({
  changes,
  title,
}: {
  readonly changes: readonly Change[];
  readonly title: string;
}) {
  const t = useT();
  const { data: rights } = useQuery(rightsQuery(useSession()));
  if (changes.length === 0) return null;
  return (
    <>
      <Text component="h3" fz="sm" fw={600} mt="lg" mb="xs">
        {title}
      </Text>
      <ul className={classes.changes}>
        {changes.map((change) => {
          const text = changeText(change, rights?.objects ?? [], t);
          return <li key={text}>{text}</li>;
        })}
      </ul>
    </>
  );
}
