import type { Finding } from './finding.ts'
import { findingKinds, type FindingCode, type Remedy } from './finding-kinds.ts'

/** Counts all findings and keeps the first ones of each code: a table that was emptied has a million. */
export class FindingTally {
  readonly kept: Finding[] = []
  readonly #counts = new Map<FindingCode, number>()
  readonly #most: number

  constructor(mostOfOneCode: number) {
    this.#most = mostOfOneCode
  }

  add(finding: Finding): void {
    const count = (this.#counts.get(finding.code) ?? 0) + 1
    this.#counts.set(finding.code, count)
    if (count <= this.#most) this.kept.push(finding)
  }

  get isSound(): boolean {
    return [...this.#counts.keys()].every((code) => findingKinds[code].severity === 'notice')
  }

  get counts(): { readonly [C in FindingCode]?: number } {
    return Object.fromEntries(this.#counts)
  }

  get remedies(): ReadonlySet<Remedy> {
    return new Set([...this.#counts.keys()].map((code) => findingKinds[code].remedy))
  }
}
