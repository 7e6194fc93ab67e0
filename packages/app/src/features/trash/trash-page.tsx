// The deleted records of an object that can be restored: found by name, restored, or deleted for good.

import { Button, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ObjectDefinition } from '@workspace-records/client';
import { useIsEmpty } from '../../lib/drained-pages.ts';
import { useT } from '../../lib/messages/index.ts';
import { useObject } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { daysKept } from '../../lib/trash.ts';
import { useTypedSearch } from '../../lib/typed-search.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ModelButton } from '../../ui/model-button.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import table from '../../ui/settings-table.module.css';
import { deletedQuery } from './api.ts';
import { DeletedTable } from './deleted-table.tsx';

/** Milliseconds without a key before the request of the list. */
const PAUSE = 250;

export default function TrashPage() {
  const { type } = useParams({ from: '/$workspace/shell/o/$type/deleted' });
  // Another object is another page: it keeps no state of this one.
  return <Trash key={type} type={type} />;
}

function Trash({ type }: { readonly type: string }) {
  const t = useT();
  const object = useObject(type);
  const { workspace } = useSession();
  const days = daysKept(object);
  const name = object.name ?? type;
  const back = (
    <Button
      variant="default"
      renderRoot={(props) => (
        <Link to="/$workspace/o/$type" params={{ workspace, type }} {...props} />
      )}
    >
      {t('trash.back', { name })}
    </Button>
  );
  return (
    <Page title={t('trash.of', { name })} width="broad" actions={back}>
      {days === undefined ? (
        <EmptyState title={t('trash.off')} action={<ModelButton type={type} />} />
      ) : (
        <>
          <Text c="dimmed" mb="lg" maw="40rem">
            {t('trash.text', { count: days })}
          </Text>
          <Found object={object} />
        </>
      )}
    </Page>
  );
}

function Found({ object }: { readonly object: ObjectDefinition }) {
  const t = useT();
  const { object_type: type, capabilities, display_field } = object;
  const navigate = useNavigate();
  const { q = '' } = useSearch({ from: '/$workspace/shell/o/$type/deleted' });
  const change = (text: string) =>
    void navigate({ to: '.', search: text === '' ? {} : { q: text }, replace: true });
  const query = useInfiniteQuery({
    ...deletedQuery(useSession(), type, q),
    placeholderData: keepPreviousData,
  });
  const records = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const isEmpty = useIsEmpty(query, records.length);
  if (query.error !== null) return <Problem error={query.error} />;
  const clear = (
    <Button variant="default" onClick={() => change('')}>
      {t('trash.clear')}
    </Button>
  );
  return (
    <>
      {capabilities.search && display_field !== null && <SearchField q={q} onChange={change} />}
      {isEmpty ? (
        <EmptyState
          title={t(q === '' ? 'trash.none' : 'trash.noMatch')}
          action={q !== '' && clear}
        />
      ) : (
        <DeletedTable type={type} records={records} isBusy={query.isPending} />
      )}
      <MoreButton query={query} mt="md">
        {t('trash.more')}
      </MoreButton>
    </>
  );
}

interface SearchFieldProps {
  readonly q: string;
  readonly onChange: (q: string) => void;
}

function SearchField({ q, onChange }: SearchFieldProps) {
  const t = useT();
  const { text, type } = useTypedSearch(q, PAUSE, onChange);
  return (
    <search className={table.tools}>
      <TextInput
        type="search"
        className={table.search}
        aria-label={t('trash.search')}
        placeholder={t('trash.search')}
        leftSection={<Icon name="search" size={14} />}
        value={text}
        onChange={({ currentTarget: { value } }) => type(value, value.trim())}
      />
    </search>
  );
}
