import { expect } from 'vitest'
import { type RouteName, routes } from '../../../contract/index.ts'
import { buildMedia, type Person, US_ACCOUNT } from '../builders.ts'
import type { Harness } from '../harness.ts'
import { leave, PASSWORD, reauthenticatedApi, setUpApp } from '../security.ts'
import { fresh, post, profileOf, tell } from './telling.ts'

const logIn = (harness: Harness, { email }: Person) =>
  post(harness, '/auth/login', { email, password: PASSWORD })

const receipt = (harness: Harness, { id: person }: Person) =>
  tell(harness, {
    kind: 'purchase.receipt',
    person,
    data: {
      ...{ title: 'A photo', amount: '$4', seller: 'ada', fromId: null, items: 1 },
      ...{ card: 'Visa 1111', on: '2030-01-01', renews: null },
    },
  })

const tellOfSubreddit = (harness: Harness, person: string, state: 'approved' | 'share') =>
  tell(harness, {
    kind: 'subreddit.decided',
    person,
    data: { state, subreddit: 'Gardens', amount: null, note: null },
  })

/** What somebody can do with an account of their own, each time making one more mail to it. */
export const BY_OWNER: Partial<
  Record<RouteName, (harness: Harness, person: Person, time: number) => Promise<unknown>>
> = {
  changeEmail: async (harness, person) =>
    (await reauthenticatedApi(harness, person)).send('POST', '/users/changeemail', {
      body: { email: fresh() },
    }),
  editProfile: (harness, person) =>
    harness.api.as(person).send('POST', '/users/editprofile', { body: profileOf(person, fresh()) }),
  changePassword: (harness, person, time) => {
    const [currentPassword, password] = [`${PASSWORD}${time || ''}`, `${PASSWORD}${time + 1}`]
    return post(harness, '/users/changepassword', { currentPassword, password }, person)
  },
  updatePassword: async (harness, { id }) => {
    const { db, clock } = harness.context
    const { issueReset } = await import('../../domains/identity/passwords/changing/actions.ts')
    const path = await db.transaction().execute((tx) => issueReset(tx, { userId: id, now: clock.now() }))
    await post(harness, '/auth/updatepassword', { userId: id, token: path.split('/')[3], password: PASSWORD })
  },
  confirmTotp: async (harness, person) => {
    const api = await reauthenticatedApi(harness, person)
    await api.send('POST', '/users/secondfactor/totp/remove', { body: {} })
    await setUpApp(harness, api)
  },
  removeTotp: async (harness, person) => {
    const api = await reauthenticatedApi(harness, person)
    await setUpApp(harness, api)
    await api.call(routes.removeTotp, {})
  },
  finishLogin: async (harness, person, time) => {
    const codes = await codesOf(harness, person)
    const answer = await logIn(harness, person)
    const { secondFactor } = answer.body as { secondFactor: { challengeId: string } }
    const body = { challengeId: secondFactor.challengeId, recoveryCode: codes[time] }
    expect((await post(harness, '/auth/secondfactor', body)).status).toBe(200)
  },
  reauthenticate: async (harness, person, time) => {
    const codes = await codesOf(harness, person)
    const api = await reauthenticatedApi(harness, person)
    const { challengeId } = await api.call(routes.startReauthentication, {})
    await api.call(routes.reauthenticate, { body: { challengeId, recoveryCode: codes[time] ?? '' } })
  },
  deleteAccount: async (harness, person) => {
    await leave(harness, person)
    await harness.context.db.deleteFrom('account_deletions').where('user_id', '=', person.id).execute()
    await harness.context.db
      .updateTable('users')
      .set({ deletion_requested_at: null })
      .where('id', '=', person.id)
      .execute()
  },
  login: async (harness, person) => {
    await leave(harness, person)
    expect((await logIn(harness, person)).status).toBe(200)
  },
  saveBankDetails: async (harness, person) => {
    const body = { accountHolder: 'Ada Lovelace', country: 'US', ...US_ACCOUNT }
    await (await reauthenticatedApi(harness, person)).call(routes.saveBankDetails, { body })
  },
  requestExport: async (harness, person) => {
    await (await reauthenticatedApi(harness, person)).call(routes.requestExport, {})
    await harness.runJobs()
  },
  // Each needs a payment: what they tell is what is tried.
  purchase: receipt,
  payCustomRequest: receipt,
  // By a creator, of a subscription that one pays for, at most once a day for each (`price-changes/telling`).
  editSubscription: (harness, { id: person }) =>
    tell(harness, {
      kind: 'subscription.price-changed',
      person,
      data: {
        ...{ title: 'Everything', creator: 'ada', before: '$4', amount: '$5', on: '2030-01-01' },
        ...{ state: 'asked', months: 1 },
      },
    }),
  // By operators, who need a payment, an item or a subreddit for it: what they tell is what is tried.
  decidePayout: (harness, { id: person }) =>
    tell(harness, {
      kind: 'payout.changed',
      person,
      data: { amount: '$25', state: 'approved', reason: null },
    }),
  suspendPerson: (harness, { id: person }) =>
    tell(harness, { kind: 'account.suspended', person, data: { ended: false } }),
  reinstatePerson: (harness, { id: person }) =>
    tell(harness, { kind: 'account.suspended', person, data: { ended: true } }),
  decideSubreddit: (harness, { id: person }) => tellOfSubreddit(harness, person, 'approved'),
  paySubredditShare: (harness, { id: person }) => tellOfSubreddit(harness, person, 'share'),
  quarantineMedia: async (harness, person) => {
    const data = {
      title: 'A photo',
      mediaId: await buildMedia(harness, person),
      reason: '',
      changed: false,
      deleted: false,
    }
    await tell(harness, { kind: 'media.quarantined', person: person.id, data })
  },
  releaseMedia: async (harness, person) => {
    const data = { title: 'A photo', mediaId: await buildMedia(harness, person) }
    await tell(harness, { kind: 'media.released', person: person.id, data })
  },
  refund: (harness, { id: person }) =>
    tell(harness, {
      kind: 'payment.refunded',
      person,
      data: {
        title: 'A photo',
        amount: '$4',
        access: 'none',
        why: 'asked',
        outside: false,
        parts: null,
        voided: false,
        late: false,
      },
    }),
  refundOutside: (harness, { id: person }) =>
    tell(harness, {
      kind: 'payment.refunded',
      person,
      data: {
        title: 'A photo',
        amount: '$4',
        access: 'none',
        why: 'asked',
        outside: true,
        parts: null,
        voided: false,
        late: false,
      },
    }),
  openDispute: (harness, { id: person }) =>
    tell(harness, {
      kind: 'sale.disputed',
      person,
      data: { title: 'A photo', amount: '$4', state: 'opened' },
    }),
  decideDispute: (harness, { id: person }) =>
    tell(harness, { kind: 'sale.disputed', person, data: { title: 'A photo', amount: '$4', state: 'lost' } }),
}

const codes = new Map<string, string[]>()
async function codesOf(harness: Harness, person: Person): Promise<string[]> {
  const known = codes.get(person.id)
  if (known) return known
  const { recoveryCodes } = await setUpApp(harness, await reauthenticatedApi(harness, person))
  codes.set(person.id, recoveryCodes)
  return recoveryCodes
}
