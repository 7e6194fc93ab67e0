// Paths of the application that come from outside: those that lead to a page of the workspace acme, and those that would
// lead elsewhere, as browsers, proxies and routers read them.

export const GOOD_PATHS: readonly string[] = [
  '/acme',
  '/acme/o/deals',
  '/acme/o/work_items/ENG-12',
  '/acme/o/companies?sort=-name&filter[name][contains]=a+b,c&q=%C3%A9',
  '/acme/o/companies/0198c0de-0000-7000-8000-000000000001',
  `/acme/search?q=${'a'.repeat(1000 - '/acme/search?q='.length)}`,
];

export const BAD_PATHS: readonly string[] = [
  ...['', '/', 'acme', 'acme/o/deals', ' /acme', '/acme ', '?/acme'],
  ...['/globex', '/globex/o/deals', '/acmex', '/acme.evil.example', '/ACME'],
  ...['//evil.example', '//acme', '///evil.example', '/acme//evil.example', '/acme/'],
  ...['https://evil.example/acme', 'javascript:alert(1)', '@evil.example', '.evil.example'],
  ...['/\\evil.example', '\\\\evil.example', '/acme\\..\\..\\evil', '/acme/o\\deals'],
  ...['/acme/../../evil', '/acme/..', '/acme/.', '/acme/./o', '/acme/o/../../../evil'],
  ...['/acme/%2e%2e/%2e%2e/evil', '/acme/.%2E/evil', '/acme/%252e%252e/evil'],
  ...['/acme%2f..%2f..%2fevil', '/acme/%5c..', '/%61cme', '/acme/o%00', '/acme/é'],
  ...['/acme\t', '/acme/\n/evil', '/acme\r\nX: y', '\t//evil', '/acme/o\0', '/acme\u2028'],
  ...['/acme?q=\r\nX: y', '/acme?q=\u00e9', '/acme?q=a b', '/acme#token', '/acme?q=a#token'],
  `/acme/search?q=${'a'.repeat(1001 - '/acme/search?q='.length)}`,
];
