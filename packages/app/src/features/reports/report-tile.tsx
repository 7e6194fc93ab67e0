// A saved report among others on a page.

import type { View } from '@workspace-records/client';
import { useMemo } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { useObject } from '../../lib/schema-queries.ts';
import { ReportChart } from './report-chart.tsx';
import { stateOfReport } from './report-state.ts';
import classes from './reports.module.css';

export default function ReportTile({ view }: { readonly view: View }) {
  const t = useT();
  const object = useObject(view.object_type);
  const state = useMemo(() => stateOfReport(view, object), [view, object]);
  if (view.hidden) return <p className={classes.note}>{t('reports.tileHidden')}</p>;
  return <ReportChart object={object} state={state} isSmall />;
}
