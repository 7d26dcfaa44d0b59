import { IconLock } from '@tabler/icons-react'
import { EmptyState } from './EmptyState.tsx'
import { ReturningLinkButton } from './ReturningLinkButton.tsx'

/** In place of what only people with an account see; it leads back here once they have one (core §2.3). */
export function LogInToSee({ what }: { what: 'Bundles' | 'Singles' }) {
  return (
    <EmptyState
      Icon={IconLock}
      title={`Log in or Sign Up to see ${what}`}
      action={
        <>
          <ReturningLinkButton to="/login" variant="default">
            Log in
          </ReturningLinkButton>
          <ReturningLinkButton to="/signup">Sign Up</ReturningLinkButton>
        </>
      }
    />
  )
}
