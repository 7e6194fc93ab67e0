// A calendar view as a feed for programs of calendars: its address is made on request and shown once.

import { Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { View } from '@workspace-records/client';
import { useT } from '../../../lib/messages/index.ts';
import { useSession } from '../../../lib/session.ts';
import { DialogButtons } from '../../../ui/dialog-buttons.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { SecretView } from '../../../ui/secret-view.tsx';

interface FeedDialogProps {
  readonly saved: View;
  readonly onClose: () => void;
}

export function FeedDialog({ saved, onClose }: FeedDialogProps) {
  const t = useT();
  const { workspace, client } = useSession();
  const queries = useQueryClient();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => client.views.feed(saved.id),
    // The result of the mutation is dropped with its component.
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: [workspace, 'keys'] }),
  });
  if (data !== undefined) {
    return (
      <SecretView secret={data.url} onClose={onClose}>
        <Text c="dimmed" mb="lg">
          <a href={data.url.replace(/^https?:/, 'webcal:')}>{t('views.feedOpen')}</a>
        </Text>
        <Text c="dimmed" mb="lg">
          {t('views.feedPaste')}
        </Text>
      </SecretView>
    );
  }
  return (
    <>
      <Text c="dimmed" mb="lg">
        {t('views.feedText')}
      </Text>
      <Text c="dimmed" mb="lg">
        {t('views.feedWho')}
      </Text>
      {error !== null && <Problem error={error} />}
      <DialogButtons onClose={onClose}>
        <Button loading={isPending} onClick={() => mutate()}>
          {t('views.feedMake')}
        </Button>
      </DialogButtons>
    </>
  );
}
