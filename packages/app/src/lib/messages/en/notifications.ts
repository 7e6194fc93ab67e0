// Notifications: mentions, so far.

export const notifications = {
  'notifications.title': 'Notifications',
  'notifications.unreadCount': {
    one: 'Notifications, {count} unread',
    other: 'Notifications, {count} unread',
  },
  'notifications.all': 'All',
  'notifications.unread': 'Unread',
  'notifications.which': 'Filter notifications',
  'notifications.markAll': 'Mark all as read',
  'notifications.mark': 'Mark as read',
  'notifications.mentioned': '{name} mentioned you',
  'notifications.isUnread': 'Unread',
  'notifications.none': 'No notifications yet',
  'notifications.noneText': 'When someone mentions you in a comment, it appears here.',
  'notifications.noneUnread': 'No unread notifications',
  'notifications.more': 'Show earlier notifications',
  'notifications.unknown': 'A record',
} as const;
