// Examples for trying a new key: a command, and a program with the client. Neither contains the key itself: both are
// copied into shells and files.

export function curlSnippet(baseUrl: string): string {
  return `curl -H "Authorization: Bearer $KEY" ${baseUrl}/me`;
}

export function clientSnippet(baseUrl: string): string {
  return `import { createClient } from '@workspace-records/client';

const client = createClient({
  baseUrl: '${baseUrl}',
  apiKey: process.env.KEY,
});
console.log(await client.me());`;
}
