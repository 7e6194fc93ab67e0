// The proxies of deploy/ as processes, with the files as they are shipped: only ports, certificates and users are others.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { until } from '../until.ts';

export const HOST = 'records.example.com';
const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy');

export interface ProxyPlace {
  /** An empty folder, in which the certificate is, and the proxy keeps its files. */
  readonly folder: string;
  readonly tlsPort: number;
  readonly plainPort: number;
  /** Ports of the two processes of the service. */
  readonly upstreams: readonly [number, number];
}

export interface RunningProxy {
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

interface Program {
  /** The shipped file with the ports and paths of the test, and its surroundings. */
  configure(place: ProxyPlace): void;
  check(place: ProxyPlace): readonly [string, ...string[]];
  run(place: ProxyPlace): readonly [string, ...string[]];
}

/** A certificate of the host, signed by itself, in the forms that the proxies read. */
export function makeCertificate(folder: string): Buffer {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const args = [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${HOST}`],
    ...['-addext', `subjectAltName=DNS:${HOST}`, '-keyout', key, '-out', cert],
  ];
  execFileSync('openssl', args, { stdio: 'pipe' });
  const bytes = readFileSync(cert);
  writeFileSync(join(folder, 'both.pem'), Buffer.concat([bytes, readFileSync(key)]));
  return bytes;
}

/** A shipped file with substitutions, each of which it must have a place for. */
function shipped(name: string, substitutions: readonly (readonly [string, string])[]): string {
  let text = readFileSync(join(DEPLOY, name), 'utf8');
  for (const [from, to] of substitutions) {
    if (!text.includes(from)) throw new Error(`deploy/${name} has no "${from}"`);
    text = text.replaceAll(from, to);
  }
  return text;
}

const upstreamsOf = ({ upstreams }: ProxyPlace) =>
  [
    ['127.0.0.1:3000', `127.0.0.1:${upstreams[0]}`],
    ['127.0.0.1:3001', `127.0.0.1:${upstreams[1]}`],
  ] as const;

const LETS_ENCRYPT = `/etc/letsencrypt/live/${HOST}`;
const isRoot = process.getuid?.() === 0;

const nginx: Program = {
  configure(place) {
    const { folder, tlsPort, plainPort } = place;
    const text = shipped('nginx.conf', [
      ...upstreamsOf(place),
      ['# server', 'server'],
      ['listen 443', `listen 127.0.0.1:${tlsPort}`],
      ['listen 80', `listen 127.0.0.1:${plainPort}`],
      [`${LETS_ENCRYPT}/fullchain.pem`, join(folder, 'cert.pem')],
      [`${LETS_ENCRYPT}/privkey.pem`, join(folder, 'key.pem')],
    ]);
    writeFileSync(join(folder, 'records.conf'), text);
    writeFileSync(
      join(folder, 'nginx.conf'),
      `${isRoot ? 'user www-data;' : ''}
      pid ${folder}/nginx.pid; error_log stderr; daemon off;
      events {}
      http {
        access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
        fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
        # What people add: every kind of answer compressed.
        gzip on; gzip_proxied any; gzip_min_length 1; gzip_types application/json text/event-stream;
        include ${folder}/records.conf;
      }`,
    );
  },
  check: ({ folder }) => ['/usr/sbin/nginx', '-t', '-c', join(folder, 'nginx.conf')],
  run: ({ folder }) => ['/usr/sbin/nginx', '-c', join(folder, 'nginx.conf')],
};

const haproxy: Program = {
  configure(place) {
    const { folder, tlsPort, plainPort } = place;
    const text = shipped('haproxy.cfg', [
      ...upstreamsOf(place),
      ['# server second', 'server second'],
      ['bind :443', `bind 127.0.0.1:${tlsPort}`],
      ['bind :80', `bind 127.0.0.1:${plainPort}`],
      [`/etc/haproxy/${HOST}.pem`, join(folder, 'both.pem')],
      ...(isRoot ? [] : ([['  user haproxy\n  group haproxy\n', '']] as const)),
    ]);
    writeFileSync(join(folder, 'haproxy.cfg'), text);
  },
  check: ({ folder }) => ['/usr/sbin/haproxy', '-c', '-f', join(folder, 'haproxy.cfg')],
  run: ({ folder }) => ['/usr/sbin/haproxy', '-db', '-f', join(folder, 'haproxy.cfg')],
};

const caddy: Program = {
  configure(place) {
    const { folder, tlsPort, plainPort } = place;
    const text = shipped('Caddyfile', [
      [
        'reverse_proxy 127.0.0.1:3000',
        `reverse_proxy 127.0.0.1:${place.upstreams[0]} 127.0.0.1:${place.upstreams[1]}`,
      ],
      [`${HOST} {`, `${HOST}:${tlsPort} {\n\ttls ${folder}/cert.pem ${folder}/key.pem`],
    ]);
    const surroundings = `{\n\tadmin off\n\thttp_port ${plainPort}\n\tdefault_bind 127.0.0.1\n}\n`;
    writeFileSync(join(folder, 'Caddyfile'), surroundings + text);
  },
  check: ({ folder }) => [
    ...(['/usr/bin/caddy', 'validate', '--adapter', 'caddyfile'] as const),
    ...['--config', join(folder, 'Caddyfile')],
  ],
  run: ({ folder }) => [
    ...(['/usr/bin/caddy', 'run', '--adapter', 'caddyfile'] as const),
    ...['--config', join(folder, 'Caddyfile')],
  ],
};

/** The modules that the file names, and those of every installation of Debian that it relies on. */
const APACHE_MODULES = [
  ...['mpm_event', 'authz_core', 'reqtimeout', 'filter', 'deflate', 'socache_shmcb', 'ssl'],
  ...['http2', 'headers', 'alias', 'slotmem_shm', 'proxy', 'proxy_http', 'proxy_balancer'],
  'lbmethod_byrequests',
];

const apache: Program = {
  configure(place) {
    const { folder, tlsPort, plainPort } = place;
    const text = shipped('apache.conf', [
      ...upstreamsOf(place),
      ['# BalancerMember', 'BalancerMember'],
      ['*:443', `127.0.0.1:${tlsPort}`],
      ['*:80', `127.0.0.1:${plainPort}`],
      [`${LETS_ENCRYPT}/fullchain.pem`, join(folder, 'cert.pem')],
      [`${LETS_ENCRYPT}/privkey.pem`, join(folder, 'key.pem')],
    ]);
    writeFileSync(join(folder, 'records.conf'), text);
    mkdirSync(join(folder, 'run'), { recursive: true });
    const modules = APACHE_MODULES.map(
      (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
    );
    writeFileSync(
      join(folder, 'apache2.conf'),
      `${modules.join('\n')}
      ${isRoot ? 'User www-data\nGroup www-data' : ''}
      DefaultRuntimeDir ${folder}/run
      PidFile ${folder}/apache2.pid
      ErrorLog ${folder}/error.log
      Listen 127.0.0.1:${tlsPort}
      Listen 127.0.0.1:${plainPort}
      RequestReadTimeout header=20-40,minrate=500
      RequestReadTimeout body=10,minrate=500
      # What people add: every kind of answer compressed.
      AddOutputFilterByType DEFLATE application/json text/event-stream
      Include ${folder}/records.conf\n`,
    );
  },
  check: ({ folder }) => ['/usr/sbin/apache2', '-t', '-f', join(folder, 'apache2.conf')],
  run: ({ folder }) => ['/usr/sbin/apache2', '-DFOREGROUND', '-f', join(folder, 'apache2.conf')],
};

export const PROXIES = { nginx, haproxy, caddy, apache } as const;

export type ProxyName = keyof typeof PROXIES;

/** Configure, check by the program itself, and start. Errors: those that the check prints. */
export async function startProxy(name: ProxyName, place: ProxyPlace): Promise<RunningProxy> {
  const { configure, check, run } = PROXIES[name];
  configure(place);
  const env = { ...process.env, HOME: place.folder };
  const [checker, ...options] = check(place);
  execFileSync(checker, options, { env, stdio: 'pipe' });
  const [program, ...args] = run(place);
  const child = spawn(program, args, { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const isListening = async () => {
    if (child.exitCode !== null) throw new Error(`${name} has ended with ${child.exitCode}`);
    const socket = net.connect(place.tlsPort, '127.0.0.1');
    const connected = once(socket, 'connect').then(
      () => true,
      () => false,
    );
    const result = await connected;
    socket.destroy();
    return result;
  };
  await until(isListening);
  return {
    child,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
