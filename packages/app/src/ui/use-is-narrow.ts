// Whether the page is as narrow as a telephone.

import { useMediaQuery } from '@mantine/hooks';

export function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 30rem)', false, { getInitialValueInEffect: false });
}
