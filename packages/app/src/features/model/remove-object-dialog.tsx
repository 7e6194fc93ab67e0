// Before an object is removed in the draft: what goes with it. The records are lost when the draft is applied, and named
// there again.

import { Button, Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { nameAt } from '../../lib/definition/changes.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { dependentsOf, withoutObject } from '../../lib/definition/remove.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import classes from './model.module.css';

interface RemoveObjectDialogProps {
  readonly type: string;
  readonly onClose: () => void;
}

export default function RemoveObjectDialog({ type, onClose }: RemoveObjectDialogProps) {
  const t = useT();
  const navigate = useNavigate();
  const { workspace } = useSession();
  const { document, change } = useDefinition();
  const { fields, relationships } = dependentsOf(document, type);
  const name = nameAt([document], ['objects', type]);
  const along = [
    ...fields.map(({ type: other, key }) =>
      t('object.alongField', {
        object: nameAt([document], ['objects', other]),
        field: nameAt([document], ['objects', other, 'fields', key]),
      }),
    ),
    ...relationships.map((key) =>
      t('object.alongRelationship', { name: nameAt([document], ['relationships', key]) }),
    ),
  ];
  const remove = () => {
    void navigate({ to: '/$workspace/settings/model', params: { workspace } });
    change((now) => withoutObject(now, type));
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('object.removeTitle', { name })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <p className={classes.hint}>{t('object.removeText')}</p>
      {along.length > 0 && (
        <>
          <p>{t('object.along')}</p>
          <ul>
            {along.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
      <DialogButtons beginsWithCancel onClose={onClose}>
        <Button color="red" onClick={remove}>
          {t('object.removeNow')}
        </Button>
      </DialogButtons>
    </Modal>
  );
}
