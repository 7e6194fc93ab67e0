// Whether an element was in view: its data is requested then, and not before.

import { useIntersection } from '@mantine/hooks';
import { useEffect, useState } from 'react';

/** Once it was in view, it stays seen. */
export function useSeen() {
  const { ref, entry } = useIntersection();
  const [isSeen, setSeen] = useState(false);
  const isInView = entry?.isIntersecting === true;
  useEffect(() => {
    if (isInView) setSeen(true);
  }, [isInView]);
  return { ref, isSeen };
}
