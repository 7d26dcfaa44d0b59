import { useMutation } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { meKey } from '../../../lib/session.tsx'

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
