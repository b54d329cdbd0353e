export * from './hermes/index.ts'
export * from './importing/index.ts'
