import { readFileSync } from 'node:fs'
import { eventJsonSchemas } from '@refold/events'
import { expect, test } from 'vitest'

const reference = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8')

/** Names of all properties in a JSON schema, alternatives included, but not those of shared parts. */
function fieldsOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const properties =
    'properties' in schema && typeof schema.properties === 'object' ? Object.keys(schema.properties ?? {}) : []
  const alternatives = 'oneOf' in schema && Array.isArray(schema.oneOf) ? schema.oneOf : []
  return [...properties, ...alternatives.flatMap(fieldsOf)]
}

test.each(Object.entries(eventJsonSchemas()))('the event reference names %s and each of its fields', (type, schema) => {
  const row = reference.split('\n').find((line) => line.startsWith('|') && line.split('|')[1]?.includes(`\`${type}\``))
  expect(row, type).toBeDefined()
  const section = reference.slice(reference.indexOf(row ?? ''))
  const shared = ['Deleted', 'SettingChanged'].includes(type) ? section.slice(0, 900) : `${row}${section.slice(0, 600)}`
  for (const field of fieldsOf(schema)) expect(shared, `${type}.${field}`).toContain(`\`${field}\``)
})
