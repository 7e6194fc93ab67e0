// Creating workspaces over HTTP, for the operator of the service: with the OPERATOR_KEY, which belongs to no workspace.

import Type from 'typebox';
import { loadMemberByEmail } from '../../control/people/people.ts';
import { OPERATOR } from '../../control/workspace/administrative-audit.ts';
import { findWorkspace, type WorkspaceRow } from '../../control/workspace/workspaces.ts';
import { withAdministrator } from '../../definitions/document/first-administrator.ts';
import { ApiError } from '../../errors.ts';
import { makeSignInLink } from '../../flow/people/make-sign-in-link.ts';
import { say } from '../../messages/message.ts';
import { WORKSPACE_SLUG_PATTERN } from '../../model/definition/physical-names.ts';
import type { Database } from '../../postgres/db.ts';
import {
  createWorkspace as makeWorkspace,
  type NewWorkspace,
} from '../../workspaces/create-workspace.ts';
import { defineOpenRoute } from '../context.ts';
import { explainRefusal } from '../definitions/definition-routes.ts';
import { Patch } from '../definitions/definition-shapes.ts';
import { EmailText, NameText, noParams, noQuery } from '../people/administration-shapes.ts';
import { closed, nullable, responseOf } from '../shapes.ts';

const moment = Type.String({ format: 'date-time' });
const Link = Type.Object({ url: Type.String({ format: 'uri' }), expires_at: moment });

export const createWorkspace = defineOpenRoute({
  method: 'POST',
  path: '/workspaces',
  operationId: 'createWorkspace',
  tag: 'Workspace',
  summary: 'Create a workspace',
  description: [
    'For the operator of the service, with its `OPERATOR_KEY` in place of an API key; without that setting the',
    'path does not exist. `definition` is the document of the workspace, a merge patch over the base. With `admin`',
    'the workspace gets its first administrator, and the answer a link to sign in with: good once, for 30 minutes.',
    'Unless `definition` has roles, it also gets the roles Member and Viewer.',
  ].join('\n'),
  operator: true,
  params: noParams,
  query: noQuery,
  body: Type.Object(
    {
      slug: Type.String({ pattern: WORKSPACE_SLUG_PATTERN }),
      name: Type.Optional(NameText),
      definition: Type.Optional(Patch),
      admin: Type.Optional(Type.Object({ email: EmailText, name: NameText }, closed)),
    },
    closed,
  ),
  status: 201,
  result: responseOf(
    Type.Object({
      id: Type.Integer(),
      slug: Type.String(),
      name: Type.String(),
      revision: Type.Integer(),
      sign_in_link: nullable(Link),
    }),
  ),
  errors: ['conflict', 'invalid_write'],
  async handle({ body, site }, { db }) {
    const { slug, name, definition = {}, admin } = body;
    const document = admin === undefined ? definition : withAdministrator(definition, admin);
    const named = name === undefined ? {} : { name };
    const workspace = await makeOrExplain(db, { slug, document, ...named });
    const link =
      admin === undefined ? null : await linkOf(db, workspace, admin.email, site().origin);
    const { id, revision } = workspace;
    return { body: { data: { id, slug, name: workspace.name, revision, sign_in_link: link } } };
  },
});

/** Errors: `conflict` for a slug that is taken, `invalid_write` for a definition with problems. */
async function makeOrExplain(db: Database, workspace: NewWorkspace): Promise<WorkspaceRow> {
  const { slug } = workspace;
  await requireFreeSlug(db, slug);
  try {
    return await makeWorkspace(db, workspace);
  } catch (error) {
    await requireFreeSlug(db, slug);
    throw explainRefusal(error);
  }
}

async function requireFreeSlug(db: Database, slug: string): Promise<void> {
  if ((await findWorkspace(db, slug)) === undefined) return;
  throw new ApiError('conflict', { param: 'slug', message: say('workspace_exists', { slug }) });
}

async function linkOf(db: Database, workspace: WorkspaceRow, email: string, origin: string) {
  const person = await loadMemberByEmail(db, workspace.schema, email);
  if (person === undefined) throw new Error('the first administrator is not in the workspace');
  return makeSignInLink({ db, workspace, actor: OPERATOR }, { person, origin });
}
