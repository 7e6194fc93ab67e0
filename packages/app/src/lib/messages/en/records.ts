// Lists of records, and a record.

export const records = {} as const;
