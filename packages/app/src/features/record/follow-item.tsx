// Following a record, in its menu: whether the person does, and the other choice.

import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RecordData } from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import { type Session, useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { MenuChoice } from '../../ui/menu-choice.tsx';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';

type Place = Pick<RecordData, 'object_type' | 'id'>;

function followQuery({ workspace, client }: Session, { object_type, id }: Place) {
  return queryOptions({
    queryKey: [workspace, 'follow', object_type, id],
    queryFn: ({ signal }) => client.records(object_type).isFollowing(id, { signal }),
  });
}

export function FollowItem({ record }: { readonly record: Place }) {
  const t = useT();
  const session = useSession();
  const queries = useQueryClient();
  const query = followQuery(session, record);
  const { data: isFollowing } = useQuery(query);
  const { mutate } = useMutation({
    mutationFn(wanted: boolean) {
      const records = session.client.records(record.object_type);
      return wanted ? records.follow(record.id) : records.unfollow(record.id);
    },
    onSuccess(following) {
      queries.setQueryData(query.queryKey, following);
      showToast({ text: t(following ? 'follow.followed' : 'follow.unfollowed') });
    },
    onError: (error) => showToast({ text: problemText(error, t), isProblem: true }),
  });
  if (session.me.viewing !== undefined) return null;
  return (
    <MenuChoice
      leftSection={<Icon name="bell" />}
      isClosed={isFollowing === undefined}
      onClick={() => mutate(isFollowing !== true)}
    >
      {t(isFollowing === true ? 'follow.unfollow' : 'follow.follow')}
    </MenuChoice>
  );
}
