-- Writes of MCP clients name their source (docs/design/mcp.md). Rows until then keep one of the others, so none is checked.
alter table {{workspace}}._audit drop constraint _audit_source_check;
alter table {{workspace}}._audit add constraint _audit_source_check
  check (source in ('api', 'import', 'cli', 'bulk', 'mcp')) not valid;
