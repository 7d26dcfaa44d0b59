import type { MediaRefusal } from '../port.ts'

/** Thrown inside the child process when the file, not the machine, is at fault. */
export class Refused extends Error {
  readonly refusal: MediaRefusal

  constructor(refusal: MediaRefusal, cause?: unknown) {
    super(refusal, { cause })
    this.refusal = refusal
  }
}
