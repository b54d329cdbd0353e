import type { ImportTarget } from '@refold/interop'

/** The engine, with something that somebody else does before the first append of an import. */
export function beforeImports(engine: ImportTarget, meanwhile: () => Promise<void>): ImportTarget {
  let isDone = false
  return {
    namespace: engine.namespace,
    store: engine.store,
    session: (name) => engine.session(name),
    importFacts: async (facts) => {
      if (!isDone) {
        isDone = true
        await meanwhile()
      }
      return engine.importFacts(facts)
    },
    factsOf: (session) => engine.factsOf(session),
    importBundle: (open, options) => engine.importBundle(open, options),
  }
}
