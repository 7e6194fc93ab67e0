-- Files of imports and exports in more formats: workbooks, JSON, contact cards, LDIF (docs/decisions.md, D810).
alter table {{control}}.files drop constraint files_format_check;
alter table {{control}}.files add constraint files_format_check
  check (format in ('csv', 'tsv', 'jsonl', 'xlsx', 'json', 'vcf', 'ldif'));
