import { IconUserMinus } from '@tabler/icons-react'
import { MenuItem, MenuList } from '../../ui/menu/MenuList.tsx'
import type { OpenedMenu } from '../../ui/menu/use-menu.ts'
import { followTexts } from './texts.ts'

type UnfollowMenuProps = OpenedMenu & { disabled: boolean; onUnfollow: () => void }

/** The one choice of who follows: not to any longer. */
export default function UnfollowMenu({ disabled, onUnfollow, ...menu }: UnfollowMenuProps) {
  return (
    <MenuList {...menu}>
      <MenuItem Icon={IconUserMinus} disabled={disabled} onClick={onUnfollow}>
        {followTexts.unfollow}
      </MenuItem>
    </MenuList>
  )
}
