import { useNavigate } from 'react-router'
import { errorMessage } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { afterLogin } from '../../lib/redirect.ts'
import { useSession } from '../../lib/session.tsx'
import { forgetWish } from '../../lib/wish.ts'
import { toast } from '../../ui/toast.ts'

export type NavigationLink = { to: string; label: string; main?: true }

/** The links of the top bar and of the mobile menu (docs/product.md, Pages), as the person who is here should see them. */
export function useNavigationLinks(): {
  browse: NavigationLink[]
  account: NavigationLink[]
} {
  const { currentUser } = useSession()
  if (!currentUser) {
    return {
      browse: [{ to: paths.discover, label: 'Browse All Content' }],
      account: [
        { to: paths.login, label: 'Log in' },
        { to: paths.signup, label: 'Sign Up', main: true },
      ],
    }
  }
  return {
    browse: [
      { to: paths.discover, label: 'Browse All Content' },
      ...(currentUser.isCreator ? [] : [{ to: paths.yourContent, label: 'Your Content' }]),
    ],
    account: [
      { to: paths.dashboard, label: 'Dashboard' },
      { to: paths.profile(currentUser.username), label: currentUser.username },
    ],
  }
}

/** Whether something asks before the tab is closed: what a log-out would lose, closing the tab would lose as well. */
export function wouldLose(): boolean {
  return !dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

/** Logs out and goes to the home page, so that no guard takes the person to the log-in first. */
export function useLogOut(): () => Promise<void> {
  const { logout } = useSession()
  const navigate = useNavigate()
  return async () => {
    await navigate(paths.home)
    try {
      await logout()
    } catch (error) {
      return toast.failure(`You are still logged in. ${errorMessage(error)}`)
    }
    // The page may still have stood when its person went, and its guard meant to lead the next one back to it.
    await navigate(paths.home, { replace: true })
    afterLogin.clear()
    forgetWish()
  }
}
