import { z } from 'zod'

/** Any value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export const json: z.ZodType<Json> = z.json()
