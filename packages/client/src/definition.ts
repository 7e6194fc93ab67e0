// The definition of the workspace: reading it, planning another one, applying the plan, its revisions.

import { itemsFrom, type Page } from './pages.ts';
import type { CallOptions, Send } from './request.ts';
import type {
  AppliedDefinition,
  Definition,
  DefinitionPlan,
  DefinitionRevision,
  DefinitionRevisionWithDocuments,
  Endpoints,
} from './schema.ts';

/** The definition to apply: a document, a patch over the base, or an earlier revision. */
export type DefinitionInput = Endpoints['planDefinition']['body'];

/** The body of a plan's application: its definition, and the permitted losses. */
export type DefinitionApplication = DefinitionInput &
  Pick<Endpoints['applyDefinition']['body'], 'allow' | 'background'>;

type RevisionQuery = Endpoints['listDefinitionRevisions']['query'];

/** The job, when it takes long. */
interface StartedJob {
  readonly job: { readonly id: string; readonly kind: string };
}

export interface Definitions {
  get(query?: Endpoints['getDefinition']['query'], options?: CallOptions): Promise<Definition>;
  /** The changes it would make. It makes and stores none. */
  plan(input: DefinitionInput, options?: CallOptions): Promise<DefinitionPlan>;
  /** Carry out the plan; `stale_record` when another definition is in force. */
  apply(
    plan: Pick<DefinitionPlan, 'revision' | 'plan_id'>,
    application: DefinitionApplication,
    options?: CallOptions,
  ): Promise<AppliedDefinition | StartedJob>;
  readonly revisions: {
    list(query?: RevisionQuery, options?: CallOptions): Promise<Page<DefinitionRevision>>;
    all(
      query?: RevisionQuery,
      options?: CallOptions,
    ): AsyncGenerator<DefinitionRevision, void, undefined>;
    get(revision: number, options?: CallOptions): Promise<DefinitionRevisionWithDocuments>;
  };
}

export function definitionOf(send: Send): Definitions {
  const list = (query: RevisionQuery = {}, options?: CallOptions) =>
    send('listDefinitionRevisions', { query }, options);
  return {
    get: async (query = {}, options) => (await send('getDefinition', { query }, options)).data,
    plan: async (input, options) => (await send('planDefinition', { body: input }, options)).data,
    async apply({ revision, plan_id }, application, options) {
      if (plan_id === null) throw new TypeError('a plan with problems cannot be applied');
      const body = { ...application, plan_id };
      const ask = { body, version: String(revision) };
      return (await send('applyDefinition', ask, options)).data;
    },
    revisions: {
      list,
      all: (query = {}, options) => itemsFrom(query, (page) => list(page, options)),
      get: async (revision, options) =>
        (await send('getDefinitionRevision', { params: { revision } }, options)).data,
    },
  };
}
