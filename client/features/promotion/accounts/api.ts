import { queryOptions, useMutation } from '@tanstack/react-query'
import type { Output } from '../../../../contract/route.ts'
import type { forumAccountRoutes } from '../../../../contract/routes/promotion/accounts.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { meKey } from '../../../lib/session.tsx'

export type ForumAccount = Output<typeof forumAccountRoutes.forumAccounts>['items'][number]

const own = [...roots.promotion, 'accounts'] as const

/** The person’s forum accounts, the first connected first. */
export const accountsQuery = queryOptions({
  queryKey: own,
  queryFn: ({ signal }) => call(routes.forumAccounts, {}, { signal }),
})

/** Goes to the forum’s page that asks for permission. */
export function useConnect() {
  return useMutation({
    mutationFn: async () => {
      const { url } = await call(routes.authorizeForum, {})
      window.location.assign(url)
    },
  })
}

/** Connects the account that the forum’s redirect came from. */
export function useConfirm() {
  return useMutation({
    mutationFn: (redirect: { code: string; state: string }) => call(routes.confirmForum, { body: redirect }),
    meta: { invalidates: [roots.promotion, meKey] },
  })
}

export function useDisconnect() {
  return useMutation({
    mutationFn: (accountId: string) => call(routes.disconnectForum, { body: { accountId } }),
    meta: { invalidates: [roots.promotion, meKey] },
  })
}
