import { expect, test } from 'vitest'
import { reasonText } from './gateway-texts.ts'

// The look-up records the gateway's status where it names no code (ports/payments/authorizenet/lookup.ts).
test.each(['expired', 'declined', 'generalError', 'communicationError'])(
  '%s isn’t a broken connection to us',
  (status) => {
    expect(reasonText(status)).not.toContain('connection to the gateway broke')
  },
)
