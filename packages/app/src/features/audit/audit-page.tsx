// The audit of the workspace in words, newest first, narrowed by the address; each entry leads to the person and the
// record.

import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useIsEmpty } from '../../lib/drained-pages.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ForAdministrators } from '../../ui/for-administrators.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import { auditQuery } from './api.ts';
import { AuditFilters } from './audit-filters.tsx';
import { type AuditFilter, auditFilterOf, auditSearchOf } from './audit-search.ts';
import { AuditTable } from './audit-table.tsx';
import { ExportDialog } from './export-dialog.tsx';

export default function AuditPage() {
  const t = useT();
  return (
    <ForAdministrators title={t('audit.title')}>
      <Audit />
    </ForAdministrators>
  );
}

function Audit() {
  const t = useT();
  const navigate = useNavigate();
  const filter = auditFilterOf(useSearch({ strict: false }));
  const [isExporting, setExporting] = useState(false);
  const change = (next: AuditFilter) => void navigate({ to: '.', search: auditSearchOf(next) });
  return (
    <SettingsFrame
      title={t('audit.title')}
      width="broad"
      actions={
        <Button variant="default" onClick={() => setExporting(true)}>
          {t('audit.export')}
        </Button>
      }
    >
      <AuditFilters filter={filter} onChange={change} />
      <Entries filter={filter} onChange={change} />
      {isExporting && <ExportDialog filter={filter} onClose={() => setExporting(false)} />}
    </SettingsFrame>
  );
}

interface EntriesProps {
  readonly filter: AuditFilter;
  readonly onChange: (filter: AuditFilter) => void;
}

function Entries({ filter, onChange }: EntriesProps) {
  const t = useT();
  const query = useInfiniteQuery({
    ...auditQuery(useSession(), filter),
    placeholderData: keepPreviousData,
  });
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const isEmpty = useIsEmpty(query, entries.length);
  if (query.error !== null) return <Problem error={query.error} />;
  if (isEmpty) {
    const clear = (
      <Button variant="default" onClick={() => onChange({})}>
        {t('audit.clear')}
      </Button>
    );
    const isNarrow = Object.keys(filter).length > 0;
    return <EmptyState title={t('audit.none')} action={isNarrow && clear} />;
  }
  return (
    <>
      <AuditTable entries={entries} isBusy={query.isPending} />
      <MoreButton query={query} mt="md">
        {t('audit.earlier')}
      </MoreButton>
    </>
  );
}
