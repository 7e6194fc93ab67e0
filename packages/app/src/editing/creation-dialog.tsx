// The dialog for a new record. When it is closed, the draft is kept for the next time.

import { Modal } from '@mantine/core';
import { lacksTypes } from '../lib/creation-fields.ts';
import { useT } from '../lib/messages/index.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Problem } from '../ui/problem.tsx';
import type { CreationRequest } from './creation.ts';
import { CreationForm } from './creation-form.tsx';
import { LostTexts } from './unsaved/lost-texts.tsx';
import { useCreatable } from './use-creatable.ts';

interface CreationDialogProps {
  readonly request: CreationRequest;
  readonly onClose: () => void;
}

export default function CreationDialog({ request, onClose }: CreationDialogProps) {
  const t = useT();
  const creatable = useCreatable(request, 'dialog');
  const { general, object, access, error, storedForm, chooseType } = creatable;
  const isReady = object !== undefined && access !== undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('create.new', { name: general?.singular_name ?? general?.name ?? request.type })}
      closeButtonProps={{ 'aria-label': t('create.close') }}
    >
      {error !== null && <Problem error={error} />}
      {!isReady && error !== null && storedForm !== undefined && <LostTexts form={storedForm} />}
      {isReady && lacksTypes(object) && (
        <EmptyState title={t('create.noTypes')} text={t('create.noTypesText')} />
      )}
      {isReady && !lacksTypes(object) && (
        <CreationForm
          object={object}
          access={access}
          request={creatable.request}
          onType={chooseType}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}
