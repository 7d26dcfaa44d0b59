import { DatabaseSync, type StatementSync } from 'node:sqlite'

/** SQLite whose statements stay prepared: a sandbox runs the same few at every call. */
export class KeptStatements extends DatabaseSync {
  readonly #kept = new Map<string, StatementSync>()

  override prepare(text: string): StatementSync {
    const kept = this.#kept.get(text) ?? super.prepare(text)
    this.#kept.set(text, kept)
    return kept
  }
}
