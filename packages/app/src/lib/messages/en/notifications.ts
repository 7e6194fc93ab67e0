// Notifications: mentions, so far.

export const notifications = {
  'notifications.title': 'Notifications',
  'notifications.unreadCount': {
    one: 'Notifications, {count} unread',
    other: 'Notifications, {count} unread',
  },
  'notifications.all': 'All',
  'notifications.unread': 'Unread',
  'notifications.which': 'Which notifications',
  'notifications.markAll': 'Mark all as read',
  'notifications.mark': 'Mark as read',
  'notifications.mentioned': '{name} mentioned you',
  'notifications.isUnread': 'Unread',
  'notifications.none': 'Nothing yet',
  'notifications.noneText': 'When somebody mentions you in a comment, it stands here.',
  'notifications.noneUnread': 'Nothing unread',
  'notifications.more': 'Show earlier ones',
  'notifications.unknown': 'A record',
} as const;
