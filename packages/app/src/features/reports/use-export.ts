// The groups of a report as a CSV file, also those that its chart has no room for.

import type { ObjectDefinition } from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import { saveFile } from '../../lib/save-file.ts';
import { type CsvCell, spreadsheetCsv } from '../../lib/spreadsheet-csv.ts';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import { fileName, valueText } from './csv-file.ts';
import { metricText } from './figure-text.ts';
import type { GroupValue } from './figures.ts';
import { groupName, metricName, type ReportState } from './report-state.ts';
import { useReport } from './use-report.ts';

/** Resolves when the file is there, or the failure is reported. */
export function useExport(object: ObjectDefinition, state: ReportState, name: string) {
  const t = useT();
  const { report, readAll } = useReport(object, state);
  return async () => {
    if (report === undefined) return;
    try {
      const groups = await readAll();
      const { dimensions } = report.figures;
      const head = [
        ...dimensions.map(({ known }) => known.label),
        ...report.metrics.map((metric) => metricText(metric, t)),
      ];
      const rows = groups.map((group): readonly CsvCell[] => [
        ...dimensions.map((dimension, index) =>
          valueText((group[groupName(dimension.group)] ?? null) as GroupValue, {
            isPeriod: dimension.group.by !== undefined,
            nameOf: report.names[index] ?? String,
          }),
        ),
        ...report.metrics.map((_, index) => (group[metricName(index)] ?? null) as CsvCell),
      ]);
      const csv = spreadsheetCsv([head, ...rows]);
      saveFile(fileName(name), new Blob([csv], { type: 'text/csv;charset=utf-8' }));
    } catch (error) {
      showToast({ text: problemText(error, t), isProblem: true });
    }
  };
}
