/** The part of cli-progress (which ships no types) that is used here. */
declare module 'cli-progress' {
  export class SingleBar {
    constructor(options: {
      readonly format: string
      readonly clearOnComplete: boolean
      readonly stream: { write(text: string): unknown }
    })
    start(total: number, done: number): void
    setTotal(total: number): void
    update(done: number): void
    stop(): void
  }
  const progress: { readonly SingleBar: typeof SingleBar }
  export default progress
}
