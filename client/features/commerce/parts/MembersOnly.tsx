import { IconLock, IconMail } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { ReturningLinkButton } from '../../../ui/ReturningLinkButton.tsx'

/** What only people with a confirmed account see; everybody else is told how to get there (docs/product.md, Pages). */
export function MembersOnly({ what, children }: { what: 'Bundles' | 'Singles'; children: ReactNode }) {
  const { currentUser } = useSession()
  if (!currentUser) return <LogIn what={what} />
  if (currentUser.verifiedEmail === 'verified') return children
  return (
    <EmptyState
      Icon={IconMail}
      title={`Confirm your e-mail to see ${what}`}
      action={
        <LinkButton to={paths.dashboard} variant="default">
          Send it again
        </LinkButton>
      }
    >
      We sent a link to {currentUser.email}. Open it, and everything here opens too.
    </EmptyState>
  )
}

function LogIn({ what }: { what: string }) {
  return (
    <EmptyState
      Icon={IconLock}
      title={`Log in or Sign Up to see ${what}`}
      action={
        <>
          <ReturningLinkButton to={paths.login} variant="default">
            Log in
          </ReturningLinkButton>
          <ReturningLinkButton to={paths.signup}>Sign Up</ReturningLinkButton>
        </>
      }
    />
  )
}
