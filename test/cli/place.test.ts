import { describe, expect, test } from 'vitest'
import { standingFolder } from '../../packages/cli/src/place/standing-folder.ts'
import { storePlace } from '../../packages/cli/src/place/store-place.ts'

const machine = (environment: { [name: string]: string }, platform = 'linux') => ({
  platform,
  home: '/home/ada',
  environment,
})

const file = (environment: { [name: string]: string }, platform?: string) =>
  storePlace({ folder: '/project' }, machine(environment, platform)).file

const namespace = (wanted: object, environment: { [name: string]: string }) =>
  storePlace({ folder: '/project', ...wanted }, machine(environment)).namespace

describe('the store', () => {
  test('is the one that --db names, relative to where the person stands', () => {
    const place = storePlace({ db: 'a/b.db', folder: '/project' }, machine({ REFOLD_DB: '/other.db' }))
    expect(place).toEqual({ file: '/project/a/b.db', namespace: 'default' })
  })

  test('is else the one that $REFOLD_DB names', () => {
    expect(storePlace({ folder: '/project' }, machine({ REFOLD_DB: 'x.db' })).file).toBe('/project/x.db')
  })

  test('is else in the data folder of the platform', () => {
    expect(file({})).toBe('/home/ada/.local/share/refold/refold.db')
    expect(file({ REFOLD_DB: '' })).toBe('/home/ada/.local/share/refold/refold.db')
    expect(file({ XDG_DATA_HOME: '/data' })).toBe('/data/refold/refold.db')
    expect(file({ XDG_DATA_HOME: 'not/absolute' })).toBe('/home/ada/.local/share/refold/refold.db')
    expect(file({}, 'darwin')).toBe('/home/ada/Library/Application Support/refold/refold.db')
  })

  test('is never another one because a script passed an empty name', () => {
    expect(() => storePlace({ db: '', folder: '/project' }, machine({}))).toThrow('--db has an empty value')
    expect(() => storePlace({ namespace: '', folder: '/project' }, machine({}))).toThrow(
      '--namespace has an empty value',
    )
  })

  test('has the namespace that was asked for', () => {
    expect(namespace({ namespace: 'ada' }, { REFOLD_NAMESPACE: 'bob' })).toBe('ada')
    expect(namespace({}, { REFOLD_NAMESPACE: 'bob' })).toBe('bob')
    expect(namespace({}, {})).toBe('default')
  })
})

describe('relative paths', () => {
  const npm = { npm_package_name: 'refold-workspace', npm_lifecycle_event: 'refold', INIT_CWD: '/home/ada/project' }

  test("refer to where npm was called, for this project's own scripts", () => {
    expect(standingFolder(npm, '/checkout')).toBe('/home/ada/project')
    expect(standingFolder({ ...npm, npm_lifecycle_event: 'start' }, '/checkout')).toBe('/home/ada/project')
  })

  test("refer to the working folder in another project's script, which INIT_CWD reaches, too", () => {
    expect(standingFolder({ ...npm, npm_package_name: 'host-app' }, '/checkout')).toBe('/checkout')
    expect(standingFolder({ ...npm, npm_lifecycle_event: 'test' }, '/checkout')).toBe('/checkout')
    expect(standingFolder({}, '/checkout')).toBe('/checkout')
  })
})
