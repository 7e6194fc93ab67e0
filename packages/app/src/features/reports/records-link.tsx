// A link to the records that a figure counts. Charts have hundreds of them, and each link of the router follows every
// change of the address.

import { useNavigate } from '@tanstack/react-router';
import type { ComponentProps, MouseEvent } from 'react';
import { printSearch, type SearchParams } from '../../lib/search-params.ts';
import { useSession } from '../../lib/session.ts';

interface RecordsLinkProps extends Omit<ComponentProps<'a'>, 'href' | 'onClick'> {
  readonly type: string;
  readonly search: SearchParams;
}

export function RecordsLink({ type, search, children, ...props }: RecordsLinkProps) {
  const { workspace } = useSession();
  const navigate = useNavigate();
  const follow = (event: MouseEvent) => {
    const isOther = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    // The browser opens other tabs and windows itself.
    if (event.button !== 0 || isOther || event.defaultPrevented) return;
    event.preventDefault();
    void navigate({ to: '/$workspace/o/$type', params: { workspace, type }, search });
  };
  return (
    <a {...props} href={`/app/${workspace}/o/${type}${printSearch(search)}`} onClick={follow}>
      {children}
    </a>
  );
}
