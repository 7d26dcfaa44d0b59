import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { Menu } from '@mantine/core'
import { IconChevronDown, IconUserMinus } from '@tabler/icons-react'
import type { Ref } from 'react'
import { Button } from '../../ui/core/Button.tsx'
import { MantineScope } from '../../ui/theme/MantineScope.tsx'
import { followTexts } from './texts.ts'

type FollowingMenuProps = {
  buttonRef: Ref<HTMLButtonElement>
  onUnfollow: () => void
  /** The last change isn't answered yet. */
  pending: boolean
}

/** Says that somebody is followed, and offers to end that. */
export default function FollowingMenu({ buttonRef, onUnfollow, pending }: FollowingMenuProps) {
  return (
    <MantineScope>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            ref={buttonRef}
            variant="default"
            rightSection={<IconChevronDown size={18} stroke={1.75} aria-hidden />}
          >
            {followTexts.following}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconUserMinus size={18} stroke={1.75} aria-hidden />}
            disabled={pending}
            onClick={onUnfollow}
          >
            {followTexts.unfollow}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </MantineScope>
  )
}
