import { randomInt } from 'node:crypto'
import type { Handlers } from '../../../handler.ts'
import { mailOperator } from '../../notifications/actions.ts'

/** No letter that can be read as another, or as a digit. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/** By which a message is referred to, also on the phone; says nothing of how many there are. */
const newCaseNumber = () =>
  `C-${Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`

export const contactHandlers = {
  async contact({ db, viewer, body }) {
    const answer = { success: true, caseNumber: newCaseNumber() } as const
    // A filled-in honeypot gets the same answer, so that its sender learns nothing.
    if (body.website) return answer
    await mailOperator(db, {
      caseNumber: answer.caseNumber,
      email: body.email,
      name: body.name ?? '',
      message: body.message,
      username: viewer?.username ?? null,
    })
    return answer
  },
} satisfies Partial<Handlers>
