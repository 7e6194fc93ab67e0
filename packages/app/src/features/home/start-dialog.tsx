// A template for a new workspace: all that it makes is shown before it is made.

import { Button, Modal, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { DefinitionDocument } from '../../lib/definition/document.ts';
import { mergePatch } from '../../lib/definition/edits.ts';
import { useStart } from '../../lib/definition/use-start.ts';
import { plainText } from '../../lib/definition-text.ts';
import { useT } from '../../lib/messages/index.ts';
import { useObjects } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import framed from '../../ui/framed-rows.module.css';
import { Problem } from '../../ui/problem.tsx';
import { CRM, linesOf, WORK } from './start-templates.ts';

interface StartDialogProps {
  readonly kind: 'crm' | 'work';
  readonly onClose: () => void;
}

export function StartDialog({ kind, onClose }: StartDialogProps) {
  const t = useT();
  const { workspace } = useSession();
  const objects = useObjects();
  const navigate = useNavigate();
  const template = kind === 'crm' ? CRM : WORK;
  const type = kind === 'crm' ? 'deals' : 'work_items';
  const { mutate, isPending, error } = useStart(
    () => void navigate({ to: '/$workspace/o/$type', params: { workspace, type } }),
  );
  const nameOf = (one: string) =>
    objects.find(({ object_type }) => object_type === one)?.name ?? one;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(kind === 'crm' ? 'start.crm' : 'start.work')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Text c="dimmed" my="md">
        {t('start.makes')}
      </Text>
      <dl className={`${framed.rows} ${framed.terms}`}>
        {linesOf(template, (text) => plainText(text), nameOf).map(({ title, parts }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{parts.join(', ')}</dd>
          </div>
        ))}
      </dl>
      {error !== null && <Problem error={error} />}
      <DialogButtons onClose={onClose}>
        <Button
          data-autofocus
          loading={isPending}
          onClick={() => mutate((document) => mergePatch(document, template) as DefinitionDocument)}
        >
          {t('start.make')}
        </Button>
      </DialogButtons>
    </Modal>
  );
}
