import { z } from 'zod'
import type { Json } from './json.ts'
import { eventSchemas, isEventType } from './session-event.ts'
import { currentVersion } from './upcasters.ts'

/** JSON Schema (2020-12) of every event's data by type, for readers in other languages. */
export function eventJsonSchemas(): { readonly [type: string]: Json } {
  return Object.fromEntries(
    Object.entries(eventSchemas).map(([type, schema]) => [
      type,
      { ...jsonSchema(schema), title: type, $comment: `version ${isEventType(type) ? currentVersion(type) : 0}` },
    ]),
  )
}

const jsonSchema = (schema: z.ZodType): { readonly [key: string]: Json } =>
  z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(z.toJSONSchema(schema, { reused: 'ref' }))))
