// The dialog for a new record. When it is closed, the draft is kept for the next time.

import { Modal } from '@mantine/core';
import { lacksTypes } from '../lib/creation-fields.ts';
import { useT } from '../lib/messages/index.ts';
import { useEdit } from '../lib/unsaved-edits.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Problem } from '../ui/problem.tsx';
import type { CreationRequest } from './creation.ts';
import { CreationForm } from './creation-form.tsx';
import { formPlace, type StoredForm } from './creation-state.ts';
import { LostTexts } from './unsaved/lost-texts.tsx';
import { useCreatable } from './use-creatable.ts';

interface CreationDialogProps {
  readonly request: CreationRequest;
  readonly onClose: () => void;
}

export default function CreationDialog({ request, onClose }: CreationDialogProps) {
  const t = useT();
  const creatable = useCreatable(request);
  const { general, object, access, request: requestWithType, error, chooseType } = creatable;
  const storedForm = useEdit(formPlace(request))?.draft as StoredForm | undefined;
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
          request={requestWithType}
          onType={chooseType}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}
