// Notifications of the user: their list, and how the user wants to hear of them.

import { itemsFrom, type Page } from './pages.ts';
import type { CallOptions, Send } from './request.ts';
import type { Endpoints, NotificationSettings, UserNotification } from './schema.ts';

/** `'true' | 'false'` of the query string as a boolean. */
export type NotificationQuery = Omit<Endpoints['listNotifications']['query'], 'unread'> & {
  readonly unread?: boolean | undefined;
};

export interface Notifications {
  /** One page of notifications, newest first. */
  list(query?: NotificationQuery, options?: CallOptions): Promise<Page<UserNotification>>;
  all(
    query?: NotificationQuery,
    options?: CallOptions,
  ): AsyncGenerator<UserNotification, void, undefined>;
  /** Mark one as read. */
  read(id: string, options?: CallOptions): Promise<UserNotification>;
  settings(options?: CallOptions): Promise<NotificationSettings>;
  /** Settings that are left out stay as they are. */
  updateSettings(
    patch: Endpoints['updateNotificationSettings']['body'],
    options?: CallOptions,
  ): Promise<NotificationSettings>;
}

export function notificationsOf(send: Send): Notifications {
  const list = ({ unread, ...query }: NotificationQuery = {}, options?: CallOptions) => {
    const spelled = unread === undefined ? {} : { unread: unread ? 'true' : 'false' };
    return send('listNotifications', { query: { ...query, ...spelled } as never }, options);
  };
  return {
    list,
    all: (query = {}, options) => itemsFrom(query, (page) => list(page, options)),
    read: async (notification_id, options) =>
      (await send('readNotification', { params: { notification_id } }, options)).data,
    settings: async (options) => (await send('getNotificationSettings', {}, options)).data,
    updateSettings: async (body, options) =>
      (await send('updateNotificationSettings', { body }, options)).data,
  };
}
