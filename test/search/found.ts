import { taken, type Engine, type SearchHit, type SearchQuery } from '@refold/engine'

/** Hits of all pages. */
export async function hitsOf(engine: Engine, text: string, query: SearchQuery = {}): Promise<readonly SearchHit[]> {
  const hits: SearchHit[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = taken(await engine.search(text, { ...query, ...(cursor === undefined ? {} : { cursor }) }))
    hits.push(...page.hits)
    cursor = page.cursor
  }
  return hits
}

/** `session/message` of each hit, in order of these names. */
export async function placesOf(engine: Engine, text: string, query: SearchQuery = {}): Promise<readonly string[]> {
  return (await hitsOf(engine, text, query)).map(({ session, message }) => `${session}/${message}`).toSorted()
}
