import { closeSync, openSync, readSync, writeSync } from 'node:fs'

/** Bytes 18 and 19 of a database's header are 2 in WAL mode, and 1 with a rollback journal. */
const place = 18

export function isInWalMode(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    return walBytes(file)
  } finally {
    closeSync(file)
  }
}

/** For a copy without a log, which is then complete and may be opened as an ordinary file. */
export function leaveWalMode(path: string): void {
  const file = openSync(path, 'r+')
  try {
    if (walBytes(file)) writeSync(file, Buffer.from([1, 1]), 0, 2, place)
  } finally {
    closeSync(file)
  }
}

function walBytes(file: number): boolean {
  const bytes = Buffer.alloc(2)
  readSync(file, bytes, 0, 2, place)
  return bytes[0] === 2 || bytes[1] === 2
}
