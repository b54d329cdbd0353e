import { waiting } from './scenario.ts'

/* Theme G is about full-text search. What `list --search` finds (titles, previews, ids) is no answer to any of it. */

waiting('B129', 'search', 'text summarised away cannot be found any more')
waiting('B130', 'search', 'a search inside the session reads only the live view and returns the summary again')
waiting('B132', 'search', 'for scripts without spaces 2 of 16 matches are found')
waiting('B134', 'search', 'a hyphenated word is read as query syntax and the whole search fails')
waiting('B135', 'search', 'index entries of deleted or changed messages stay')
waiting('B136', 'search', 'results are filled with stale copies of the same text')
waiting('B137', 'search', 'search inside a chat follows only the active branch')
waiting('B138', 'search', 'the picker searches only titles, and only the rows already shown')
waiting('B139', 'search', 'nothing says that the search was limited to one surface')
