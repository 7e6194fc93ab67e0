// The hits, in the order of the best of each object.

import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ObjectSummary, SearchHit } from '@workspace-records/client';
import { subtitleOf } from '../../lib/hit-subtitle.ts';
import { useT } from '../../lib/messages/index.ts';
import { recordName } from '../../lib/record-name.ts';
import { objectsQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import framed from '../../ui/framed-rows.module.css';
import { Icon } from '../../ui/icon.tsx';
import { iconOf } from '../../ui/object-icon.ts';
import classes from './search-page.module.css';

interface ResultsProps {
  readonly hits: readonly SearchHit[];
  readonly q: string;
}

export function Results({ hits, q }: ResultsProps) {
  const session = useSession();
  const { data: objects = [] } = useQuery(objectsQuery(session));
  const types = [...new Set(hits.map(({ object_type }) => object_type))];
  return types.map((type) => (
    <OfObject
      key={type}
      type={type}
      object={objects.find(({ object_type }) => object_type === type)}
      hits={hits.filter(({ object_type }) => object_type === type)}
      q={q}
    />
  ));
}

interface OfObjectProps extends ResultsProps {
  readonly type: string;
  readonly object: ObjectSummary | undefined;
}

function OfObject({ type, object, hits, q }: OfObjectProps) {
  const t = useT();
  const { workspace } = useSession();
  const name = object?.name ?? type;
  return (
    <Box component="section" mb="xl" aria-label={name}>
      <div className={classes.head}>
        <h2>{name}</h2>
        {object?.capabilities.search === true && (
          <Link to="/$workspace/o/$type" params={{ workspace, type }} search={{ q }}>
            {t('search.inList', { name })}
          </Link>
        )}
      </div>
      <ul className={`${framed.rows} ${classes.hits}`}>
        {hits.map((hit) => (
          <li key={hit.id}>
            <Link
              to="/$workspace/o/$type/$id"
              params={{ workspace, type, id: hit.id }}
              className={classes.hit}
              data-hit
            >
              <Icon name={object === undefined ? 'box' : iconOf(object)} />
              <span className={classes.display}>{recordName(hit)}</span>
              <span className={classes.subtitle}>{subtitleOf(hit, object)}</span>
              <Owner hit={hit} />
            </Link>
          </li>
        ))}
      </ul>
    </Box>
  );
}

/** The owner of a hit, where the person may know. */
function Owner({ hit }: { readonly hit: SearchHit }) {
  const t = useT();
  const owner = hit.expanded?.owner_user_id as { readonly name?: string | null } | null | undefined;
  const name = owner?.name ?? undefined;
  if (name === undefined) return null;
  return <span className={classes.owner}>{t('search.owner', { name })}</span>;
}
