// The first step of changing a field of all matching records: the field and its value.

import { Modal } from '@mantine/core';
import type { Field, ObjectDefinition } from '@workspace-records/client';
import { useT } from '../../../lib/messages/index.ts';
import { BulkValueForm } from '../bulk-value-form.tsx';

interface MatchingEditProps {
  readonly object: ObjectDefinition;
  readonly onSave: (field: Field, value: unknown) => void;
  readonly onClose: () => void;
}

export function MatchingEdit({ object, onSave, onClose }: MatchingEditProps) {
  const t = useT();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('matching.editTitle')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <BulkValueForm {...{ object, onSave }} isBusy={false} submit={t('matching.next')} />
    </Modal>
  );
}
