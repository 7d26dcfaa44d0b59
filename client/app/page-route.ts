import type { ComponentType } from 'react'
import type { Permission } from '../../contract/permissions.ts'

/**
 * The people who may see a page, and where everybody else is sent (docs/product.md, Pages and Access). `visitor` is
 * for people who are logged out; the others need a login and a confirmed email address.
 */
export type Guard =
  | { who: 'visitor' }
  | {
      /** `creator` also admits who may change everybody’s media, `creatorOnly` nobody else, as the server does. */
      who: 'user' | 'creator' | 'creatorOnly' | { anyOf: readonly Permission[] }
      /** Where somebody logged out is sent. */
      to: string
      /** The path is kept and returned to after logging in. */
      keepPath?: boolean
      /** Also for people whose email is not confirmed yet (docs/product.md, Access). */
      unverified?: boolean
      /** Also for an operator who has yet to set up the second factor that is required. */
      withoutSecondFactor?: boolean
    }

/**
 * One page: its address, its name for people, and its code, loaded when it is opened. The name is that of its heading
 * where this is always the same: then it stands in the document (client/build/first-look.ts).
 */
export type PageRoute = {
  path: string
  title: string
  guard?: Guard
  /** Of the dashboard’s pages: it has no fields of Mantine, nor waits for their code. */
  plain?: true
  /** Asks for the page's data while its code is still on the way. */
  begin?: (params: Record<string, string | undefined>) => void
  load: () => Promise<{ Component: ComponentType }>
}
