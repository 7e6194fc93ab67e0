// The page of a question without results: there are no records, or none matches.

import { Button, Group } from '@mantine/core';
import { NewRecordButton } from '../../editing/new-record-button.tsx';
import { ImportButton } from '../../editing/transfers/import-button.tsx';
import { canCreate } from '../../lib/creation-fields.ts';
import { useT } from '../../lib/messages/index.ts';
import type { LayoutProps } from '../../lib/record-layout.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

export function Nothing({
  object,
  view,
  onChange,
}: Pick<LayoutProps, 'object' | 'view' | 'onChange'>) {
  const t = useT();
  if (view.q === '' && view.where.length === 0) {
    const text = canCreate(object) ? t('records.noneHow') : t('records.noneText');
    return (
      <EmptyState
        title={t('records.none')}
        text={text}
        action={
          <Group gap="sm">
            <NewRecordButton object={object} variant="default" />
            <ImportButton type={object.object_type} />
          </Group>
        }
      />
    );
  }
  return (
    <EmptyState
      title={t('records.noMatch')}
      action={
        <Button variant="default" onClick={() => onChange({ ...view, q: '', where: [] })}>
          {t('records.showAll')}
        </Button>
      }
    />
  );
}
