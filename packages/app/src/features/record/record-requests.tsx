// The moves of a record that somebody asked for, in its head: those that wait for approval, each with what the person may
// do, and the earlier ones folded.

import { useQuery } from '@tanstack/react-query';
import type {
  ObjectDefinition,
  RecordData,
  StatusRequest,
  Workflow,
} from '@workspace-records/client';
import { obstacleText } from '../../editing/move-words.ts';
import { RequestCard } from '../../editing/requests/request-card.tsx';
import { approversIn, workflowReferenceOf } from '../../editing/status-moves.ts';
import { useWorkflow } from '../../editing/use-workflows.ts';
import { useLanguage, useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { requestsOf } from '../../lib/status-requests.ts';
import { EarlierRequests } from './earlier-requests.tsx';
import classes from './record-head.module.css';

interface RecordRequestsProps {
  readonly object: ObjectDefinition;
  readonly record: RecordData;
}

export default function RecordRequests({ object, record }: RecordRequestsProps) {
  const t = useT();
  const { data: requests = [] } = useQuery(requestsOf(useSession(), record));
  const pending = requests.filter(({ state }) => state === 'pending');
  const workflow = useWorkflow(workflowReferenceOf(object, record), pending.length > 0);
  return (
    <>
      {pending.length > 0 && (
        <section className={classes.requests} aria-label={t('approval.pending')}>
          {pending.map((request) => (
            <OwnRequest key={request.id} request={request} workflow={workflow} />
          ))}
        </section>
      )}
      <EarlierRequests requests={requests.filter(({ state }) => state !== 'pending')} />
    </>
  );
}

interface OwnRequestProps {
  readonly request: StatusRequest;
  readonly workflow: Workflow | undefined;
}

function OwnRequest({ request, workflow }: OwnRequestProps) {
  const words = { t: useT(), language: useLanguage() };
  const { from_status: from, to_status: to } = request;
  const approvers = workflow && approversIn(workflow, from, to);
  const names = { from, to };
  const text = approvers && obstacleText({ kind: 'approval', approvers }, names, words);
  return <RequestCard request={request} approvers={text} />;
}
