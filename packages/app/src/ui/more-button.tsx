// Loads the next page; hidden where there is none.

import { Button, type ButtonProps } from '@mantine/core';

interface MoreButtonProps extends ButtonProps {
  /** A query of pages of TanStack Query. */
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
}

export function MoreButton({ query, ...props }: MoreButtonProps) {
  if (!query.hasNextPage) return null;
  return (
    <Button
      variant="subtle"
      {...props}
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    />
  );
}
