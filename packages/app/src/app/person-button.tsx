// The person at the foot of the navigation: what opens their menu.

import { UnstyledButton } from '@mantine/core';
import type { ComponentProps } from 'react';
import { initialsOf } from '../lib/initials.ts';
import { useT } from '../lib/messages/index.ts';
import { useSession } from '../lib/session.ts';
import navigation from './navigation.module.css';
import classes from './person-button.module.css';

/** Takes the props that the menu gives the element that opens it. */
export function PersonButton(props: ComponentProps<'button'>) {
  const t = useT();
  const { me } = useSession();
  const name = me.user.name ?? me.user.email ?? '';
  return (
    <UnstyledButton {...props} className={navigation.entry} aria-label={t('nav.person', { name })}>
      <span className={classes.initials} data-initials={initialsOf(name)} />
      <span className={navigation.word}>{name}</span>
    </UnstyledButton>
  );
}
