import { IconDotsVertical, IconFlag, IconGavel, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { errorMessage } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/core/Button.tsx'
import { lazyPart, useLatch } from '../../ui/lazy-part.tsx'
import { Menu, MenuItem } from '../../ui/menu/Menu.tsx'
import { toast } from '../../ui/toast.ts'
import type { Profile } from './api.ts'
import styles from './BlockMenu.module.css'
import { useBlock } from './parts/people/api.ts'
import { suspensionTexts, blockTexts as texts } from './people/texts.ts'

const ConfirmDialog = lazyPart(() =>
  import('../../ui/ConfirmDialog.tsx').then((module) => module.ConfirmDialog),
)

type BlockMenuProps = {
  profile: Pick<Profile, '_id' | 'username' | 'blocked' | 'suspended'>
  /** Asks whether to suspend or reinstate them; only for operators who may. */
  onSuspend: (() => void) | undefined
}

/** What else one can do with somebody: block them, after a question, or take that back, and report them; operators can suspend them. */
export default function BlockMenu({ profile, onSuspend }: BlockMenuProps) {
  const [opened, setOpened] = useState(false)
  const [asking, setAsking] = useState(false)
  const asked = useLatch(asking)
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
      <Menu
        opened={opened}
        onChange={setOpened}
        button={(given) => (
          <Button {...given} variant="default" className={styles.symbol} aria-label={texts.more(username)}>
            <IconDotsVertical size={20} stroke={1.75} aria-hidden />
          </Button>
        )}
      >
        {profile.blocked ? (
          <MenuItem Icon={IconUserCheck} onClick={unblock} disabled={block.isPending}>
            {texts.unblockPerson(username)}
          </MenuItem>
        ) : (
          <MenuItem Icon={IconUserOff} onClick={() => setAsking(true)}>
            {texts.blockPerson(username)}
          </MenuItem>
        )}
        <MenuItem Icon={IconFlag} onClick={() => void navigate(paths.report(paths.profile(username)))}>
          {texts.reportPerson(username)}
        </MenuItem>
        {onSuspend && (
          <MenuItem destructive={!profile.suspended} Icon={IconGavel} onClick={onSuspend}>
            {profile.suspended ? suspensionTexts.reinstateAccount : suspensionTexts.suspendAccount}
          </MenuItem>
        )}
      </Menu>
      {asked && (
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
      )}
    </>
  )
}
