// The connections to receivers. Each receiver has its own, a limited number, so that a slow one delays no other, also
// not one at the same host; they are kept open for the next delivery. Names are resolved and checked here: a connection
// is made to the addresses that were checked.

import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { LIMITS } from '../limits.ts';
import type { AddressRules, Scheme } from './addresses.ts';
import { openTunnels } from './proxy-tunnel.ts';
import type { ResolveHost } from './resolve-host.ts';
import { sendError } from './send-failure.ts';
import { ADDRESS_REFUSED } from './webhook-rules.ts';

export interface ReceiverAgents {
  agentOf(receiver: string, scheme: Scheme): http.Agent;
  /** Close all connections. */
  close(): void;
}

export interface AgentOptions {
  readonly rules: AddressRules;
  /** Resolves names; a proxy resolves them itself. */
  readonly resolve: ResolveHost;
  /** `http://user:password@host:port`; undefined: connections are direct. */
  readonly proxy: string | undefined;
  /** Milliseconds until a proxy has connected. */
  readonly timeLimit: number;
}

/** Milliseconds for which a connection waits for the next delivery. */
const IDLE = 10_000;
/** Milliseconds between searches for receivers without connections. */
const SWEEP = 10_000;

export function openReceiverAgents(options: AgentOptions): ReceiverAgents {
  const agents = new Map<string, http.Agent>();
  let swept = performance.now();
  return {
    agentOf(receiver, scheme) {
      if (performance.now() - swept > SWEEP) {
        swept = performance.now();
        for (const [key, agent] of agents) if (isIdle(agent)) agents.delete(key);
      }
      const key = scheme + receiver;
      const agent = agents.get(key) ?? openAgent(scheme, options);
      agents.set(key, agent);
      return agent;
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

function isIdle({ sockets, freeSockets, requests }: http.Agent): boolean {
  return [sockets, freeSockets, requests].every((all) => Object.keys(all).length === 0);
}

function openAgent(scheme: Scheme, options: AgentOptions): http.Agent {
  const shared = {
    keepAlive: true,
    timeout: IDLE,
    maxSockets: LIMITS.webhookConnections,
    maxFreeSockets: LIMITS.webhookConnections,
    autoSelectFamily: true,
    lookup: checkedLookup(options, scheme),
  };
  // Explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED=0 changes nothing here.
  const agent =
    scheme === 'https:'
      ? new https.Agent({ ...shared, rejectUnauthorized: true })
      : new http.Agent(shared);
  const { proxy, timeLimit } = options;
  if (proxy === undefined) return agent;
  return Object.assign(agent, { createConnection: openTunnels(new URL(proxy), scheme, timeLimit) });
}

/** One refused address refuses the name: its owner could mean the others for the check only. */
function checkedLookup({ rules, resolve }: AgentOptions, scheme: Scheme): LookupFunction {
  return (name, { all }, callback) => {
    resolve(name).then(
      (found) => {
        const [first] = found;
        if (first === undefined) callback(NAME_NOT_FOUND, []);
        else if (!found.every(({ address }) => rules.isAllowed(address, scheme))) {
          callback(sendError('address_refused', ADDRESS_REFUSED.text), []);
        } else if (all === true) callback(null, [...found]);
        else callback(null, first.address, first.family);
      },
      () => callback(NAME_NOT_FOUND, []),
    );
  };
}

const NAME_NOT_FOUND = sendError('name_not_found', 'The host name could not be resolved.');
