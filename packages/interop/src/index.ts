export * from './hermes/index.ts'
