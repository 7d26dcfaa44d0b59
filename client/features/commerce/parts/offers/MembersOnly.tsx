import { IconLock, IconMail } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { paths } from '../../../../lib/paths.ts'
import { useSession } from '../../../../lib/session.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { LinkButton, ReturningLinkButton } from '../../../../ui/LinkButton.tsx'
import { membersTexts } from './members-texts.ts'

/** Content for people with a confirmed account; everybody else is told how to get one (docs/product.md, Pages). */
export function MembersOnly({ what, children }: { what: 'Bundles' | 'Singles'; children: ReactNode }) {
  const { currentUser } = useSession()
  if (!currentUser) return <LogIn what={what} />
  if (currentUser.verifiedEmail === 'verified') return children
  return (
    <EmptyState
      Icon={IconMail}
      title={membersTexts.confirm(what)}
      action={
        <LinkButton to={paths.dashboard} variant="default">
          {membersTexts.resend}
        </LinkButton>
      }
    >
      {membersTexts.sent(currentUser.email)}
    </EmptyState>
  )
}

function LogIn({ what }: { what: string }) {
  return (
    <EmptyState
      Icon={IconLock}
      title={membersTexts.logInTo(what)}
      action={
        <>
          <ReturningLinkButton to={paths.login} variant="default">
            {membersTexts.logIn}
          </ReturningLinkButton>
          <ReturningLinkButton to={paths.signup}>{membersTexts.signUp}</ReturningLinkButton>
        </>
      }
    />
  )
}
