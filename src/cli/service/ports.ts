// The ports that a service listens on: tried before anything else is done, so that a taken one costs no work, and
// explained by the setting that chooses them.

import { once } from 'node:events';
import net from 'node:net';
import type { Config } from '../../config.ts';
import { operatorError } from '../../errors.ts';

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** The settings by which an operator chooses another port and address. */
  readonly portSetting: string;
  readonly hostSetting: string;
}

export function requestPort({ host, port }: Config): Listening {
  return { host, port, portSetting: '--port or PORT', hostSetting: '--host or HOST' };
}

/** Undefined when no metrics are served. */
export function metricsPort({ metricsHost, metricsPort: port }: Config): Listening | undefined {
  if (port === undefined) return undefined;
  return { host: metricsHost, port, portSetting: 'METRICS_PORT', hostSetting: 'METRICS_HOST' };
}

/** Listen on each for a moment. Errors: operator errors that name the setting. */
export async function requireFreePorts(config: Config): Promise<void> {
  for (const listening of [requestPort(config), metricsPort(config)]) {
    if (listening === undefined || listening.port === 0) continue;
    const { host, port } = listening;
    const server = net.createServer();
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening').catch((error: unknown) => {
      throw explainListen(error, listening);
    });
    server.close();
    await once(server, 'close');
  }
}

/** The error of the system as an operator error; others as they are. */
export function explainListen(error: unknown, listening: Listening): unknown {
  if (!(error instanceof Error)) return error;
  const { code, address, port } = error as NodeJS.ErrnoException &
    Partial<Listening> & {
      readonly address?: string;
    };
  const { portSetting, hostSetting } = listening;
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `the port is in use; choose another with ${portSetting}`,
    EACCES: `this user is not allowed to use the port; choose one above 1023 with ${portSetting}`,
    EADDRNOTAVAIL: `the address is not one of this machine; choose another with ${hostSetting}`,
    ENOTFOUND: `the host name is not known; choose another with ${hostSetting}`,
  };
  const reason = reasons[String(code)];
  if (reason === undefined) return error;
  const place = `${address ?? listening.host}:${port ?? listening.port}`;
  return operatorError(`Cannot listen on ${place}: ${reason}.`, error);
}
