import { readFileSync } from 'node:fs'
import { parseAst } from 'vitest/node'

/** What a test's own runner is called by in this project. */
const runners: readonly unknown[] = ['test', 'it', 'property']

/** The names of the tests that a file defines, in its order; what a name computes stands as `…`. */
export function testNames(file: URL): readonly string[] {
  const names: string[] = []
  visit(parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }), names)
  return names
}

function visit(node: unknown, names: string[]): void {
  if (Array.isArray(node)) for (const each of node) visit(each, names)
  if (!isNode(node)) return
  if (node['type'] === 'CallExpression' && runners.includes(rootOf(node['callee']))) {
    const name = nameIn(firstOf(node['arguments']))
    if (name !== undefined && !isTaggedBy(node['callee'])) names.push(name)
  }
  for (const each of Object.values(node)) visit(each, names)
}

/** The identifier at the root of `test`, `test.skipIf(…)`, `property.prop(…)`. */
function rootOf(callee: unknown): unknown {
  if (!isNode(callee)) return undefined
  if (callee['type'] === 'Identifier') return callee['name']
  if (callee['type'] === 'MemberExpression') return rootOf(callee['object'])
  if (callee['type'] === 'CallExpression') return rootOf(callee['callee'])
  return undefined
}

/** `test.each(…)` and `test.prop(…)` make a runner and are none; what they make has no name of its own. */
function isTaggedBy(callee: unknown): boolean {
  const property = isNode(callee) && callee['type'] === 'MemberExpression' ? callee['property'] : undefined
  return isNode(property) && ['each', 'prop', 'skipIf', 'runIf'].includes(String(property['name']))
}

function nameIn(argument: unknown): string | undefined {
  if (!isNode(argument)) return undefined
  if (argument['type'] === 'Literal') return typeof argument['value'] === 'string' ? argument['value'] : undefined
  if (argument['type'] === 'CallExpression') return nameIn(firstOf(argument['arguments']))
  if (argument['type'] !== 'TemplateLiteral' || !Array.isArray(argument['quasis'])) return undefined
  return argument['quasis'].map((quasi: unknown) => cookedOf(quasi)).join('…')
}

const cookedOf = (quasi: unknown): string => {
  const value = isNode(quasi) ? quasi['value'] : undefined
  return isNode(value) ? String(value['cooked']) : ''
}

const firstOf = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined)

const isNode = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
