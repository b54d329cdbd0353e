/** `kurrentdb://` strings name the same servers as `esdb://` ones; the client knows only these. */
export function normalised(connection: string): string {
  return connection.trim().replace(/^kurrent(?:db)?(?=(?:\+discover)?:\/\/)/u, 'esdb')
}

/** How a server is named in messages: without user, password and options. */
export function placeOf(connection: string): string {
  const [scheme = '', rest = ''] = normalised(connection).split('://', 2)
  const hosts = rest.replace(/[/?].*$/u, '').replace(/^.*@/u, '')
  return `${scheme}://${hosts}`
}
