import type { MediaRefusal } from '../../../port.ts'

/**
 * The targets that a hostile file may try to reach: an address that is listened on, and a file with a canary inside.
 */
export type Canary = { url: string; file: string }

/** One hostile file and what must become of it: the reason it is refused for, or variants without anything of it. */
export type Row = {
  what: string
  outcome: MediaRefusal | 'clean'
  make: (canary: Canary) => Buffer | string | Promise<Buffer>
}
