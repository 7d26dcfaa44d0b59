import { US_STATES } from '../../../contract/states.ts'

/** One state of the United States, which has two senators. */
export type SenateState = { code: string; name: string }

/** The operator of the Capitol's switchboard connects to every senator; names and own numbers change with elections. */
export const CAPITOL_SWITCHBOARD = '202-224-3121'

/** The 50 states; the District of Columbia has no senators. */
export const SENATE: readonly SenateState[] = US_STATES.filter(({ code }) => code !== 'DC')
