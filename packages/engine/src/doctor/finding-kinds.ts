/** `damage`: something is wrong or lost. `notice`: nothing is wrong, and nothing has to be done. */
export type Severity = 'damage' | 'notice'

/** What mends a kind of finding without a guess; null where only a person can. */
export type Remedy = 'rebuild-rows' | 'rebuild-search' | 'mend-claims' | 'remove-leftovers' | null

export interface FindingKind {
  readonly severity: Severity
  readonly remedy: Remedy
  /** What it means, as a sentence. */
  readonly means: string
  /** What to do, as a sentence. */
  readonly advice: string
}

export type FindingCode =
  | 'log-unreadable'
  | 'pages-damaged'
  | 'chain-broken'
  | 'blob-missing'
  | 'blob-damaged'
  | 'blob-orphaned'
  | 'claim-dangling'
  | 'claim-missing'
  | 'id-reserved'
  | 'reference-dangling'
  | 'state-different'
  | 'row-missing'
  | 'row-extra'
  | 'row-different'
  | 'views-unreadable'
  | 'views-unchecked'
  | 'views-foreign'
  | 'views-behind'
  | 'search-unreadable'
  | 'search-foreign'
  | 'search-behind'
  | 'rebuild-leftover'
  | 'log-set-aside'

const REPAIR = 'Run `refold doctor --repair`.'
const RESTORE = 'Restore a backup, or import an export of that session into another store.'
const NOTHING = 'Nothing is to be done.'

/** Everything that a check-up can find. The codes are part of the public contract; docs/doctor.md lists them. */
export const findingKinds: { readonly [C in FindingCode]: FindingKind } = {
  'log-unreadable': {
    severity: 'damage',
    remedy: null,
    means: 'A part of the log cannot be read at all; what follows it was not looked at.',
    advice: 'Restore a backup, or salvage what is readable with `sqlite3 FILE .recover`.',
  },
  'pages-damaged': {
    severity: 'damage',
    remedy: null,
    means: "SQLite's pages of the log file do not fit together.",
    advice: 'Restore a backup, or salvage what is readable with `sqlite3 FILE .recover`.',
  },
  'chain-broken': {
    severity: 'damage',
    remedy: null,
    means: 'An event is not what was recorded, or is missing; what follows it in its stream proves nothing.',
    advice: RESTORE,
  },
  'blob-missing': {
    severity: 'damage',
    remedy: null,
    means: 'A long text that an event refers to is not there.',
    advice: RESTORE,
  },
  'blob-damaged': {
    severity: 'damage',
    remedy: null,
    means: 'A text or attachment has other bytes than were recorded.',
    advice: RESTORE,
  },
  'blob-orphaned': {
    severity: 'notice',
    remedy: null,
    means:
      'A text or attachment is stored that no event refers to. It takes space and harms nothing; it is left alone.',
    advice: NOTHING,
  },
  'claim-dangling': {
    severity: 'damage',
    remedy: 'mend-claims',
    means: 'A title or route is held for a session that does not have it, so nobody else can take it.',
    advice: REPAIR,
  },
  'claim-missing': {
    severity: 'damage',
    remedy: 'mend-claims',
    means: 'A session has an id, title or route that is not held for it, so another could take it.',
    advice: REPAIR,
  },
  'id-reserved': {
    severity: 'notice',
    remedy: null,
    means:
      'An id is held for a session that does not have it: an import that was broken off, as a rule. Ids are never given back.',
    advice: 'Run the import again if it was broken off.',
  },
  'reference-dangling': {
    severity: 'notice',
    remedy: null,
    means:
      'An event names a message that its session never had, as imported histories may. It changes nothing that is shown.',
    advice: NOTHING,
  },
  'state-different': {
    severity: 'damage',
    remedy: 'rebuild-rows',
    means: 'What commands remember of a session, beside the rows, is not what the log says.',
    advice: REPAIR,
  },
  'row-missing': {
    severity: 'damage',
    remedy: 'rebuild-rows',
    means: 'The log gives a row that the stored views do not have.',
    advice: REPAIR,
  },
  'row-extra': {
    severity: 'damage',
    remedy: 'rebuild-rows',
    means: 'The stored views have a row that the log does not give.',
    advice: REPAIR,
  },
  'row-different': {
    severity: 'damage',
    remedy: 'rebuild-rows',
    means: 'A row of the stored views has other values than the log gives.',
    advice: REPAIR,
  },
  'views-unreadable': {
    severity: 'damage',
    remedy: 'rebuild-rows',
    means: 'The file of the views is no database, or its pages or tables are damaged.',
    advice: REPAIR,
  },
  'views-unchecked': {
    severity: 'notice',
    remedy: null,
    means: 'Rows and claims were not compared, for the log cannot be folded.',
    advice: 'See the findings about the log.',
  },
  'views-foreign': {
    severity: 'notice',
    remedy: 'rebuild-rows',
    means: 'The views are of another log, ahead of this one, or of another version. The next read folds them anew.',
    advice: NOTHING,
  },
  'views-behind': {
    severity: 'notice',
    remedy: null,
    means: 'The views do not go up to the end of the log yet. The next read folds what is missing.',
    advice: NOTHING,
  },
  'search-unreadable': {
    severity: 'damage',
    remedy: 'rebuild-search',
    means: 'The search index is damaged. The next search makes it anew, which takes its time.',
    advice: REPAIR,
  },
  'search-foreign': {
    severity: 'notice',
    remedy: 'rebuild-search',
    means: 'The search index is of another log, or of another version. The next search makes it anew.',
    advice: NOTHING,
  },
  'search-behind': {
    severity: 'notice',
    remedy: null,
    means: 'The search index does not go up to the end of the log yet. The next search takes in what is missing.',
    advice: NOTHING,
  },
  'rebuild-leftover': {
    severity: 'notice',
    remedy: 'remove-leftovers',
    means: 'A rebuild is under way, or was broken off; run again, it would go on from there.',
    advice: 'Run `refold rebuild` to finish it, or `refold doctor --repair` to throw it away.',
  },
  'log-set-aside': {
    severity: 'notice',
    remedy: null,
    means: 'A side log that belonged to another file was found beside the store and kept under this name.',
    advice: 'Delete it once nobody misses anything.',
  },
}
