// Saving a report, saving it as another one, sharing, exporting, deleting it.

import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { isRecordsError, type ObjectDefinition, type View } from '@workspace-records/client';
import { useState } from 'react';
import { later } from '../../lib/later.tsx';
import { type Translate, useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { isEqual } from '../../lib/view-state.ts';
import { copyAddress } from '../../ui/copy-address.ts';
import { Icon } from '../../ui/icon.tsx';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import { useReportWrites } from './api.ts';
import { DashboardItems } from './dashboard-items.tsx';
import { contentOfReport, type ReportState } from './report-state.ts';
import { useExport } from './use-export.ts';

const ReportDialogs = later(() => import('./report-dialogs.tsx'));

export type OpenDialog = 'save' | 'rename' | 'delete';

export interface ReportActionsProps {
  readonly object: ObjectDefinition;
  readonly state: ReportState;
  readonly base: ReportState;
  readonly saved: View | undefined;
}

export function ReportActions(props: ReportActionsProps) {
  const t = useT();
  const { state, base, saved } = props;
  const [dialog, setDialog] = useState<OpenDialog>();
  // Not of the buttons, which are gone as soon as it is saved.
  const { update } = useReportWrites();
  const isChanged = saved !== undefined && !isEqual(state, base);
  return (
    <>
      {isChanged && <Changes {...{ saved, state, update }} />}
      {saved === undefined && (
        <Button onClick={() => setDialog('save')}>{t('reports.save')}</Button>
      )}
      <More {...props} onOpen={setDialog} />
      {dialog !== undefined && (
        <ReportDialogs {...{ dialog, state, saved }} onClose={() => setDialog(undefined)} />
      )}
    </>
  );
}

interface ChangesProps {
  readonly saved: View;
  readonly state: ReportState;
  readonly update: ReturnType<typeof useReportWrites>['update'];
}

function Changes({ saved, state, update }: ChangesProps) {
  const t = useT();
  const { workspace } = useSession();
  const navigate = useNavigate();
  const reset = () =>
    void navigate({
      to: '/$workspace/reports/$id',
      params: { workspace, id: saved.id },
      search: {},
    });
  const save = () =>
    update.mutate(
      { view: saved, changes: contentOfReport(state) },
      {
        onSuccess: reset,
        onError: (error) => showToast({ text: failureText(error, t), isProblem: true }),
      },
    );
  return (
    <Group wrap="nowrap" gap={6} role="group" aria-label={t('views.changed')}>
      {saved.can_change && (
        <Button loading={update.isPending} onClick={save}>
          {t('reports.saveChanges')}
        </Button>
      )}
      <Button variant="subtle" color="gray" onClick={reset}>
        {t('views.reset')}
      </Button>
    </Group>
  );
}

export function failureText(error: Error, t: Translate): string {
  return isRecordsError(error, 'stale_record') ? t('reports.stale') : problemText(error, t);
}

interface MoreProps extends ReportActionsProps {
  readonly onOpen: (dialog: OpenDialog) => void;
}

function More({ object, state, saved, onOpen }: MoreProps) {
  const t = useT();
  const exportReport = useExport(object, state, saved?.name ?? t('reports.new'));
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('reports.more')}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="down" />} onClick={() => void exportReport()}>
          {t('reports.export')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="copy" />} onClick={() => void copyAddress(t)}>
          {t('record.copyLink')}
        </Menu.Item>
        {saved !== undefined && (
          <Menu.Item leftSection={<Icon name="plus" />} onClick={() => onOpen('save')}>
            {t('reports.saveAs')}
          </Menu.Item>
        )}
        {saved !== undefined && <DashboardItems report={saved} />}
        {saved?.can_change === true && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<Icon name="person" />} onClick={() => onOpen('rename')}>
              {t('views.rename')}
            </Menu.Item>
            <Menu.Item
              color="red"
              leftSection={<Icon name="trash" />}
              onClick={() => onOpen('delete')}
            >
              {t('reports.delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
