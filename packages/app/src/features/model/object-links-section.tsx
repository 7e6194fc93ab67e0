// The connections of an object with others: drawn, and as a list.

import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ObjectEntry } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Section } from '../../ui/section.tsx';
import { StateMark, stateOf } from './entry-state.tsx';
import { LinksDiagram } from './links-diagram.tsx';
import classes from './model.module.css';
import { linksOf, type ObjectLink } from './object-links.ts';
import { useOpen } from './use-open.ts';

interface ObjectLinksProps {
  readonly type: string;
  readonly object: ObjectEntry;
}

export function ObjectLinks({ type, object }: ObjectLinksProps) {
  const t = useT();
  const open = useOpen();
  const { document } = useDefinition();
  const links = linksOf(document, type);
  return (
    <Section title={t('model.relationships')} text={t('links.text', { name: object.name })}>
      {links.length > 0 && (
        <>
          <LinksDiagram document={document} type={type} links={links} />
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t('model.name')}</th>
                <th scope="col">{t('model.object')}</th>
                <th scope="col" className={classes.wideOnly}>
                  {t('links.kind')}
                </th>
              </tr>
            </thead>
            <tbody>
              {links.map((link) => (
                <LinkRow key={`${link.kind} ${link.other} ${link.key}`} type={type} link={link} />
              ))}
            </tbody>
          </table>
        </>
      )}
      <Button variant="default" mt="sm" onClick={() => open({ relationship: '+' })}>
        {t('links.new')}
      </Button>
    </Section>
  );
}

const KINDS: Readonly<Record<string, PlainKey>> = {
  reference: 'links.reference',
  referred: 'links.referred',
  one_to_one: 'links.oneToOne',
  one_to_many: 'links.oneToMany',
  many_to_one: 'links.manyToOne',
  many_to_many: 'links.manyToMany',
};

interface LinkRowProps {
  readonly type: string;
  readonly link: ObjectLink;
}

function LinkRow({ type, link }: LinkRowProps) {
  const t = useT();
  const { workspace } = useSession();
  const { document } = useDefinition();
  const { kind, other, cardinality } = link;
  return (
    <tr>
      <th scope="row">
        <LinkName type={type} link={link} />
      </th>
      <td>
        <Link to="/$workspace/settings/model/$type" params={{ workspace, type: other }}>
          {document.objects[other]?.name ?? other}
        </Link>
      </td>
      <td className={classes.wideOnly}>{t(KINDS[cardinality ?? kind] ?? 'links.reference')}</td>
    </tr>
  );
}

/** Fields are edited with their object. */
function LinkName({ type, link: { kind, other, key, name } }: LinkRowProps) {
  const open = useOpen();
  const { workspace } = useSession();
  const { document, present } = useDefinition();
  if (kind === 'referred') {
    return (
      <Link
        to="/$workspace/settings/model/$type"
        params={{ workspace, type: other }}
        search={{ field: key }}
      >
        {name}
      </Link>
    );
  }
  const isField = kind === 'reference';
  const path = isField ? ['objects', type, 'fields', key] : ['relationships', key];
  return (
    <span className={classes.name}>
      <button
        type="button"
        className={classes.link}
        onClick={() => open(isField ? { field: key } : { relationship: key })}
      >
        {name}
      </button>
      <StateMark state={stateOf(present.document, document, path)} />
    </span>
  );
}
