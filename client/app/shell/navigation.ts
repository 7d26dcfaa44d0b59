import { useNavigate } from 'react-router'
import { isExemptPath } from '../../../contract/regions.ts'
import { useVisitor } from '../../features/gate/visitor.tsx'
import { errorMessage } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { afterLogin } from '../../lib/redirect.ts'
import { isAdmitted, type Person, useSession } from '../../lib/session.tsx'
import { carries } from '../../lib/unsaved.ts'
import { toast } from '../../ui/toast.ts'
import { navigationTexts } from './texts.ts'

export type NavigationLink = {
  to: string
  label: string
  main?: true
  /** The badge of unread conversations stands beside it. */
  unread?: true
}

/** Those of these links that open here: where a region is restricted, the others would lead back to the page that says so. */
export function useOpenLinks(): <Link extends { to: string }>(links: Link[]) => Link[] {
  const { isRestrictedState } = useVisitor()
  return (links) => (isRestrictedState ? links.filter(({ to }) => isExemptPath(to)) : links)
}

/** The links of the top bar and of the mobile menu (docs/product.md, Pages), as the person who is here should see them. */
export function useNavigationLinks(): { browse: NavigationLink[]; account: NavigationLink[] } {
  const { currentUser, unreachable } = useSession()
  const open = useOpenLinks()
  const { browse, account } = linksOf(currentUser)
  // Somebody who is logged in already, though the server couldn't say who.
  return { browse: open(browse), account: unreachable ? [] : open(account) }
}

function linksOf(currentUser: Person | null): { browse: NavigationLink[]; account: NavigationLink[] } {
  if (!currentUser) {
    return {
      browse: [{ to: paths.discover, label: navigationTexts.browse }],
      account: [
        { to: paths.login, label: navigationTexts.logIn },
        { to: paths.signup, label: navigationTexts.signUp, main: true },
      ],
    }
  }
  return {
    browse: [
      { to: paths.discover, label: navigationTexts.browse },
      ...(currentUser.isCreator ? [] : [{ to: paths.yourContent, label: navigationTexts.yourContent }]),
    ],
    account: [
      ...(isAdmitted(currentUser)
        ? [{ to: paths.chats, label: navigationTexts.messages, unread: true as const }]
        : []),
      { to: paths.dashboard, label: navigationTexts.dashboard },
      { to: paths.profile(currentUser.username), label: currentUser.username },
    ],
  }
}

/** Logs out and goes to the home page, so that no guard takes the person to the login first. */
export function useLogOut(): () => Promise<void> {
  const { logout } = useSession()
  const navigate = useNavigate()
  return async () => {
    // Another document would not go on with it.
    const stop = carries(() => true)
    try {
      await navigate(paths.home)
      await logout()
    } catch (error) {
      return toast.failure(navigationTexts.logOutFailed(errorMessage(error)))
    } finally {
      stop()
    }
    // The page may still have stood when its person went, and its guard meant to lead the next one back to it.
    afterLogin.clear()
    await navigate(paths.home, { replace: true })
  }
}
