// A report in the list: its name, which leads to it, its star, where it belongs, and what it says.

import { ActionIcon, Group, Paper, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { View } from '@workspace-records/client';
import { favor } from '../../lib/favorites.ts';
import { useT } from '../../lib/messages/index.ts';
import { usePersonName } from '../../lib/person-names.ts';
import { reportsQuery } from '../../lib/saved-views.ts';
import { useObjects } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import framed from '../../ui/framed-rows.module.css';
import { Icon } from '../../ui/icon.tsx';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import { ReportSketch } from './report-sketch.tsx';
import { CHART_ICONS } from './report-tools.tsx';
import classes from './reports.module.css';

export function ReportCard({ view }: { readonly view: View }) {
  const t = useT();
  const { workspace, me } = useSession();
  const object = useObjects().find(({ object_type }) => object_type === view.object_type);
  const shared = {
    private: t('views.private'),
    team: t('views.team'),
    workspace: t('views.workspace'),
  }[view.shared];
  return (
    <Paper component="li" withBorder p="sm" radius="md" className={framed.covered}>
      <Group gap="xs" wrap="nowrap" mb="xs">
        <Icon name={CHART_ICONS[view.chart ?? 'bars']} size={14} />
        <Link
          to="/$workspace/reports/$id"
          params={{ workspace, id: view.id }}
          className={framed.cover}
        >
          {view.name}
        </Link>
        {me.viewing === undefined && <Star view={view} />}
      </Group>
      <ReportSketch view={view} />
      <Text fz="xs" lh="md" c="dimmed" mt="xs" truncate>
        {object?.name ?? view.object_type} ·{' '}
        {view.owner_user_id === me.user.id ? shared : <Owner id={view.owner_user_id} />}
      </Text>
    </Paper>
  );
}

function Owner({ id }: { readonly id: number }) {
  return usePersonName(id);
}

function Star({ view }: { readonly view: View }) {
  const t = useT();
  const session = useSession();
  const queries = useQueryClient();
  const { queryKey } = reportsQuery(session);
  const { mutate } = useMutation({
    mutationFn: (isFavorite: boolean) => favor(session, view, isFavorite),
    onSuccess: (_, isFavorite) =>
      queries.setQueryData(queryKey, (views = []) =>
        views.map((one) => (one.id === view.id ? { ...one, is_favorite: isFavorite } : one)),
      ),
    onError: (error) => showToast({ text: problemText(error, t), isProblem: true }),
  });
  const isOn = view.is_favorite;
  return (
    <ActionIcon
      className={classes.star}
      aria-label={`${t('views.star')}: ${view.name}`}
      aria-pressed={isOn}
      onClick={() => mutate(!isOn)}
    >
      <Icon name="star" size={14} />
    </ActionIcon>
  );
}
