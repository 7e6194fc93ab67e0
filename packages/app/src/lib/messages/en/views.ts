// Saved views of lists.

export const views = {
  'views.label': 'View: {name}',
  'views.all': 'All {name}',
  'views.private': 'Only me',
  'views.team': 'My teams',
  'views.workspace': 'Everyone',
  'views.first': 'default',
  'views.saveAs': 'Save as a view…',
  'views.save': 'Save',
  'views.reset': 'Reset',
  'views.changed': 'Changed',
  'views.rename': 'Rename or share…',
  'views.delete': 'Delete view',
  'views.openFirst': 'Make this the default view',
  'views.notFirst': 'Remove as default view',
  'views.order': 'Reorder views…',
  'views.saveTitle': 'Save as a view',
  'views.renameTitle': 'Rename or share',
  'views.deleteTitle': 'Delete “{name}”?',
  'views.deleteText': 'The records are not deleted. You cannot undo this.',
  'views.deleteSharedText':
    'Other people can see this view too. The records are not deleted. You cannot undo this.',
  'views.orderTitle': 'Reorder views',
  'views.moveUp': 'Move {name} up',
  'views.moveDown': 'Move {name} down',
  'views.name': 'Name',
  'views.needsName': 'Enter a name for the view.',
  'views.sharedWith': 'Visible to',
  'views.shareText':
    'A view saves filters, sort order and columns, not records. People see only the records that they may read.',
  'views.stale':
    'Someone else changed this view. The list now shows the new version. Check it and try again.',
  'views.gone': 'This view was deleted, or it is not shared with you.',
  'views.problems': 'Parts of this view no longer exist. The list ignores them:',
  'views.hidden': 'This view uses fields that you cannot see. The list ignores them:',
  'views.copy': 'Create a copy without these parts',
  'views.feed': 'Subscribe in a calendar…',
  'views.feedSaved': 'Subscribe in a calendar: save as a view first',
  'views.feedTitle': 'Subscribe to “{name}”',
  'views.feedText':
    'Get an address for Google Calendar, Outlook, Apple Calendar and others. They show the entries of half a year before and after today: title, time and link, nothing else.',
  'views.feedWho':
    'Everyone who has the address sees these entries, as far as you may read them. You can revoke it on the page API keys.',
  'views.feedMake': 'Create address',
  'views.feedOpen': 'Open in the calendar of this device',
  'views.feedPaste': 'Or paste the address where your calendar says “Subscribe” or “From URL”.',
} as const;
