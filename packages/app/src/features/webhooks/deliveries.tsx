// The deliveries of a webhook, newest first. The address has the filters; the first pages are read again every few seconds.

import '../../lib/delivery-texts.ts';
import { Box, Button, Group } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Webhook } from '@workspace-records/client';
import { useState } from 'react';
import { useIsEmpty } from '../../lib/drained-pages.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { type DeliveryFilter, deliveriesQuery } from './api.ts';
import { DeliveriesTable } from './deliveries-table.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';
import { deliveryFilterOf, deliverySearchOf } from './delivery-search.ts';
import { ReplayDialog } from './replay-dialog.tsx';

export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const t = useT();
  const { filter, setFilter } = useDeliveryFilter();
  const query = useInfiniteQuery({
    ...deliveriesQuery(useSession(), webhook.id, filter),
    placeholderData: keepPreviousData,
  });
  const deliveries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const isEmpty = useIsEmpty(query, deliveries.length);
  const [isReplaying, setReplaying] = useState(false);
  return (
    <Box mt={32}>
      <Section title={t('deliveries.title')} text={t('deliveries.text')}>
        <Group align="flex-end" justify="space-between" mb="lg">
          <DeliveryFilters filter={filter} onChange={setFilter} />
          <Button variant="default" onClick={() => setReplaying(true)}>
            {t('deliveries.replayMany')}
          </Button>
        </Group>
        {query.error !== null && <Problem error={query.error} />}
        {isEmpty && <Nothing filter={filter} onClear={() => setFilter({})} />}
        {deliveries.length > 0 && <DeliveriesTable webhook={webhook} deliveries={deliveries} />}
        <MoreButton query={query} variant="default" mt="md">
          {t('deliveries.more')}
        </MoreButton>
      </Section>
      {isReplaying && (
        <ReplayDialog webhook={webhook} filter={filter} onClose={() => setReplaying(false)} />
      )}
    </Box>
  );
}

function useDeliveryFilter() {
  const { workspace } = useSession();
  const search = useSearch({ from: '/$workspace/shell/settings/webhooks/$id' });
  const navigate = useNavigate();
  const filter = deliveryFilterOf(search);
  const setFilter = (next: DeliveryFilter) =>
    void navigate({
      to: '/$workspace/settings/webhooks/$id',
      params: (params) => ({ id: '', ...params, workspace }),
      search: deliverySearchOf(next),
      replace: true,
      resetScroll: false,
    });
  return { filter, setFilter };
}

interface NothingProps {
  readonly filter: DeliveryFilter;
  readonly onClear: () => void;
}

function Nothing({ filter, onClear }: NothingProps) {
  const t = useT();
  if (Object.keys(filter).length === 0) {
    return <EmptyState title={t('deliveries.none')} text={t('deliveries.noneText')} />;
  }
  return (
    <EmptyState
      title={t('deliveries.noneFound')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('deliveries.clear')}
        </Button>
      }
    />
  );
}
