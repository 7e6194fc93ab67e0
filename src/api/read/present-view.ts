// Views in answers, and the shapes of the questions that they store.

import Type from 'typebox';
import type { PlacedView } from '../../control/stored/view-rows.ts';
import type { Problem } from '../../errors.ts';
import type { ViewQuestion } from '../../flow/views/view-flow.ts';
import { compileShape } from '../../http/request/validate.ts';
import type { RouteRequest } from '../../http/route/route.ts';
import { shownView } from '../../plan/read/shown-view.ts';
import { canChangeView, type ViewKind, type ViewQuery } from '../../plan/read/view-plan.ts';
import { versionToken } from '../../plan/write/precondition.ts';
import type { ApiContext } from '../context.ts';
import { closed } from '../shapes.ts';
import { groupedBody, questionBody } from './question-shapes.ts';

const { limit: _limit, cursor: _cursor, ...listed } = questionBody;
const { limit: _groups, cursor: _next, ...grouped } = groupedBody;
const ofTable = compileShape(Type.Object(listed, closed), { subject: 'The question' });
const ofReport = compileShape(Type.Object(grouped, closed), { subject: 'The question' });

/** The problems in the shape of a question that is kept. */
export function checkQuestionShape(kind: ViewKind, query: ViewQuery): readonly Problem[] {
  return kind === 'report' ? ofReport(query) : ofTable(query);
}

type Request = Pick<RouteRequest<unknown, unknown, unknown>, 'model' | 'caller' | 'requestId'>;

/** The scope of a flow of views. */
export function viewQuestion(
  { model, caller, requestId }: Request,
  { db }: ApiContext,
): ViewQuestion {
  return { db, model, caller, requestId, checkShape: checkQuestionShape };
}

/** A view as its reader may see it. */
export function presentView({ model, caller }: Request, view: PlacedView) {
  const { id, object_type, name, kind, shared, owner_user_id, chart } = view;
  return {
    id,
    object_type,
    name,
    kind,
    shared,
    owner_user_id,
    ...shownView({ model, caller, checkShape: checkQuestionShape }, view),
    chart,
    is_default: view.is_default,
    is_favorite: view.is_favorite,
    can_change: canChangeView(caller, view),
    version: versionToken({ ...view }),
    created_at: view.created_at,
    updated_at: view.updated_at,
  };
}
