import { hash } from 'node:crypto'
import type { Sha256 } from '@refold/events'

export const sha256: Sha256 = (data) => hash('sha256', data)
