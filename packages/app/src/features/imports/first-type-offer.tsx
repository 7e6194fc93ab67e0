// Work items without a type cannot be made: a button makes the first one, after which the columns are matched again.

import '../../lib/import-notice-texts.ts';
import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { Table } from '../../../../tables/src/reading.ts';
import { useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';
import { FIRST_TYPE, firstTypePatch } from './first-type.ts';
import { type ImportDraft, startDraft, type Target } from './import-draft.ts';
import { PlannedDialog, usePlanned } from './planned-dialog.tsx';

interface FirstTypeProps {
  readonly target: Target;
  readonly table: Table;
  readonly onMade: (draft: ImportDraft) => void;
}

export function FirstTypeOffer(props: FirstTypeProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
      <Group justify="space-between" gap="sm">
        <span>{t('import.noTypes')}</span>
        <Button variant="default" onClick={() => setOpen(true)}>
          {t('import.makeType')}
        </Button>
      </Group>
      {isOpen && <FirstTypeDialog {...props} onClose={() => setOpen(false)} />}
    </Alert>
  );
}

function FirstTypeDialog({ target, table, onMade, onClose }: FirstTypeProps & { onClose(): void }) {
  const t = useT();
  const names = {
    ...{ type: t('import.typeName'), workflow: t('import.workflowName') },
    statuses: [t('import.statusToDo'), t('import.statusDoing'), t('import.statusDone')],
  };
  const planned = usePlanned({
    target,
    changeOf: ({ document }) => ({
      patch: firstTypePatch(table, names, Object.keys(document?.workflows ?? {})),
    }),
    onMade(next) {
      onClose();
      const draft = startDraft(next, table);
      onMade({ ...draft, constants: { ...draft.constants, work_item_type_id: FIRST_TYPE } });
    },
  });
  return (
    <PlannedDialog
      title={t('import.makeType')}
      text={t('import.typeText')}
      action={t('import.makeType')}
      isEmpty={false}
      {...{ planned, onClose }}
    >
      {null}
    </PlannedDialog>
  );
}
