// The parts of a record: its relationships, the records linked to it, its comments.

import type { RecordIdentity } from './fields.ts';
import { itemsFrom, type Page } from './pages.ts';
import type { CallOptions, Send } from './request.ts';
import type { Endpoints, RecordBundle, RecordComment, Relationship } from './schema.ts';

type LinkedQuery = NonNullable<Endpoints['listLinkedRecords']['query']>;
type LinkedPage = Page<RecordIdentity> & { readonly object_type: string };
type LinkResult = Endpoints['linkRecord']['result']['data'];
type CommentQuery = Endpoints['listComments']['query'];

/** A record, one of its relationships, and the record at the other end. */
export interface Link {
  readonly id: string;
  /** The id of the relationship, such as `ref.company_id`. */
  readonly association: string;
  readonly target: string;
}

interface LinkOptions extends CallOptions {
  /** The version the record must still have, else the call fails with `stale_record`. */
  readonly version?: string | undefined;
}

export interface Comments {
  /** One page, newest first unless `order` says otherwise. */
  list(query?: CommentQuery, options?: CallOptions): Promise<Page<RecordComment>>;
  all(query?: CommentQuery, options?: CallOptions): AsyncGenerator<RecordComment, void, undefined>;
  create(body: string, options?: CommentOptions): Promise<RecordComment>;
  /** The first people by name who can read the record; `q` is a part of the name. */
  mentionable(
    q?: string,
    options?: CallOptions,
  ): Promise<Endpoints['listMentionable']['result']['data']>;
}

export interface CommentOptions extends CallOptions {
  readonly mention_user_ids?: readonly number[] | undefined;
}

export interface RecordParts {
  relationships(id: string, options?: CallOptions): Promise<Relationship[]>;
  /** One page of the records at the other end of a relationship, such as `ref.company_id`. */
  linked(
    id: string,
    association: string,
    query?: LinkedQuery,
    options?: CallOptions,
  ): Promise<LinkedPage>;
  linkedAll(
    id: string,
    association: string,
    query?: LinkedQuery,
    options?: CallOptions,
  ): AsyncGenerator<RecordIdentity, void, undefined>;
  link(link: Link, options?: LinkOptions): Promise<LinkResult>;
  /**
   * An unlink whose answer was lost is made again. Of a reference (and of any link under a version) the
   * second attempt then fails with `stale_record` and `outcomeUnknown`: the first may have done it.
   */
  unlink(link: Link, options?: LinkOptions): Promise<LinkResult>;
  comments(id: string): Comments;
  /** Be notified of comments on it, or not; answers whether you follow it now. */
  follow(id: string, options?: CallOptions): Promise<boolean>;
  unfollow(id: string, options?: CallOptions): Promise<boolean>;
  isFollowing(id: string, options?: CallOptions): Promise<boolean>;
  /** The record with its comments, history and links; `complete` is false when a list has more. */
  bundle(id: string, options?: CallOptions): Promise<RecordBundle>;
}

export function recordParts(send: Send, object_type: string): RecordParts {
  const associationOf = (record_id: string, association_id: string) => {
    return { object_type, record_id, association_id };
  };
  const linked: RecordParts['linked'] = (id, association, query = {}, options) =>
    send('listLinkedRecords', { params: associationOf(id, association), query }, options);
  return {
    linked,
    async relationships(record_id, options) {
      const params = { object_type, record_id };
      return (await send('listRelationships', { params }, options)).data;
    },
    async bundle(record_id, options) {
      const params = { object_type, record_id };
      return (await send('getRecordBundle', { params }, options)).data;
    },
    linkedAll: (id, association, query = {}, options) =>
      itemsFrom(query, (page) => linked(id, association, page, options)),
    async link({ id, association, target: target_id }, { version, ...options } = {}) {
      const ask = { params: associationOf(id, association), body: { target_id }, version };
      return (await send('linkRecord', ask, options)).data;
    },
    async unlink({ id, association, target: target_id }, { version, ...options } = {}) {
      const ask = { params: { ...associationOf(id, association), target_id }, version };
      return (await send('unlinkRecord', ask, options)).data;
    },
    comments: (id) => commentsOf(send, { object_type, record_id: id }),
    ...followsOf(send, object_type),
  };
}

function followsOf(
  send: Send,
  object_type: string,
): Pick<RecordParts, 'follow' | 'unfollow' | 'isFollowing'> {
  const call =
    (route: 'followRecord' | 'unfollowRecord' | 'getFollow') =>
    async (record_id: string, options?: CallOptions) =>
      (await send(route, { params: { object_type, record_id } }, options)).data.following;
  return {
    follow: call('followRecord'),
    unfollow: call('unfollowRecord'),
    isFollowing: call('getFollow'),
  };
}

function commentsOf(send: Send, params: Endpoints['listComments']['params']): Comments {
  const list = (query: CommentQuery = {}, options?: CallOptions) =>
    send('listComments', { params, query }, options);
  return {
    list,
    all: (query = {}, options) => itemsFrom(query, (page) => list(page, options)),
    async mentionable(q, options) {
      return (await send('listMentionable', { params, query: { q } }, options)).data;
    },
    async create(body, { mention_user_ids, ...options } = {}) {
      return (await send('createComment', { params, body: { body, mention_user_ids } }, options))
        .data;
    },
  };
}
