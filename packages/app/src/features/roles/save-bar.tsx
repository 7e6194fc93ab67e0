// The changes of a draft: their number, and before they are saved each of them in words, with who is concerned.

import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Role } from '@workspace-records/client';
import { useState } from 'react';
import { rightsQuery } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Problem } from '../../ui/problem.tsx';
import table from '../../ui/settings-table.module.css';
import { showToast } from '../../ui/toast.ts';
import { useChangeRole } from './api.ts';
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
  return (
    <div className={classes.bar} role="status">
      <span>{t('roles.unsaved', { count })}</span>
      <Button variant="default" onClick={onDone}>
        {t('people.discard')}
      </Button>
      <Button onClick={() => setReviewing(true)}>{t('roles.review')}</Button>
      {isReviewing && <ReviewDialog {...props} onClose={() => setReviewing(false)} />}
    </div>
  );
}

function ReviewDialog({ role, edits, onDone, onClose }: SaveBarProps & { onClose: () => void }) {
  const t = useT();
  const { mutate, error, isPending } = useChangeRole(role.key);
  const changes = changesOf(role, edits);
  const names = changes.filter(({ part }) => part.kind === 'name');
  const losses = changes.filter(isLoss);
  const gains = changes.filter((one) => !names.includes(one) && !losses.includes(one));
  const save = () =>
    mutate(patchOf(role, edits), {
      onSuccess() {
        showToast({ text: t('roles.saved', { name: role.name }) });
        onDone();
      },
    });
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
      <div className={table.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('record.cancel')}
        </Button>
        <Button data-autofocus loading={isPending} onClick={save}>
          {t('roles.save')}
        </Button>
      </div>
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
      <h3 className={classes.group}>{title}</h3>
      <ul className={classes.changes}>
        {changes.map((change) => {
          const text = changeText(change, rights?.objects ?? [], t);
          return <li key={text}>{text}</li>;
        })}
      </ul>
    </>
  );
}
