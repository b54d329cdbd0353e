/*
 * What a search can be limited by stands as words of their own among those of the text, so that a limit costs no look at what
 * it leaves out. They are ASCII letters and digits alone, for those are what the index keeps together.
 */

export const sessionFacet = (streamKey: number): string => `s${streamKey}`
export const namespaceFacet = (namespaceKey: number): string => `n${namespaceKey}`
/** Case counts for no role and no tool. */
export const roleFacet = (role: string): string => named('r', 'p', role.toLowerCase())
export const toolFacet = (tool: string): string => named('t', 'q', tool.toLowerCase())
/** An edit, whose event does not say of what role. */
export const EDIT_FACET = 'e'
/** A result of a call that its session does not have, so that another one must say of which tool. */
export const UNKNOWN_TOOL_FACET = 'u'

function named(plain: string, coded: string, name: string): string {
  return /^[a-z0-9]+$/.test(name) ? plain + name : coded + Buffer.from(name).toString('hex')
}
