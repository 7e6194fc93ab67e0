// Messages about files that cannot be read as tables, after "The file cannot be read as a table:".

export const fileMessages = {
  file_quote: 'the row has a quotation mark that is never closed; the file may be cut off',
  file_quotes:
    'text follows a closing quotation mark; write the value in "…" and a mark within it as ""',
  file_cells: 'the row has more than {most} cells',
  file_length: 'the row is longer than {most} characters; a quotation mark may be left open',
  file_columns: 'the file has more than {most} columns',
  file_encoding: 'the file has another encoding',
  file_without_rows: 'the file is empty',
  file_large:
    'the file is too large: it has more than 32 MB, or needs more memory than an import has',
  file_sheet:
    'the file has no sheet or list of this name; "sheet" of the mapping says which one is read',
  file_workbook: 'this is not an Excel workbook that can be read; save the sheet as .xlsx or CSV',
  file_old_workbook:
    'this is an old Excel workbook, or one with a password; save it as .xlsx without a password',
  file_open_document: 'this is an OpenDocument file; save the sheet as .xlsx or CSV',
  file_json: 'this is JSON without a list of objects, or it is cut off',
  file_cards: 'a contact card (vCard) is cut off, or a line is outside of the cards',
  file_ldif: 'this is not LDIF with entries; changes of entries cannot be imported',
  file_document: 'this is a document, not a table; export the data as CSV',
  file_calendar: 'this is a calendar (iCalendar); export it as CSV',
  file_page: 'this is a web page or XML; export the data as CSV',
  file_binary: 'the file is binary data, not text',
} as const;
