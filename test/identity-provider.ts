// An identity provider on this machine, the certified implementation oidc-provider, and a browser that goes there and
// back. Every visitor is signed in as the account that the test names.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

export interface Account {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: unknown;
  /** The methods by which the person signs in there (RFC 8176). */
  readonly amr?: readonly string[];
  /** Claims of the ID token alone, and of the userinfo endpoint alone; left out: both have those above. */
  readonly token?: Readonly<Record<string, unknown>>;
  readonly userinfo?: Readonly<Record<string, unknown>>;
}

/** Providers that put the address into the ID token, as Entra ID, Cognito and Keycloak do. */
export const WITH_EMAIL_IN_TOKEN: Configuration = { conformIdTokenClaims: false };

export interface IdentityProvider {
  readonly issuer: string;
  /** All later visitors have this account. */
  signIn(account: Account): void;
  /** The next one who comes waits on its page until the answer is called. */
  hold(): () => void;
  /** Say where browsers may be sent back to; before that it does not answer. */
  open(redirectUri: string, settings?: Configuration): void;
  close(): Promise<void>;
}

export const CLIENT = { id: 'records', secret: 'a secret that only tests know' };

export async function startIdentityProvider(): Promise<IdentityProvider> {
  let handle: http.RequestListener = (_, response) => void response.writeHead(503).end();
  let present: Account = { sub: 'nobody' };
  let held: Promise<void> | undefined;
  const known = new Map<string, Account>();
  const server = http.createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    signIn(account) {
      present = account;
      known.set(account.sub, account);
    },
    hold() {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
    open(redirectUri, settings = {}) {
      const provider = new Provider(issuer, configurationOf(redirectUri, known, settings));
      const callback = provider.callback();
      handle = (request, response) => {
        if (request.url?.startsWith('/interaction/') !== true) {
          void callback(request, response);
          return;
        }
        const { amr } = present;
        const login = { accountId: present.sub, ...(amr === undefined ? {} : { amr: [...amr] }) };
        const result = { login };
        const wait = held ?? Promise.resolve();
        held = undefined;
        void wait.then(() => provider.interactionFinished(request, response, result));
      };
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function configurationOf(
  redirectUri: string,
  known: ReadonlyMap<string, Account>,
  settings: Configuration,
): Configuration {
  return {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    pkce: { required: () => true },
    cookies: { keys: ['keys of tests'] },
    claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({
      accountId: sub,
      async claims(use) {
        const { token, userinfo, ...claims } = known.get(sub) ?? {};
        return { ...claims, ...(use === 'id_token' ? token : userinfo), sub };
      },
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: String(oidc.client?.clientId),
        accountId: String(oidc.session?.accountId),
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    ...settings,
  };
}

/** Follow redirects from an address at a provider until they lead elsewhere; answers where. */
export async function visit(address: string): Promise<string> {
  const { origin } = new URL(address);
  const jar = new Map<string, string>();
  let next = address;
  for (let step = 0; step < 10; step += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${response.status} ${await response.text()}`);
    next = new URL(location, next).href;
    if (new URL(next).origin !== origin) return next;
  }
  throw new Error('the provider sends its visitors round in circles');
}
