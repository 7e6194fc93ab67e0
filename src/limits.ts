// Every number of the interface specification §8, and the bounds the service adds, in one place.

export const LIMITS = Object.freeze({
  /** Page sizes: §8 "Page size". */
  pageSize: Object.freeze({ minimum: 1, maximum: 100 }),
  defaultPageSize: Object.freeze({
    records: 25,
    users: 50,
    comments: 50,
    notifications: 50,
    linkedRecords: 25,
    groups: 25,
    audit: 50,
    history: 25,
    jobs: 25,
    search: 20,
    keys: 50,
    revisions: 25,
    views: 50,
    dashboards: 50,
    webhooks: 50,
    deliveries: 50,
    statusRequests: 25,
  }),
  searchPageMaximum: 30,
  cursorLength: 500,
  commentCursorLength: 200,
  filters: 16,
  inValues: 100,
  /** Bounds of `where`: conditions, levels of all, any and not, the shortest part of a text to search for. */
  conditions: 32,
  whereLevels: 5,
  matchedTextMinimum: 3,
  /** References of a page that are expanded, and how far an exact count goes. */
  expandedReferences: 4,
  exactCount: 10_000,
  /** Questions in one request. */
  questions: 10,
  timezoneLength: 64,
  selectedFields: 20,
  fieldsQueryLength: 2000,
  sortKeys: 3,
  sortQueryLength: 200,
  textQueryLength: 200,
  searchTextMinimum: 2,
  groupKeys: 3,
  metrics: 8,
  batchOperations: 100,
  /** Records that one request merges, and references, links and comments that go over. */
  mergedRecords: 10,
  mergedParts: 5000,
  /** Records that a search for duplicates compares, and groups that it finds. */
  comparedRecords: 200_000,
  duplicateGroups: 1000,
  matchKeys: 3,
  commentLength: 10_000,
  /** Characters of the beginning of a comment. */
  excerptLength: 280,
  mentions: 20,
  /**
   * Bounds of status requests: characters of a comment, approvals of a gate, days until one expires, notified people.
   */
  requestCommentLength: 2000,
  mostApprovals: 100,
  requestDays: Object.freeze({ byDefault: 30, maximum: 365 }),
  notifiedApprovers: 500,
  followersOfRecord: 500,
  /** Notifications that a mail lists. */
  notificationsOfMail: 50,
  idempotencyKeyLength: 255,
  idempotencyHours: 24,
  idLength: 200,
  /** Characters of the name of a browser that a session keeps. */
  userAgentLength: 400,
  associationIdLength: 100,
  workItemTypeIdLength: 100,
  versionLength: 200,
  requestsPerMinute: 300,
  /** Files of imports and exports; how long they are kept is said in migrations/control. */
  sentFileBytes: 32 * 1024 * 1024,
  exportFileBytes: 256 * 1024 * 1024,
  filesOfWorkspaceBytes: 1024 * 1024 * 1024,
  fileNameLength: 255,
  /** Files on records: of one field, bytes of one, bytes when the definition does not say, bytes of a media type. */
  filesOfField: 20,
  recordFileBytes: 100 * 1024 * 1024,
  fieldFileBytes: 25 * 1024 * 1024,
  mediaTypeLength: 127,
  importRows: 500_000,
  /** Bounds of a file: named columns, or keys of a JSON line; cells of a row, as many as a spreadsheet can have. */
  importColumns: 2000,
  importCells: 16_384,
  /** Problems of one row that are listed. */
  rowProblems: 100,
  importFiles: 10,
  /**
   * Bounds of a mapping: characters of a replaced text, its replacement and a separator; of a template; of a time
   * format.
   */
  mappingTextLength: 500,
  mappingTemplateLength: 10_000,
  timeFormatLength: 50,
  /** Rows that were not imported, as a job shows them. */
  problemsShown: 100,
  /** Records that one bulk change takes, in one transaction, and of which a dry run shows some. */
  bulkRecords: 250_000,
  bulkPage: 500,
  bulkShown: 20,
  /** Records of one erasure. */
  erasedRecords: 100,
  /** Bounds of a bundle: comments, changes and linked records together; bytes of its texts. */
  bundleItems: 2000,
  bundleBytes: 8 * 1024 * 1024,
  /** Jobs that one person waits for, and the seconds for which one request waits. */
  jobsOfUser: 20,
  jobWaitSeconds: 30,
  changesWaitSeconds: 30,
  changesPage: 1000,
  changesWithRecords: 100,
  changesCursorLength: 8192,
  /** Requests of a session per minute, and the age of a sign-in that still counts as fresh. */
  sessionRequestsPerMinute: 1200,
  /** How long an administrator can view as a person without beginning again. */
  viewingMinutes: 30,
  freshSignInMinutes: 30,
  /** Bounds the specification leaves open (docs/decisions.md). */
  bodyBytes: 1024 * 1024,
  batchBodyBytes: 8 * 1024 * 1024,
  jsonDepth: 32,
  /** Keys and objects of a body: a batch of 100 operations with 500 fields each has 50,400. */
  jsonNodes: 20_000,
  batchJsonNodes: 55_000,
  /** Values of a body. */
  jsonValues: 120_000,
  queryParameters: 200,
  /** Number and length of the unknown names that an answer repeats. */
  namesShown: 10,
  nameShown: 100,
  passwordLength: Object.freeze({ minimum: 12, maximum: 200 }),
  emailLength: 320,
  /** Sessions of workspaces that one browser sends at once. */
  sessionCookies: 20,
  /** Sign-ins at identity providers that one browser has under way at once, and how long one of them may take. */
  signInsUnderWay: 5,
  signInSeconds: 600,
  /** Passkeys of a person, and characters of the parts of an authenticator's answer. */
  passkeysOfUser: 20,
  credentialIdLength: 1400,
  clientDataLength: 4000,
  attestationLength: 20_000,
  /** How long an invitation is valid. */
  invitationHours: Object.freeze({ minimum: 1, byDefault: 168, maximum: 720 }),
  /** Characters of the path of the page after signing in. */
  applicationPathLength: 1000,
  fieldsPerWrite: 500,
  textLength: 500,
  formulasOfObject: 50,
  rollupsOfObject: 10,
  rollupConditions: 3,
  longTextLength: 100_000,
  multiSelectValues: 100,
  optionLength: 200,
  /** Bytes of the texts of a page, after which it has fewer rows than it could have; and those of a record. */
  answerBytes: 4 * 1024 * 1024,
  recordBytes: 8 * 1024 * 1024,
  /**
   * Ids and counts that administrators assign: ids of users and teams, roles of a person, teams of a person, grants
   * of a role.
   */
  smallId: 2_147_483_647,
  mostRequestsPerMinute: 999_999_999,
  descriptionLength: 2000,
  keysOfUser: 100,
  rolesOfUser: 100,
  teamsOfUser: 1000,
  grantedObjects: 500,
  grantedFields: 1000,
  /** Bounds of a definition: characters as JSON, objects, fields of one object, statuses of one workflow. */
  definitionCharacters: 2 * 1024 * 1024,
  objectsOfDefinition: 1000,
  fieldsOfObject: 2000,
  statusesOfWorkflow: 200,
  /** Changes that a list of revisions shows of each. */
  changesOfRevision: 100,
  /** Views of one owner and object type, what an order of views names, and the columns of one. */
  viewsOfOwner: 200,
  viewsInOrder: 1000,
  columnsOfView: 100,
  metricsOfView: 1,
  /** Entries of a calendar feed. */
  feedEntries: 2000,
  storedQuestionBytes: 16_384,
  /** Dashboards of one owner, the reports on one and the columns of its page; aggregates in one request. */
  dashboardsOfOwner: 200,
  tilesOfDashboard: 12,
  dashboardColumns: 4,
  aggregates: 12,
  columnWidth: Object.freeze({ minimum: 40, maximum: 2000 }),
  /** Webhooks of a workspace, and what one may have; days for which deliveries and old positions are kept. */
  webhooks: 50,
  webhookConditions: 8,
  webhookNames: 100,
  webhookKeptDays: 7,
  secretOverlapHours: 168,
  /** A field, or one through a reference. */
  fieldPathLength: 101,
  /** A work item without parent is the first. */
  workItemLevels: 10,
  /** Open streams of a process, and how many changes a reader may catch up with. */
  eventStreams: 5000,
  eventStreamsOfKey: 100,
  eventStreamsOfPerson: 500,
  eventStreamsOfWorkspace: 2500,
  /** Requests that are answered at the same time; those beyond are refused at once. */
  requestsInFlight: 1000,
  eventsBehind: 10_000,
  /** Bytes of answers that wait in a process to be read, in all and for one key or address. */
  unreadBytes: 128 * 1024 * 1024,
  unreadBytesOfOne: 32 * 1024 * 1024,
  /** Bytes of bodies that have not come to their end. */
  arrivingBytes: 256 * 1024 * 1024,
  arrivingBytesOfOne: 64 * 1024 * 1024,
  /** Bounds of a webhook; the bytes of its headers count names and values together. */
  webhookUrlLength: 2048,
  webhookHeaders: 5,
  webhookHeaderBytes: 1024,
  /** Bounds of one delivery: seconds until the end of the answer, bytes of it that are read, bytes that are stored. */
  webhookSeconds: 15,
  webhookAnswerBytes: 64 * 1024,
  webhookAnswerKept: 1024,
  /** Connections to one receiver. */
  webhookConnections: 8,
  webhookDisabledDays: 5,
  /** The metadata of a client at its own address: bytes, seconds until its end, hours for which it is used. */
  clientDocumentBytes: 64 * 1024,
  clientDocumentSeconds: 5,
  clientDocumentHours: 24,
  /** Registrations of clients that nobody uses, clients that a workspace enters, those that it lists or switches off. */
  unusedClients: 1000,
  enteredClients: 100,
  listedClients: 500,
  webhookRetryAfterHours: 24,
});
