import type { CardErrors } from './card.ts'

/**
 * The card could not be turned into a token; `fields` says what is wrong where, `message` what to do, when the fields
 * don't say it already. Nothing was charged.
 */
export class CardRefused extends Error {
  readonly fields: CardErrors

  constructor(message: string | null, fields: CardErrors = {}) {
    super(message ?? '')
    this.fields = fields
  }
}
