// The dialog in which a key is made: a form, then the secret, once. Closing takes the secret out of the page and out of
// memory.

import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { SecretView } from '../../ui/secret-view.tsx';
import { type KeyForm, useCreateKey } from './api.ts';

export interface KeyDialogProps {
  /** The user that the key acts for. */
  readonly owner: number;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export interface KeyFormProps {
  readonly isSending: boolean;
  readonly error: unknown;
  readonly onSend: (form: KeyForm) => void;
}

interface KeyDialogFrameProps extends KeyDialogProps {
  /** The title of the form. */
  readonly title: string;
  readonly form: (props: KeyFormProps) => ReactNode;
  /** Below the secret: how it is used. */
  readonly children: ReactNode;
}

export function KeyDialogFrame({ owner, isOpen, onClose, ...shown }: KeyDialogFrameProps) {
  const t = useT();
  const { mutate, data, error, isPending, reset } = useCreateKey();
  const close = () => {
    reset();
    onClose();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      size={560}
      title={data === undefined ? shown.title : t('keys.made', { name: data.name })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      {data === undefined ? (
        shown.form({
          isSending: isPending,
          error,
          onSend: (form) => mutate({ ...form, user_id: owner }),
        })
      ) : (
        <SecretView secret={data.secret} onClose={close}>
          {shown.children}
        </SecretView>
      )}
    </Modal>
  );
}
