// The objects in the navigation: those that the person may read, and under “More objects” those that they have hidden.

import { ActionIcon, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ObjectSummary } from '@workspace-records/client';
import { useState } from 'react';
import { chooseObjects } from '../actions/shown-objects-state.ts';
import { useHiddenObjects } from '../lib/hidden-objects.ts';
import { useT } from '../lib/messages/index.ts';
import { useReadableObjects } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import { Icon } from '../ui/icon.tsx';
import { iconOf } from '../ui/object-icon.ts';
import classes from './navigation.module.css';
import { Content, Entry } from './navigation-entry.tsx';

interface ObjectsProps {
  readonly isCollapsed: boolean;
}

export function Objects({ isCollapsed }: ObjectsProps) {
  const t = useT();
  const { hidden } = useHiddenObjects();
  const all = useReadableObjects();
  const more = all.filter(({ object_type }) => hidden.has(object_type));
  return (
    <>
      <div className={classes.objects}>
        <h2 className={classes.heading}>{t('nav.records')}</h2>
        {all.length > 0 && (
          <ActionIcon size={22} aria-label={t('nav.objects')} onClick={chooseObjects}>
            <Icon name="more" size={14} />
          </ActionIcon>
        )}
      </div>
      {all
        .filter((object) => !more.includes(object))
        .map((object) => (
          <ObjectEntry key={object.object_type} {...{ object, isCollapsed }} />
        ))}
      {more.length > 0 && <More objects={more} isCollapsed={isCollapsed} />}
    </>
  );
}

interface MoreProps extends ObjectsProps {
  readonly objects: readonly ObjectSummary[];
}

function More({ objects, isCollapsed }: MoreProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Entry name={t('nav.more')} isCollapsed={isCollapsed}>
        <UnstyledButton
          className={classes.entry}
          aria-label={t('nav.more')}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Content icon={isOpen ? 'chevron' : 'right'} name={t('nav.more')} />
        </UnstyledButton>
      </Entry>
      {isOpen &&
        objects.map((object) => (
          <ObjectEntry key={object.object_type} {...{ object, isCollapsed }} />
        ))}
    </>
  );
}

interface ObjectEntryProps extends ObjectsProps {
  readonly object: ObjectSummary;
}

function ObjectEntry({ object, isCollapsed }: ObjectEntryProps) {
  const { workspace } = useSession();
  const name = object.name ?? object.object_type;
  return (
    <Entry name={name} isCollapsed={isCollapsed}>
      <Link
        to="/$workspace/o/$type"
        params={{ workspace, type: object.object_type }}
        activeOptions={{ includeSearch: false }}
        className={classes.entry}
        aria-label={name}
      >
        <Content icon={iconOf(object)} name={name} />
      </Link>
    </Entry>
  );
}
