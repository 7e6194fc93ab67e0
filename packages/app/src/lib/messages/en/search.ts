// The page of everything that a search finds, and what home gathers.

export const search = {
  'search.title': 'Search',
  'search.field': 'Search everything',
  'search.short': 'Enter at least two characters.',
  'search.nothing': 'Nothing found for “{q}”',
  'search.nothingText': 'Try fewer words, or another spelling.',
  'search.found': { one: '{count} record found', other: '{count} records found' },
  'search.first': 'Best {count} matches',
  'search.everything': 'All',
  'search.which': 'Objects',
  'search.inList': 'Search in the list of {name}',
  'search.palette': 'Show all results for “{q}”',
  'search.owner': 'Owner: {name}',
  'home.quick': 'Favorites and dashboards',
  'home.mine': 'Your open records',
  'home.mineOf': 'Your open {name, inside}',
  'home.all': 'Show all',
  'home.mentions': 'Unread notifications',
  'home.allMentions': 'Show all notifications',
  'home.empty': 'This workspace has no records yet',
  'home.emptyText': 'Ways to start:',
  'home.askText':
    'No role of yours gives you access to records. Ask an administrator for one. This page updates by itself.',
} as const;
