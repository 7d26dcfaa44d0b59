import type { ErrorCode } from '../../../../../contract/errors.ts'
import { declineError } from '../../payments/rules.ts'

type Decided = { status: 'submitting' | 'stored' | 'declined' | 'refused' | 'unknown'; reason: string | null }

const REFUSED: Record<string, ErrorCode> = {
  token_expired: 'card_token_expired',
  gateway_unreachable: 'gateway_unreachable',
  being_removed: 'card_being_removed',
  E00042: 'too_many_cards',
}

/**
 * Why a card was not stored; null when it was. `first` is false for a repeated call, which must not be told anything
 * while the first one is still at work.
 */
export function additionRefusal({ status, reason }: Decided, first: boolean): ErrorCode | null {
  switch (status) {
    case 'stored':
      return null
    case 'declined':
      return declineError(reason, true)
    case 'refused':
      return REFUSED[reason ?? ''] ?? 'card_refused'
    case 'submitting':
      return first ? 'card_unconfirmed' : 'request_in_flight'
    case 'unknown':
      return 'card_unconfirmed'
  }
}
