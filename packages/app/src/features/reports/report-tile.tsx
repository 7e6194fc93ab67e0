// A saved report among others on a page.

import { Text } from '@mantine/core';
import type { View } from '@workspace-records/client';
import { useMemo } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { useObject } from '../../lib/schema-queries.ts';
import { ReportChart } from './report-chart.tsx';
import { stateOfReport } from './report-state.ts';

export default function ReportTile({ view }: { readonly view: View }) {
  const t = useT();
  const object = useObject(view.object_type);
  const state = useMemo(() => stateOfReport(view, object), [view, object]);
  if (view.hidden)
    return (
      <Text c="dimmed" fz="xs" mt="md">
        {t('reports.tileHidden')}
      </Text>
    );
  return <ReportChart object={object} state={state} isSmall />;
}
