// Paths of other protocols beside the interface: their bodies, answers and errors are those of their own documents.

import { answerError } from '../answer/answer.ts';
import type { Answer, Call, Routed } from '../request/call.ts';
import type { Pipeline } from './pipeline.ts';

export interface Endpoint<Context> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** From the root of the server, parameters in braces. */
  readonly path: `/${string}`;
  /** Undefined when the client is gone. */
  answer(call: Call, routed: Routed, context: Context): Promise<Answer | undefined>;
  /** The answer to a failure, also before the call gets here; left out: the envelope of the interface. */
  readonly refuse?: AnswerFailure;
}

export type AnswerFailure = (call: Call, error: unknown) => Answer;

/** Answer a call of an endpoint, which finds its caller itself. Never rejects. */
export async function answerEndpoint<Context>(
  call: Call,
  endpoint: Endpoint<Context>,
  routed: Routed,
  environment: { readonly pipeline: Pipeline; readonly context: Context },
): Promise<Answer | undefined> {
  call.route = `${endpoint.method} ${endpoint.path}`;
  try {
    const answer = await endpoint.answer(call, routed, environment.context);
    if (endpoint.method !== 'GET') environment.pipeline.lookAgain();
    return answer;
  } catch (error) {
    return (endpoint.refuse ?? answerError)(call, error);
  }
}
