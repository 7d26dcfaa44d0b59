import { IconChevronDown, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { errorMessage } from '../../lib/api.ts'
import { useSession } from '../../lib/session.tsx'
import { Button } from '../../ui/core/Button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useMenu } from '../../ui/menu/use-menu.ts'
import { toast } from '../../ui/toast.ts'
import { followQuery, useToggleFollow } from './api.ts'
import { followTexts } from './texts.ts'

const UnfollowMenu = lazyPart(() => import('./UnfollowMenu.tsx').then((module) => module.default))

type FollowToggleProps = { creatorId: string; variant: 'filled' | 'default' }

/** Follows a creator, or says that one does and offers to stop. */
export function FollowToggle({ creatorId, variant }: FollowToggleProps) {
  const { currentUser } = useSession()
  // Nobody follows before their email is confirmed; pressing the button says so.
  const verified = currentUser?.verifiedEmail === 'verified'
  const follow = useQuery({ ...followQuery(creatorId), enabled: verified })
  const toggle = useToggleFollow(creatorId)
  const [opened, setOpened] = useState(false)
  const { button: given, list } = useMenu(opened, setOpened)
  // Follow and Following replace each other: who pressed one stands on the other, not at the top of the page.
  const acted = useRef(false)
  const takeFocus = useCallback((button: HTMLButtonElement | null) => {
    if (!button || !acted.current || document.activeElement !== document.body) return
    acted.current = false
    button.focus()
  }, [])
  const change = () => {
    if (toggle.isPending) return
    acted.current = true
    toggle.mutate(undefined, { onError: (error) => toast.failure(errorMessage(error)) })
  }
  if (follow.data) {
    return (
      <>
        <Button
          {...given}
          ref={(button) => {
            given.ref.current = button
            takeFocus(button)
          }}
          variant="default"
          rightSection={<IconChevronDown size={18} stroke={1.75} aria-hidden />}
        >
          {followTexts.following}
        </Button>
        {opened && <UnfollowMenu {...list} disabled={toggle.isPending} onUnfollow={change} />}
      </>
    )
  }
  return (
    <Button
      ref={takeFocus}
      variant={variant}
      leftSection={<IconPlus size={18} stroke={1.75} aria-hidden />}
      disabled={verified && follow.isPending}
      // Keeps the focus, which a disabled button loses.
      aria-disabled={toggle.isPending || undefined}
      onClick={change}
    >
      {followTexts.follow}
    </Button>
  )
}
