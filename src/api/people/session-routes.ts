// Sessions: signing in and out, and the list of sessions. flow/people/sign-in.ts makes them; the token of one is in
// its cookie only.

import Type from 'typebox';
import { type ListedSession, loadSessionsOf } from '../../control/people/session-rows.ts';
import { errorFromProblems } from '../../errors.ts';
import { endSession as signOut } from '../../flow/people/end-sessions.ts';
import type { SignedIn, SignInOrigin } from '../../flow/people/open-session.ts';
import { type SecondStep, signInWithFactor } from '../../flow/people/second-step.ts';
import {
  type PasswordSignIn,
  signInWithLink,
  signInWithPassword,
} from '../../flow/people/sign-in.ts';
import {
  endedCookies,
  requireCookies,
  sentTokens,
  sessionCookie,
} from '../../http/request/session-cookies.ts';
import type { Site } from '../../http/request/site.ts';
import type { OpenRequest } from '../../http/route/route.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { type Caller, requireAdministrator } from '../../model/rights/access.ts';
import { sessionOf } from '../../model/rights/principal.ts';
import { defineOpenRoute, defineRoute } from '../context.ts';
import { presentSession } from '../present.ts';
import { closed, listOf, responseOf, Session, Whose } from '../shapes.ts';
import { AssertionShape, CodeText } from './factor-shapes.ts';

const nothing = Type.Object({}, closed);

const ListedSessionShape = Type.Object(
  {
    ...Session.properties,
    user_id: Type.Integer(),
    method: Type.Enum(['password', 'link', 'oidc', 'passkey'], {
      description: 'How the person signed in.',
    }),
    current: Type.Boolean({ description: 'True for the session of this request.' }),
    user_agent: Type.Union([Type.String(), Type.Null()], {
      description: 'The browser, as it named itself at the sign-in.',
    }),
  },
  { $id: 'ListedSession' },
);

export const createSession = defineOpenRoute({
  method: 'POST',
  path: '/sessions',
  operationId: 'createSession',
  tag: 'Sessions',
  summary: 'Sign in',
  description: [
    'With `workspace`, `email` and `password`, or with the `token` of a one-time link. The session is',
    'in the cookie of the answer: `__Host-wrs-{workspace id}` over https, `wrs-{workspace id}` over',
    'http of this machine. Whatever is wrong is answered alike. After 10 failures in 15 minutes of an',
    'account or an address: 429 with `Retry-After`. A session that the request sends is replaced. When the',
    'person has a second factor, the answer is 401 `second_factor_required`: its `details` have a `challenge` of',
    'five minutes, `kinds`, and `passkey`, the options for the browser. The second request has the `challenge`',
    'and a `code`, a `recovery_code` or an `assertion`.',
  ].join('\n'),
  params: nothing,
  query: nothing,
  body: Type.Object(
    {
      workspace: Type.Optional(
        Type.String({ format: 'plain-text', minLength: 1, maxLength: LIMITS.idLength }),
      ),
      email: Type.Optional(
        Type.String({ format: 'plain-text', minLength: 1, maxLength: LIMITS.emailLength }),
      ),
      password: Type.Optional(
        Type.String({
          format: 'plain-text',
          minLength: 1,
          maxLength: LIMITS.passwordLength.maximum,
        }),
      ),
      token: Type.Optional(
        Type.String({ format: 'plain-text', minLength: 1, maxLength: LIMITS.idLength }),
      ),
      challenge: Type.Optional(
        Type.String({ format: 'plain-text', minLength: 1, maxLength: LIMITS.idLength }),
      ),
      code: Type.Optional(CodeText),
      recovery_code: Type.Optional(
        Type.String({ format: 'plain-text', minLength: 1, maxLength: LIMITS.idLength }),
      ),
      assertion: Type.Optional(AssertionShape),
    },
    closed,
  ),
  status: 201,
  result: responseOf(Type.Object({ session: Session, ...Whose })),
  errors: [
    'validation_failed',
    'invalid_credentials',
    'second_factor_required',
    'permission_denied',
    'second_factor_missing',
    'cross_site_request',
    'rate_limited',
  ],
  async handle(request, { db, passwords, webhooks: { keys } }) {
    const siteOfCall = request.site();
    requireCookies(siteOfCall);
    const form = requireForm(request.body);
    const origin = originOf(siteOfCall, request);
    const signIn = () => {
      if ('token' in form) return signInWithLink(db, form.token, origin);
      if ('password' in form) return signInWithPassword(db, passwords, form, origin);
      return signInWithFactor({ db, keys, now: request.now() }, form, origin);
    };
    const signedIn = await signIn();
    return {
      body: { data: presentSignedIn(signedIn) },
      cookies: [cookieOf(siteOfCall, signedIn)],
    };
  },
});

/** The client and browser with which a person signs in. */
export function originOf(
  site: Site,
  {
    cookies,
    requestId,
    isHostOf,
  }: Pick<OpenRequest<unknown, unknown, unknown>, 'cookies' | 'requestId' | 'isHostOf'>,
): SignInOrigin {
  const { address, agent } = site;
  return { address, agent, site, requestId, tokens: sentTokens(cookies, site), isHostOf };
}

/** The cookie that gives the session to the browser. */
export function cookieOf(site: Site, { workspace, token }: SignedIn): string {
  return sessionCookie(site, workspace.id, token);
}

function presentSignedIn({ session, user, workspace }: SignedIn) {
  return {
    session: presentSession(session),
    user: { id: user.id, name: user.name, email: user.email, title: user.title },
    workspace: { id: workspace.id, slug: workspace.slug, name: workspace.name },
  };
}

type Form = PasswordSignIn | { readonly token: string } | SecondStep;

interface FormBody extends Partial<PasswordSignIn> {
  readonly token?: string;
  readonly challenge?: string;
  readonly code?: string;
  readonly recovery_code?: string;
  readonly assertion?: Type.Static<typeof AssertionShape>;
}

/** A token alone, a challenge with one factor, or all of the others. Errors: `validation_failed`. */
function requireForm(body: FormBody): Form {
  const { token, workspace, email, password, challenge, code, recovery_code, assertion } = body;
  const names = Object.keys(body);
  const isPassword = workspace !== undefined && email !== undefined && password !== undefined;
  if (isPassword && names.length === 3) return { workspace, email, password };
  if (token !== undefined && names.length === 1) return { token };
  if (challenge !== undefined && names.length === 2) {
    if (code !== undefined) return { challenge, given: { code } };
    if (recovery_code !== undefined) return { challenge, given: { recovery_code } };
    if (assertion !== undefined) return { challenge, given: { assertion } };
  }
  const missing = ['workspace', 'email', 'password'].find((name) => !names.includes(name));
  const param = token === undefined ? missing : 'token';
  const message = say('credentials_or_token');
  throw errorFromProblems([{ param: param ?? 'token', code: 'validation_failed', message }]);
}

export const listSessions = defineRoute({
  method: 'GET',
  path: '/sessions',
  operationId: 'listSessions',
  tag: 'Sessions',
  summary: 'List sessions',
  description: [
    'Your sessions that have not ended, the last used first. An administrator sees those of a person',
    'with `user_id`.',
  ].join(' '),
  scope: null,
  sessionOnly: true,
  params: nothing,
  query: Type.Object(
    {
      user_id: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    },
    closed,
  ),
  status: 200,
  result: listOf(ListedSessionShape),
  errors: ['validation_failed', 'permission_denied'],
  async handle({ caller, model, query }, { db }) {
    const { user_id = caller.user.id } = query;
    if (user_id !== caller.user.id) requireAdministrator(caller);
    const sessions = await loadSessionsOf(db, model.workspace.id, user_id);
    return { body: { data: sessions.map((one) => presentListed(one, caller)) } };
  },
});

function presentListed(session: ListedSession, caller: Caller) {
  const { user_id, method } = session;
  const user_agent = session.user_agent === '' ? null : session.user_agent;
  const current = session.id === sessionOf(caller.principal)?.id;
  return { ...presentSession(session), user_id, method, current, user_agent };
}

export const endSession = defineRoute({
  method: 'DELETE',
  path: '/sessions/{session_id}',
  operationId: 'endSession',
  tag: 'Sessions',
  summary: 'End a session',
  description: [
    'Signs out. `current` is the session of the request. You can end your own sessions by their ids;',
    'administrators can end the sessions of everyone. The open streams of the session end too.',
  ].join('\n'),
  scope: null,
  sessionOnly: true,
  duringSetUp: true,
  params: Type.Object(
    {
      session_id: Type.String({
        pattern: '^(?:current|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$',
      }),
    },
    closed,
  ),
  query: nothing,
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(Type.Object({ id: Type.String(), ended: Type.Literal(true) })),
  errors: ['permission_denied', 'record_not_found'],
  async handle({ caller, model, params, site, cookies: sent, requestId }, { db }) {
    const asked = { db, model, caller, requestId };
    const { id, isOwn } = await signOut(asked, params.session_id);
    const cookies = isOwn ? endedCookies(site(), sent, model.workspace.id) : [];
    return { body: { data: { id, ended: true } }, cookies };
  },
});
