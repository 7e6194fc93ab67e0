// Moves that wait for the decision of the person, with approve and reject in place.

import { Link } from '@tanstack/react-router';
import type { ObjectSummary, StatusRequest } from '@workspace-records/client';
import { useId } from 'react';
import { RequestCard } from '../../editing/requests/request-card.tsx';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { iconOf } from '../../ui/object-icon.ts';
import classes from './home-page.module.css';

interface WaitingRequestsProps {
  readonly requests: readonly StatusRequest[];
  readonly objects: readonly ObjectSummary[];
}

export default function WaitingRequests({ requests, objects }: WaitingRequestsProps) {
  const t = useT();
  const id = useId();
  return (
    <section className={classes.part} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id} className={classes.heading}>
          {t('approval.waiting')}
          <span className={classes.count}>{requests.length}</span>
        </h2>
      </div>
      <ul className={classes.rows}>
        {requests.map((request) => (
          <li key={request.id} className={classes.row}>
            <RequestCard request={request} record={<About {...{ request, objects }} />} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface AboutProps {
  readonly request: StatusRequest;
  readonly objects: readonly ObjectSummary[];
}

function About({ request, objects }: AboutProps) {
  const t = useT();
  const { workspace } = useSession();
  const { object_type: type, record_id: id, display } = request;
  const object = objects.find((one) => one.object_type === type);
  return (
    <Link to="/$workspace/o/$type/$id" params={{ workspace, type, id }} className={classes.asked}>
      {object !== undefined && <Icon name={iconOf(object)} size={14} />}
      {display ?? t('records.unnamed')}
    </Link>
  );
}
