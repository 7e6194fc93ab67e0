// OpenTelemetry spans, when the process has set OpenTelemetry up; otherwise they are no-ops. A span has the
// route and the status of the answer, never a path or a value.

import {
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Call } from '../request/call.ts';

const tracer = trace.getTracer('workspace-records');
const spans = new WeakMap<Call, Span>();

/** Run the answering of a request inside of a span of the caller's trace. */
export function traced(call: Call, route: string, run: () => void): void {
  const caller = propagation.extract(context.active(), call.headers);
  const attributes = { 'http.route': route, 'http.request.method': call.method };
  const span = tracer.startSpan(route, { kind: SpanKind.SERVER, attributes }, caller);
  if (!span.isRecording()) {
    run();
    return;
  }
  spans.set(call, span);
  context.with(trace.setSpan(caller, span), run);
}

/** The request is answered. */
export function endSpan(call: Call, status: number): void {
  const span = spans.get(call);
  if (span === undefined) return;
  span.setAttributes({
    'http.response.status_code': status,
    'workspace_records.request_id': call.requestId,
    'workspace_records.statements': call.stats.statements,
  });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
