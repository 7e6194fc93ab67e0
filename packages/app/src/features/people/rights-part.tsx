// The permissions of a person: a row for each object, a cell for each action with its reach, and behind each cell the roles that
// grant it. The fields of an object open below it.

import { Popover, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Access, ListedMember } from '@workspace-records/client';
import { Fragment, useId, useState } from 'react';
import { rightsQuery, rolesQuery } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { Problem } from '../../ui/problem.tsx';
import matrix from '../../ui/rights-matrix.module.css';
import { RightsMatrix } from '../../ui/rights-matrix.tsx';
import {
  ACTIONS,
  accessInForce,
  FIELD_ACCESS,
  REACH,
  WRITING_NOTES,
  writingOf,
} from '../../ui/rights-words.ts';
import { Section } from '../../ui/section.tsx';

type RightsOf = Access['objects'][number];

export function RightsPart({ person }: { readonly person: ListedMember }) {
  const t = useT();
  const { data: rights, error } = useQuery(rightsQuery(useSession(), person.id));
  return (
    <Section title={t('people.rights')} text={t('people.rightsText')}>
      {error !== null && <Problem error={error} />}
      {rights !== undefined && (
        <>
          <Flags rights={rights} />
          <Matrix objects={rights.objects} />
        </>
      )}
    </Section>
  );
}

const FLAGS = ['administrator', 'developer', 'directory', 'assign_owner'] as const;

function Flags({ rights }: { readonly rights: Access }) {
  const t = useT();
  const words = {
    administrator: t('roles.administrator'),
    developer: t('roles.developer'),
    directory: t('roles.directory'),
    assign_owner: t('roles.assignOwner'),
  };
  return (
    <ul className={matrix.flags}>
      {FLAGS.map((flag) => (
        <li key={flag}>
          <Why
            label={words[flag]}
            text={t(rights[flag].allowed ? 'roles.yes' : 'roles.no')}
            level={rights[flag].allowed ? 'most' : 'none'}
            roles={rights[flag].roles}
          />
          {words[flag]}
        </li>
      ))}
    </ul>
  );
}

function Matrix({ objects }: { readonly objects: readonly RightsOf[] }) {
  const t = useT();
  return (
    <RightsMatrix label={t('people.rights')}>
      {objects.map((object) => (
        <ObjectRows key={object.object_type} object={object} />
      ))}
    </RightsMatrix>
  );
}

function ObjectRows({ object }: { readonly object: RightsOf }) {
  const t = useT();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { name, actions } = object;
  return (
    <Fragment>
      <tr>
        <th scope="row">
          <button
            type="button"
            className={matrix.toggle}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'chevron' : 'right'} size={12} />
            {name}
          </button>
        </th>
        {ACTIONS.map(({ action, word }) => {
          const { reach, supported, roles } = actions[action];
          if (!supported) return <td key={action} className={matrix.never} />;
          const { text, level } = REACH[reach ?? 'none'];
          return (
            <td key={action}>
              <Why label={`${t(word)}: ${name}`} text={t(text)} level={level} roles={roles} />
            </td>
          );
        })}
      </tr>
      {isOpen && (
        <tr id={id}>
          <td colSpan={ACTIONS.length + 1} className={matrix.fields}>
            <Fields object={object} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}

function Fields({ object: { name, actions, fields } }: { readonly object: RightsOf }) {
  const t = useT();
  const writing = writingOf(
    (action) => actions[action].supported && actions[action].reach !== null,
  );
  const note = WRITING_NOTES[writing];
  return (
    <>
      {note !== undefined && (
        <Text c="dimmed" fz="xs" mb="sm">
          {t(note, { object: name })}
        </Text>
      )}
      <ul>
        {fields.map((field) => {
          const { text, level } = FIELD_ACCESS[accessInForce(field.access, writing)];
          return (
            <li key={field.key}>
              <span>{field.name}</span>
              <Why label={field.name} text={t(text)} level={level} roles={field.roles} />
            </li>
          );
        })}
      </ul>
    </>
  );
}

interface WhyProps {
  readonly label: string;
  readonly text: string;
  readonly level: string;
  /** Keys of the roles that grant it. */
  readonly roles: readonly string[];
}

/** The cell, and on a press why it is so. */
function Why({ label, text, level, roles }: WhyProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} withRoles={false} shadow="md" trapFocus>
      <Popover.Target>
        <UnstyledButton
          className={matrix.level}
          data-level={level}
          aria-label={t('people.why', { label, text })}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {text}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t('people.whyTitle', { label })}>
        <Granting roles={roles} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Granting({ roles }: Pick<WhyProps, 'roles'>) {
  const t = useT();
  const session = useSession();
  const { data: all = [] } = useQuery(rolesQuery(session));
  if (roles.length === 0)
    return (
      <Text c="dimmed" fz="xs" tabIndex={-1} data-autofocus>
        {t('people.noRole')}
      </Text>
    );
  return (
    <>
      <Text c="dimmed" fz="xs">
        {t('people.grantedBy')}
      </Text>
      <ul className={matrix.granting}>
        {roles.map((key) => (
          <li key={key}>
            <Link
              to="/$workspace/settings/roles/$key"
              params={{ workspace: session.workspace, key }}
            >
              {all.find((role) => role.key === key)?.name ?? key}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
