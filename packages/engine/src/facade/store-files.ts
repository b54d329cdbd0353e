/** `NAME.views.db` beside `NAME.db`. */
export function viewsFileOf(file: string): string {
  return `${file.replace(/\.db$/u, '')}.views.db`
}

/** `NAME.search.db` beside `NAME.db`. */
export function searchFileOf(file: string): string {
  return `${file.replace(/\.db$/u, '')}.search.db`
}
