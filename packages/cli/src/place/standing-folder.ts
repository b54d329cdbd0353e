import type { Environment } from './environment.ts'

/**
 * The folder where the person stands, to which relative paths refer. npm runs a script in its package's root and says
 * in INIT_CWD where it was called. That counts only for this project's own scripts: in another project's script a
 * relative path is meant from where that script runs, and INIT_CWD is inherited by everything below it.
 */
export function standingFolder(environment: Environment, workingFolder: string): string {
  const { npm_package_name: name, npm_lifecycle_event: script, INIT_CWD: called } = environment
  const isOwnScript = name === 'refold-workspace' && (script === 'start' || script === 'refold')
  return isOwnScript && called !== undefined && called !== '' ? called : workingFolder
}

/** True when npm runs the command from a checkout, where it is not called `refold`. */
export function isFromCheckout(environment: Environment): boolean {
  return environment['npm_package_name'] === 'refold-workspace'
}
