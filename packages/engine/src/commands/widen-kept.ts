/** What widening must know of a message in the context. */
export interface ContextMessageFacts {
  readonly id: string
  readonly role: string
  /** Written by a person: a real question, not the engine's. */
  readonly isPersons: boolean
  /** Answers for good: the assistant's words, no call left to carry out. */
  readonly isAnswer: boolean
  /** Ids of the tool calls it makes, and of those whose results it brings. */
  readonly calls: readonly string[]
  readonly results: readonly string[]
  /** Still growing. */
  readonly isPartial: boolean
}

/**
 * What a compaction keeps after widening it outwards: no call is parted from its result, no unanswered question of a person
 * and no growing answer is lost, and a question of a person is left wherever there was one. `later` stands behind the
 * covered part.
 */
export function widenKept(
  covered: readonly ContextMessageFacts[],
  keep: ReadonlySet<string>,
  later: readonly ContextMessageFacts[],
): readonly string[] {
  const kept = new Set(covered.filter(({ id }) => keep.has(id)).map(({ id }) => id))
  for (const { id } of covered.filter(({ isPartial }) => isPartial)) kept.add(id)
  for (const id of unanswered(covered, later)) kept.add(id)
  const isLive = ({ id }: ContextMessageFacts): boolean => kept.has(id)
  if (![...covered.filter(isLive), ...later].some(({ isPersons }) => isPersons)) {
    const last = covered.findLast(({ isPersons }) => isPersons)
    if (last) kept.add(last.id)
  }
  keepPairs(covered, later, kept)
  return covered.filter(isLive).map(({ id }) => id)
}

/** Questions behind the last answer, wherever that stands; what a delegate reported counts as one. */
function unanswered(covered: readonly ContextMessageFacts[], later: readonly ContextMessageFacts[]): readonly string[] {
  if (later.some(({ isAnswer }) => isAnswer)) return []
  const answered = covered.findLastIndex(({ isAnswer }) => isAnswer)
  return covered
    .slice(answered + 1)
    .filter(({ role }) => role === 'user')
    .map(({ id }) => id)
}

/** Adds the other half of every pair of which one half is kept or stands later, until there is none. */
function keepPairs(
  covered: readonly ContextMessageFacts[],
  later: readonly ContextMessageFacts[],
  kept: Set<string>,
): void {
  for (let grew = true; grew;) {
    grew = false
    const live = [...covered.filter(({ id }) => kept.has(id)), ...later]
    const open = new Set(live.flatMap(({ calls, results }) => [...calls, ...results]))
    for (const { id, calls, results } of covered) {
      if (kept.has(id) || ![...calls, ...results].some((call) => open.has(call))) continue
      kept.add(id)
      grew = true
    }
  }
}
