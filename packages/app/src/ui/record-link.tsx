// A link to the page of a record for places that show hundreds of them: it knows its address without the state of the
// router, which each link of the router's own watches.

import { useRouter } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { useSession } from '../lib/session.ts';

interface RecordLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'type'> {
  /** The object type. */
  readonly type: string;
  readonly id: string;
}

export function RecordLink({ type, id, ...props }: RecordLinkProps) {
  const { workspace } = useSession();
  const router = useRouter();
  const onClick = (event: MouseEvent) => {
    const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (event.defaultPrevented || event.button !== 0 || !isPlain) return;
    event.preventDefault();
    void router.navigate({ to: '/$workspace/o/$type/$id', params: { workspace, type, id } });
  };
  return (
    <a href={`${router.basepath}/${workspace}/o/${type}/${id}`} onClick={onClick} {...props} />
  );
}
