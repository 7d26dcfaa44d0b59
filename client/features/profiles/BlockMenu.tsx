import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDotsVertical, IconGavel, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { errorMessage } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { MantineScope } from '../../ui/theme/MantineScope.tsx'
import { toast } from '../../ui/toast.ts'
import type { Profile } from './api.ts'
import { useBlock } from './people/api.ts'
import { suspensionTexts, blockTexts as texts } from './people/texts.ts'

type BlockMenuProps = {
  profile: Pick<Profile, '_id' | 'username' | 'blocked' | 'suspended'>
  /** Asks whether to suspend or reinstate them; only for operators who may. */
  onSuspend: (() => void) | undefined
}

/** What else one can do with somebody: block them, after a question, or take that back; operators can suspend them. */
export default function BlockMenu({ profile, onSuspend }: BlockMenuProps) {
  const [asking, setAsking] = useState(false)
  const block = useBlock()
  const navigate = useNavigate()
  const { _id, username } = profile
  const unblock = () =>
    block.mutate(
      { blockedId: _id, blocked: false },
      {
        onSuccess: () => toast.success(texts.unblocked(username)),
        onError: (error) => toast.failure(errorMessage(error)),
      },
    )
  return (
    <>
      <MantineScope>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={44} aria-label={texts.more(username)}>
              <IconDotsVertical size={20} stroke={1.75} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {profile.blocked ? (
              <Menu.Item
                leftSection={<IconUserCheck size={18} stroke={1.75} aria-hidden />}
                onClick={unblock}
                disabled={block.isPending}
              >
                {texts.unblockPerson(username)}
              </Menu.Item>
            ) : (
              <Menu.Item
                leftSection={<IconUserOff size={18} stroke={1.75} aria-hidden />}
                onClick={() => setAsking(true)}
              >
                {texts.blockPerson(username)}
              </Menu.Item>
            )}
            {onSuspend && (
              <Menu.Item
                {...(profile.suspended ? {} : { color: 'red' })}
                leftSection={<IconGavel size={18} stroke={1.75} aria-hidden />}
                onClick={onSuspend}
              >
                {profile.suspended ? suspensionTexts.reinstateAccount : suspensionTexts.suspendAccount}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      </MantineScope>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={texts.blockTitle(username)}
        confirmLabel={texts.block}
        destructive
        onConfirm={async () => {
          await block.mutateAsync({ blockedId: _id, blocked: true })
          toast.success(texts.blocked(username))
          void navigate(paths.privacySettings)
        }}
      >
        <p>{texts.blockEffect}</p>
      </ConfirmDialog>
    </>
  )
}
