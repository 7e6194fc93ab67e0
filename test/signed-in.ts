// Calls by a person without an API key: the same routes and checks, without a socket. Further requirements of routes
// for sessions are tested with sessions.

import { expect } from 'vitest';
import { ROUTES } from '../src/api/index.ts';
import { loadMemberByEmail } from '../src/control/people/people.ts';
import { loadModel } from '../src/control/workspace/workspaces.ts';
import type { Invocation, InvokedAnswer } from '../src/http/route/invoke.ts';
import type { WorkspaceModel } from '../src/model/definition/model.ts';
import { callerOf } from '../src/model/rights/access.ts';
import type { World } from './world.ts';

export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every form
  readonly body: any;
}

export type Ask = (operationId: string, invocation?: Invocation) => Promise<Answered>;

/** Calls routes as this person of acme, with their present rights. */
export function openAsk({ database: { db, rows }, invoke }: World, person: string): Ask {
  return async (operationId, invocation = {}) => {
    const route = ROUTES.find((one) => one.operationId === operationId);
    if (route === undefined) throw new Error(`there is no ${operationId}`);
    const [workspace] = await rows(
      `select id from workspace_records.workspaces where slug = 'acme'`,
    );
    const model = (await loadModel(db, Number(workspace?.id))) as WorkspaceModel;
    const member = await loadMemberByEmail(db, model.schema, `${person}@acme.example`);
    if (member === undefined) throw new Error(`there is no ${person}`);
    const caller = callerOf(model, member, { kind: 'import' });
    const answer = await invoke(route, { ...invocation, caller: () => ({ caller, model }) });
    expect(answer).toHaveProperty('body');
    const { status, body } = answer as InvokedAnswer;
    return { status, body };
  };
}
