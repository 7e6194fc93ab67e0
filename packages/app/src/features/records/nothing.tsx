// The page of a question without results: there are no records, or none matches.

import { Button } from '@mantine/core';
import { useT } from '../../lib/messages/index.ts';
import type { LayoutProps } from '../../lib/record-layout.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

export function Nothing({ view, onChange }: Pick<LayoutProps, 'view' | 'onChange'>) {
  const t = useT();
  if (view.q === '' && view.where.length === 0) {
    return <EmptyState title={t('records.none')} text={t('records.noneText')} />;
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
