import { queryOptions } from '@tanstack/react-query'
import { US_STATES } from '../../../contract/states.ts'
import { call } from '../../lib/api.ts'
import { roots } from '../../lib/query.ts'
import { routes } from '../../lib/routes.ts'

/** One state of the United States, which has two senators. */
export type SenateState = { code: string; name: string }

/** The 50 states; the District of Columbia has no senators. */
export const SENATE: readonly SenateState[] = US_STATES.filter(({ code }) => code !== 'DC')

/** The senators of every state, as the operator keeps them. */
export const senatorsQuery = queryOptions({
  queryKey: [...roots.compliance, 'senators'],
  queryFn: ({ signal }) => call(routes.senators, {}, { signal }),
})

/** `202-224-3121` as people read it, and as a telephone dials it. */
export const displayTelephone = (number: string) => number.replace(/^(\d{3})-/, '($1) ')
export const telephoneLink = (number: string) => `tel:+1${number.replaceAll('-', '')}`
