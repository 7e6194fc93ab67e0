// The page of a question without results: there are no records, or none matches; work items need a type first.

import { Button, Group } from '@mantine/core';
import { NewRecordButton } from '../../editing/new-record-button.tsx';
import { ImportButton } from '../../editing/transfers/import-button.tsx';
import { canCreate, lacksTypes } from '../../lib/creation-fields.ts';
import { useT } from '../../lib/messages/index.ts';
import type { LayoutProps } from '../../lib/record-layout.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ModelButton } from '../../ui/model-button.tsx';

export function Nothing({
  object,
  view,
  onChange,
}: Pick<LayoutProps, 'object' | 'view' | 'onChange'>) {
  const t = useT();
  if (lacksTypes(object)) {
    const [title, text] = [t('create.noTypes'), t('create.noTypesText')];
    return <EmptyState title={title} text={text} action={<ModelButton />} />;
  }
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
