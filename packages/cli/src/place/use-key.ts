import { BadInput } from '../input/bad-input.ts'

/** Works with a key or a list of heads that a person gave; what is wrong with it is said by the file's name. */
export async function useKey<T>(file: string, work: () => T): Promise<T> {
  const { BadHeads } = await import('@refold/engine')
  try {
    return work()
  } catch (problem) {
    if (problem instanceof BadHeads)
      throw new BadInput(problem.code, `${file} ${problem.message}.`, { file }, { cause: problem })
    throw problem
  }
}
