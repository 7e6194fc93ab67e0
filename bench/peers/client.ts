// Sends requests to a peer over kept connections and measures them: how many a second, how long
// each took. Every request that was begun is waited for, so that it is known what was written.

import http from 'node:http';
import https from 'node:https';
import type { PeerRequest } from './peer.ts';

/** A request and what its answer must be. */
export interface Question {
  readonly request: PeerRequest;
  readonly status: number;
  /** Throws when the parsed body, undefined when there was none, is not the right answer. */
  check(body: unknown): void;
  /** Called with every answer of the right status. */
  answered?(): void;
}

export interface Sender {
  /** Send one and check its answer. */
  ask(question: Question): Promise<void>;
  /** Send these again and again for so long; one answer in `CHECKED` is looked into. */
  measure(questions: readonly Question[], load: SendLoad): Promise<Turn>;
  close(): void;
}

export interface SendLoad {
  readonly seconds: number;
  /** Requests at the same time. */
  readonly connections: number;
}

export interface Turn {
  /** Answers a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

const CHECKED = 20;
/** Milliseconds: a run must not hang. */
const PATIENCE = 60_000;

interface Answer {
  readonly status: number;
  readonly text: string;
}

export function openSender(
  url: string,
  headers: Readonly<Record<string, string>>,
  connections: number,
): Sender {
  const { request, Agent } = url.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  /** Printed once, however often it is sent. */
  const bodies = new Map<Question, string>();

  function send(question: Question): Promise<Answer> {
    const { method, path, body } = question.request;
    if (body !== undefined && !bodies.has(question)) bodies.set(question, JSON.stringify(body));
    const text = bodies.get(question);
    const options = { method, agent, headers: { ...headers, ...lengthOf(text) } };
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, url), options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          resolve({ status, text: Buffer.concat(chunks).toString() });
        });
      });
      sent.setTimeout(PATIENCE, () => sent.destroy(new Error(`no answer to ${method} ${path}`)));
      sent.on('error', reject);
      sent.end(text);
    });
  }

  async function ask(question: Question, isChecked: boolean): Promise<void> {
    const { status, text } = await send(question);
    if (status !== question.status) throw new Error(`status ${status}: ${text.slice(0, 200)}`);
    question.answered?.();
    if (isChecked) question.check(text === '' ? undefined : JSON.parse(text));
  }

  return {
    ask: (question) => ask(question, true),
    measure: (questions, load) => measure(ask, questions, load),
    close: () => agent.destroy(),
  };
}

function lengthOf(text: string | undefined): Readonly<Record<string, string>> {
  if (text === undefined) return {};
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  };
}

async function measure(
  ask: (question: Question, isChecked: boolean) => Promise<void>,
  questions: readonly Question[],
  { seconds, connections }: SendLoad,
): Promise<Turn> {
  const latencies: number[] = [];
  const started = performance.now();
  let next = 0;
  let failure: unknown;
  async function worker(): Promise<void> {
    while (failure === undefined && performance.now() < started + 1000 * seconds) {
      const number = next;
      next += 1;
      const sent = performance.now();
      try {
        await ask(questions[number % questions.length] as Question, number % CHECKED === 0);
      } catch (error) {
        failure ??= error;
      }
      latencies.push(performance.now() - sent);
    }
  }
  await Promise.all(Array.from({ length: connections }, worker));
  if (failure !== undefined) throw failure;
  return turnOf(latencies, (performance.now() - started) / 1000);
}

function turnOf(latencies: readonly number[], elapsed: number): Turn {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * sorted.length)] as number;
  return { rate: sorted.length / elapsed, p50: at(0.5), p99: at(0.99) };
}
