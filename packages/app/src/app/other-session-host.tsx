// Another person has signed in in another tab: a dialog covers this one, which no longer writes in their name.

import { later } from '../lib/later.tsx';
import { useOtherPerson } from '../lib/other-session.ts';

const OtherSessionDialog = later(() => import('./other-session-dialog.tsx'));

export function OtherSessionHost() {
  const person = useOtherPerson();
  return person !== undefined && <OtherSessionDialog name={person.name} />;
}
