-- Of an export: the rights by which it was made, on each object that its question was about. Files of earlier releases,
-- which are kept for a day, are exported again.
alter table {{control}}.files alter column rights type json using null;
