// How common agents are connected to the MCP server of this service, as text to copy. None contains the secret: a
// configuration is often shared, so it names the variable AGENT_KEY or asks for the secret.

export const AGENTS = {
  claudeCode: 'Claude Code',
  cursor: 'Cursor',
  vsCode: 'VS Code',
  codex: 'Codex',
  geminiCli: 'Gemini CLI',
  claudeDesktop: 'Claude Desktop',
  curl: 'curl',
} as const;
export type AgentName = keyof typeof AGENTS;

/** The files that contain the snippets; null: a terminal. */
export const FILE_OF: Readonly<Record<AgentName, string | null>> = {
  claudeCode: null,
  cursor: '~/.cursor/mcp.json',
  vsCode: '.vscode/mcp.json',
  codex: '~/.codex/config.toml',
  geminiCli: '~/.gemini/settings.json',
  claudeDesktop: 'claude_desktop_config.json',
  curl: null,
};

const json = (value: object) => JSON.stringify(value, null, 2);
const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });

const TEXTS: Readonly<Record<AgentName, (url: string) => string>> = {
  claudeCode: (url) =>
    `claude mcp add --transport http records ${url} \\\n  --header "Authorization: Bearer $AGENT_KEY"`,
  cursor: (url) =>
    json({ mcpServers: { records: { url, headers: bearer(variable('env:AGENT_KEY')) } } }),
  vsCode: (url) =>
    json({
      inputs: [{ type: 'promptString', id: 'records-key', description: 'API key', password: true }],
      servers: { records: { type: 'http', url, headers: bearer(variable('input:records-key')) } },
    }),
  codex: (url) => `[mcp_servers.records]\nurl = "${url}"\nbearer_token_env_var = "AGENT_KEY"`,
  geminiCli: (url) =>
    json({ mcpServers: { records: { httpUrl: url, headers: bearer(variable('AGENT_KEY')) } } }),
  claudeDesktop: (url) =>
    json({
      mcpServers: {
        records: {
          command: 'npx',
          args: ['-y', 'mcp-remote', url, '--header', `Authorization:${variable('AUTH')}`],
          env: { AUTH: 'Bearer …' },
        },
      },
    }),
  curl: (url) =>
    [
      `curl ${url} -H "Authorization: Bearer $AGENT_KEY" \\`,
      "  -H 'Content-Type: application/json' \\",
      `  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
    ].join('\n'),
};

export function agentSnippet(agent: AgentName, url: string): string {
  return TEXTS[agent](url);
}

/** A reference to a variable as these configurations write it: in braces. */
function variable(name: string): string {
  return `$\{${name}}`;
}
